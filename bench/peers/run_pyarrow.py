#!/usr/bin/env python3
"""pyarrow. Track A: tables in memory. Track B: the Parquet files, read whole. All versions are sorted, then one a key is kept."""

import protocol
from protocol import NotSupported
from workload import RETRACTS


def open_system(w):
    import pyarrow as pa
    import pyarrow.compute as pc

    pa.set_cpu_count(w.threads)
    pa.set_io_thread_count(max(1, w.threads))
    if w.job not in ("dedup", "first"):
        raise NotSupported("group_by loses the order of keys and has no last value that is not NULL")
    if w.sequence is None:
        raise NotSupported("the sort is not stable, and the workload has no sequence")
    held = pa.concat_tables(w.read()) if w.track == "A" else None

    def run(take):
        table = held if held is not None else pa.concat_tables(w.read())
        order = pc.sort_indices(table, sort_keys=[(c, "ascending") for c in w.key + [w.sequence]])
        rows = table.take(order)
        rows = rows.filter(boundary(pa, pc, w, rows))
        if w.kind:
            rows = rows.filter(pc.invert(pc.is_in(rows.column(w.kind), pa.array(RETRACTS, pa.int8()))))
        take(rows.select(w.columns))

    return pa.__version__, {"sort, filter": run}


def boundary(pa, pc, w, rows):
    """Whether the row is the last of its key, or the first."""
    differs = None
    for c in w.key:
        column = rows.column(c)
        other = pc.not_equal(column.slice(0, len(column) - 1), column.slice(1))
        differs = other if differs is None else pc.or_(differs, other)
    edge = pa.array([True])
    parts = differs.chunks + [edge] if w.job == "dedup" else [edge] + differs.chunks
    return pa.chunked_array(parts, pa.bool_())


if __name__ == "__main__":
    protocol.serve(open_system)
