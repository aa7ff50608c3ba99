#!/usr/bin/env python3
"""Polars. Track A: data frames in memory, one a run in one piece. Track B: the Parquet files.

Its best whole-table merge is a stable sort of the runs in the order of their recency, which finds that they are sorted.
"""

import protocol
from protocol import NotSupported
from workload import RETRACTS


def open_system(w):
    import polars as pl

    if w.track == "A":
        tables = w.tables()
        frames = [pl.from_arrow(t).rechunk().lazy() for t in tables]
        nullable = w.nullable(tables)
        del tables
    else:
        frames = [pl.scan_parquet(p) for p in w.paths]
        nullable = w.values
    rows = pl.concat(frames).sort(w.key, maintain_order=True)
    plans = PLANS.get(w.job)
    if plans is None:
        raise NotSupported(f"no expression for the job {w.job}")
    return pl.__version__, {name: form(plan(pl, w, rows, nullable)) for name, plan in plans.items()}


def form(plan):
    def run(take):
        take(plan.collect(engine="in-memory"))
    return run


def differs(pl, w, shift):
    """Whether the key is another than that of a neighbour."""
    parts = [pl.col(c).ne_missing(pl.col(c).shift(shift)) for c in w.key]
    if len(parts) == 1:
        return parts[0]
    return pl.any_horizontal(parts)


def last_of_key(pl, w, rows, nullable):
    rows = rows.filter(differs(pl, w, -1))
    if w.kind:
        rows = rows.filter(~pl.col(w.kind).is_in(RETRACTS))
    return rows.select(w.columns)


def first_of_key(pl, w, rows, nullable):
    return rows.filter(differs(pl, w, 1)).select(w.columns)


def filled(pl, w, rows, nullable):
    """Fills NULLs from the row before, within a key, and keeps the last row of each key."""
    row = pl.int_range(pl.len(), dtype=pl.UInt32)
    start = pl.when(differs(pl, w, 1)).then(row).forward_fill()
    def fill(c):
        valid = pl.when(pl.col(c).is_not_null()).then(row).forward_fill()
        return pl.when(valid >= start).then(pl.col(c).forward_fill()).alias(c)
    rows = rows.with_columns([fill(c) for c in nullable])
    return rows.filter(differs(pl, w, -1)).select(w.columns)


def group_last(pl, w, rows, nullable):
    picks = [pl.col(c).drop_nulls().last() if c in nullable else pl.col(c).last() for c in w.values]
    return rows.group_by(w.key, maintain_order=True).agg(picks).select(w.columns)


def group_functions(pl, w, rows, nullable):
    return rows.group_by(w.key, maintain_order=True).agg([function(pl, w.functions[c], c, c in nullable) for c in w.values]).select(w.columns)


def function(pl, name, c, nullable):
    column = pl.col(c)
    if name == "sum":  # the sum of no value is 0 here, and NULL in the answer
        return pl.when(column.count() > 0).then(column.sum()).alias(c) if nullable else column.sum()
    if name in ("max", "min"):
        return getattr(column, name)()
    if name == "last_value":
        return column.last()
    raise NotSupported(f"no function {name}")


PLANS = {
    "dedup": {"sort, filter": last_of_key},
    "first": {"sort, filter": first_of_key},
    "partial": {"sort, fill, filter": filled, "sort, group_by": group_last},
    "agg": {"sort, group_by": group_functions},
}


if __name__ == "__main__":
    protocol.serve(open_system)
