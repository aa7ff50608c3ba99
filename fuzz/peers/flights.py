#!/usr/bin/env python3
"""Cuts a file of flights into sorted runs: a base and corrections of it.

A flight is known by its line number in the file, the int64 column `flight`. Every correction is a run of its own, sorted by
flight, with each flight once. Corrections change delays, delete some flights and bring some new ones. There are two sets:

    OUT/deduplicate/run-0.parquet ...      corrections hold whole rows
    OUT/partial-update/run-0.parquet ...   corrections hold the new delay, and NULL elsewhere

run-0 is the base. The column `_VALUE_KIND` says +I (0), +U (2) or -D (3). The same arguments make the same files.
"""

import argparse
import pathlib
import random

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

INSERT, UPDATE, DELETE = 0, 2, 3


def with_system_columns(table, flights, kinds):
    """Puts the row kind and the flight number in front of the columns of table."""
    columns = [pa.array(kinds, pa.int8()), pa.array(flights, pa.int64())] + table.columns
    return pa.table(columns, names=["_VALUE_KIND", "flight"] + table.column_names)


def corrected(rows, delays):
    """The rows with other delays."""
    at = rows.schema.get_field_index("delay")
    return rows.set_column(at, rows.schema.field(at), pa.array(delays, pa.int64()))


def only_where(rows, keep, columns):
    """The rows with NULL in the named columns, except where keep is true."""
    for name in columns:
        at = rows.schema.get_field_index(name)
        nulls = pa.nulls(len(rows), rows.schema.field(at).type)
        rows = rows.set_column(at, rows.schema.field(at), pc.if_else(keep, rows.column(at), nulls))
    return rows


def correction(base, rng, share, known):
    """One correction as (flights, kinds, whole rows). Flights from known on are new ones."""
    count = int(len(base) * share)
    flights = sorted(rng.sample(range(len(base)), count))
    fresh = list(range(known, known + count // 100))
    kinds = [DELETE if rng.random() < 0.05 else UPDATE for _ in flights] + [INSERT] * len(fresh)
    lines = flights + [rng.randrange(len(base)) for _ in fresh]
    rows = base.take(pa.array(lines, pa.int64()))
    delays = [None if rng.random() < 0.02 else rng.randrange(-30, 600) for _ in lines]
    return flights + fresh, kinds, corrected(rows, delays)


def make_runs(base, runs, share, seed):
    """Yields (flights, kinds, whole rows, partial rows) of the base and of each correction."""
    yield list(range(len(base))), [INSERT] * len(base), base, base
    rng = random.Random(seed)
    known = len(base)
    others = [name for name in base.column_names if name != "delay"]
    for _ in range(runs):
        flights, kinds, rows = correction(base, rng, share, known)
        known += count_of(kinds, INSERT)
        kind = pa.array(kinds, pa.int8())
        partial = only_where(rows, pc.equal(kind, INSERT), others)
        partial = only_where(partial, pc.not_equal(kind, DELETE), ["delay"])
        yield flights, kinds, rows, partial


def count_of(kinds, kind):
    return sum(1 for k in kinds if k == kind)


def write(directory, number, table):
    directory.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, directory / f"run-{number}.parquet", compression="zstd", row_group_size=250_000)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flights", type=pathlib.Path, help="Parquet file with date, delay, distance, origin, destination")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--rows", type=int, help="take that many lines of the file only")
    parser.add_argument("--runs", type=int, default=5, help="corrections")
    parser.add_argument("--share", type=float, default=0.1, help="of the flights that a correction touches")
    parser.add_argument("--seed", type=int, default=20010101)
    args = parser.parse_args()

    base = pq.read_table(args.flights, columns=["date", "delay", "distance", "origin", "destination"])
    base = base.slice(0, args.rows) if args.rows else base
    for number, (flights, kinds, whole, partial) in enumerate(make_runs(base, args.runs, args.share, args.seed)):
        write(args.out / "deduplicate", number, with_system_columns(whole, flights, kinds))
        write(args.out / "partial-update", number, with_system_columns(partial, flights, kinds))
        print(f"run {number}: {len(flights)} rows, {count_of(kinds, DELETE)} of them deletes")


if __name__ == "__main__":
    main()
