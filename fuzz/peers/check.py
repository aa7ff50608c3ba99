#!/usr/bin/env python3
"""Says what DuckDB makes of sorted runs, and whether the output of a merge is the same.

    check.py --engine deduplicate --key flight --output merged.parquet RUN...

Runs are Parquet files, oldest first, each with every key once. A row is a delete if its `_VALUE_KIND` is 1 or 3.

deduplicate      the row of the last run wins; a key whose last row is a delete is gone
partial-update   each column has the last value that is not NULL, of the runs behind the key's last delete; a key whose last
                 row is a delete is gone

Compared are the number of rows, every value, and that the output is in ascending order of the key. Exit code 0: equal,
1: different, 2: wrong usage.
"""

import argparse
import sys

import duckdb

SYSTEM = ("_VALUE_KIND", "_SEQUENCE_NUMBER")


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def load(db, runs):
    """Makes the table `input` of all runs with the run's number, and returns the value columns."""
    for number, path in enumerate(runs):
        select = f"SELECT *, {number} AS run FROM read_parquet(?)"
        db.execute(("CREATE TABLE input AS " if number == 0 else "INSERT INTO input BY NAME ") + select, [path])
    names = [row[0] for row in db.execute("DESCRIBE input").fetchall()]
    if "_VALUE_KIND" not in names:
        db.execute('ALTER TABLE input ADD COLUMN "_VALUE_KIND" TINYINT DEFAULT 0')
    return [n for n in names if n not in SYSTEM and n != "run" and not n.startswith("_KEY_")]


def expect_deduplicate(db, keys, columns):
    """Makes the table `want`: the row of the last run per key, deletes dropped."""
    partition = ", ".join(map(quoted, keys))
    db.execute(f"""
        CREATE TABLE want AS SELECT {", ".join(map(quoted, columns))} FROM input
        QUALIFY row_number() OVER (PARTITION BY {partition} ORDER BY run DESC) = 1 AND "_VALUE_KIND" NOT IN (1, 3)""")


def expect_partial_update(db, keys, columns):
    """Makes the table `want`: the last value that is not NULL per key and column, since the last delete."""
    partition = ", ".join(map(quoted, keys))
    picks = [
        f"last({quoted(c)} ORDER BY run) FILTER (WHERE {quoted(c)} IS NOT NULL) AS {quoted(c)}" if c not in keys else quoted(c)
        for c in columns
    ]
    db.execute(f"""
        CREATE TABLE want AS SELECT {", ".join(picks)} FROM (
            SELECT *, max(CASE WHEN "_VALUE_KIND" IN (1, 3) THEN run ELSE -1 END) OVER (PARTITION BY {partition}) AS deleted
            FROM input)
        WHERE run > deleted GROUP BY {partition}""")


EXPECT = {"deduplicate": expect_deduplicate, "partial-update": expect_partial_update}


def differences(db, keys, columns, output):
    """Lists what is different between the table `want` and the output file."""
    names = ", ".join(map(quoted, columns))
    db.execute(f"CREATE TABLE got AS SELECT {names}, file_row_number AS line FROM read_parquet(?, file_row_number = true)", [output])
    found = []
    want, got = (db.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("want", "got"))
    if want != got:
        found.append(f"{got} rows, want {want}")
    for text, left, right in (("missing", "want", "got"), ("not wanted", "got", "want")):
        query = f"SELECT {names} FROM {left} EXCEPT ALL SELECT {names} FROM {right}"
        number = db.execute(f"SELECT count(*) FROM ({query})").fetchone()[0]
        if number:
            order = ", ".join(map(quoted, keys))
            found.append(f"{number} rows {text}, for example {db.execute(f'{query} ORDER BY {order} LIMIT 3').fetchall()}")
    return found + misplaced(db, keys)


def misplaced(db, keys):
    """Lists the first row of the output that is not above the one before it. Keys with NULLs come first."""
    key = "struct_pack(" + ", ".join(f"k{i} := {quoted(k)}" for i, k in enumerate(keys)) + ")"
    above = " OR ".join(
        "(" + " AND ".join([f"p.k{j} IS NOT DISTINCT FROM c.k{j}" for j in range(i)]
                           + [f"((p.k{i} IS NULL AND c.k{i} IS NOT NULL) OR p.k{i} < c.k{i})"]) + ")"
        for i in range(len(keys)))
    line = db.execute(f"""
        SELECT min(line) FROM (
            SELECT line, {key} AS c, lag({key}) OVER (ORDER BY line) AS p FROM got)
        WHERE line > 0 AND coalesce({above}, false) = false""").fetchone()[0]
    return [] if line is None else [f"row {line} is not above the row before it"]


def check(engine, keys, runs, output):
    """Returns the rows wanted and the list of differences."""
    db = duckdb.connect()
    columns = load(db, runs)
    EXPECT[engine](db, keys, columns)
    found = differences(db, keys, columns, output)
    return db.execute("SELECT count(*) FROM want").fetchone()[0], found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=sorted(EXPECT), required=True)
    parser.add_argument("--key", required=True, help="key columns, with commas between them")
    parser.add_argument("--output", required=True, help="what the merge has written, as Parquet")
    parser.add_argument("runs", nargs="+")
    args = parser.parse_args()

    rows, found = check(args.engine, args.key.split(","), args.runs, args.output)
    for difference in found:
        print("difference:", difference)
    print(f"{args.engine}: {'DIFFERENT' if found else 'equal'}, {rows} rows wanted, {len(args.runs)} runs, DuckDB {duckdb.__version__}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
