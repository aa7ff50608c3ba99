#!/usr/bin/env python3
"""Compares the merge of a Paimon table's bucket with the rows its own reader gave.

    paimon_table.py runs DATA [--table big_orders]              prints the files to merge, one run a line, oldest first
    paimon_table.py check DATA OUTPUT [--table big_orders]      compares OUTPUT, a Parquet file, with the rows expected

DATA holds `warehouse/db.db/TABLE` and `expected/TABLE` with table.json, files.json and expected.jsonl or expected.jsonl.gz.
A line of several files of one run has commas between them. Tables of one bucket whose columns are of the types INT,
BIGINT, STRING, DECIMAL and TIMESTAMP can be compared. Exit code 0: equal, 1: different, 2: wrong usage.
"""

import argparse
import decimal
import gzip
import json
import pathlib
import sys

import pyarrow.parquet as pq


def read_json(path):
    return json.loads(path.read_text())


def bucket(data, table):
    buckets = read_json(data / "expected" / table / "files.json")["buckets"]
    if len(buckets) != 1:
        sys.exit(f"{table} has {len(buckets)} buckets, one is expected")
    return buckets[0]


def runs(data, table):
    """The files of the bucket, a list per run, oldest first."""
    b = bucket(data, table)
    where = data / "warehouse" / "db.db" / table / b["path"]
    return [[str(where / name) for name in run["files"]] for run in b["runs"]]


def expected(data, table):
    """Yields the rows expected, each a list of values as JSON has them."""
    plain = data / "expected" / table / "expected.jsonl"
    packed = plain.with_suffix(".jsonl.gz")
    with (gzip.open(packed, "rt") if packed.exists() else open(plain)) as lines:
        for line in lines:
            yield json.loads(line)["values"]


def as_json(value, column):
    """A value of the output as expected.jsonl writes it."""
    if value is None:
        return None
    kind = column["type"]
    if kind.startswith("DECIMAL"):
        return f"{value:f}"
    if kind.startswith("TIMESTAMP"):
        digits = int(kind[kind.index("(") + 1:kind.index(")")])
        return value.strftime("%Y-%m-%dT%H:%M:%S") + (f".{value.microsecond:06d}"[:digits + 1] if digits else "")
    return value


def same(want, got, kind):
    """Equality of two values as JSON has them: large integers may be text."""
    if kind.startswith(("BIGINT", "INT")) and want is not None and got is not None:
        return int(want) == int(got)
    if kind.startswith("DECIMAL") and want is not None and got is not None:
        return decimal.Decimal(want) == decimal.Decimal(got) and want == got
    return want == got


def output_rows(path, columns):
    """Yields the rows of the output in their order."""
    names = [c["name"] for c in columns]
    for batch in pq.ParquetFile(path).iter_batches(columns=names):
        lists = [batch.column(batch.schema.get_field_index(n)).to_pylist() for n in names]
        for values in zip(*lists):
            yield [as_json(v, c) for v, c in zip(values, columns)]


def check(data, table, output):
    """Returns the number of rows expected and the list of differences."""
    columns = read_json(data / "expected" / table / "table.json")["columns"]
    want, got = list(expected(data, table)), list(output_rows(output, columns))
    found = [] if len(want) == len(got) else [f"{len(got)} rows, want {len(want)}"]
    for i, (w, g) in enumerate(zip(want, got)):
        if not all(same(a, b, c["type"]) for a, b, c in zip(w, g, columns)):
            found.append(f"row {i}: {g}, want {w}")
            break
    return len(want), found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["runs", "check"])
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path, nargs="?")
    parser.add_argument("--table", default="big_orders")
    args = parser.parse_args()
    if args.command == "runs":
        for run in runs(args.data, args.table):
            print(",".join(run))
        return
    if args.output is None:
        parser.error("check needs OUTPUT")
    rows, found = check(args.data, args.table, args.output)
    for difference in found:
        print("difference:", difference)
    print(f"{args.table}: {'DIFFERENT' if found else 'equal'}, {rows} rows wanted")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
