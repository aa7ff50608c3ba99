"""Tests of the scripts: each comparison is seen to pass on a right answer and to fail on wrong ones.

    python -m unittest test_peers
"""

import gzip
import json
import pathlib
import tempfile
import unittest

import pyarrow as pa
import pyarrow.parquet as pq

import check
import flights
import paimon_table


def some_flights(rows=400):
    return pa.table({
        "date": pa.array([1_000_000 * i for i in range(rows)], pa.timestamp("us")),
        "delay": pa.array([i % 90 for i in range(rows)], pa.int64()),
        "distance": pa.array([None if i % 17 == 0 else i for i in range(rows)], pa.int64()),
        "origin": pa.array([f"A{i % 7}" for i in range(rows)]),
        "destination": pa.array([f"B{i % 11}" for i in range(rows)]),
    })


def merge(engine, runs):
    """The answer by dictionaries: the rows that live, in order of the key."""
    state = {}
    for run in runs:
        for row in run.to_pylist():
            kind, flight = row.pop("_VALUE_KIND"), row["flight"]
            if kind == flights.DELETE:
                state.pop(flight, None)
            elif engine == "deduplicate" or flight not in state:
                state[flight] = row
            else:
                state[flight].update({k: v for k, v in row.items() if v is not None})
    names = runs[0].schema.names[1:]
    schema = pa.schema([runs[0].schema.field(n) for n in names])
    return pa.Table.from_pylist([state[k] for k in sorted(state)], schema=schema)


def tampered(answer):
    """Wrong answers by name."""
    rows = answer.to_pylist()

    def with_row(i, **changes):
        return pa.Table.from_pylist(rows[:i] + [{**rows[i], **changes}] + rows[i + 1:], schema=answer.schema)

    return {
        "wrong value": with_row(5, delay=9999),
        "value lost": with_row(6, origin=None),
        "row lost": answer.slice(0, len(answer) - 1),
        "row twice": pa.concat_tables([answer.slice(0, 1), answer]),
        "rows swapped": pa.Table.from_pylist([rows[1], rows[0]] + rows[2:], schema=answer.schema),
        "another flight": with_row(len(rows) - 1, flight=10**9),
    }


class Flights(unittest.TestCase):
    def runs(self, engine):
        made = flights.make_runs(some_flights(), runs=5, share=0.3, seed=1)
        return [flights.with_system_columns(p if engine == "partial-update" else w, f, k) for f, k, w, p in made]

    def test_runs(self):
        for engine in check.EXPECT:
            runs = self.runs(engine)
            self.assertEqual(len(runs), 6)
            for run in runs:
                numbers = run.column("flight").to_pylist()
                self.assertEqual(numbers, sorted(set(numbers)))
            kinds = {k for run in runs for k in run.column("_VALUE_KIND").to_pylist()}
            self.assertEqual(kinds, {flights.INSERT, flights.UPDATE, flights.DELETE})
        self.assertEqual(self.runs("deduplicate"), self.runs("deduplicate"))

    def test_check(self):
        for engine in check.EXPECT:
            with self.subTest(engine), tempfile.TemporaryDirectory() as d:
                d = pathlib.Path(d)
                runs = self.runs(engine)
                paths = [str(d / f"run-{i}.parquet") for i in range(len(runs))]
                for path, run in zip(paths, runs):
                    pq.write_table(run, path)
                answer, output = merge(engine, runs), str(d / "out.parquet")
                pq.write_table(answer, output)
                rows, found = check.check(engine, ["flight"], paths, output)
                self.assertEqual((rows, found), (len(answer), []))
                for name, wrong in tampered(answer).items():
                    pq.write_table(wrong, output)
                    self.assertTrue(check.check(engine, ["flight"], paths, output)[1], name)

    def test_engines_differ(self):
        self.assertNotEqual(merge("deduplicate", self.runs("deduplicate")), merge("deduplicate", self.runs("partial-update")))


class PaimonTable(unittest.TestCase):
    COLUMNS = [{"name": "id", "type": "BIGINT NOT NULL"}, {"name": "name", "type": "STRING"},
               {"name": "price", "type": "DECIMAL(10, 2)"}, {"name": "at", "type": "TIMESTAMP(3)"}]
    ROWS = [["9007199254740993", "a", "20.00", "2023-11-14T22:13:20.007"], ["9007199254740994", None, "-0.50", None]]

    def data(self, d):
        where = d / "expected" / "big_orders"
        where.mkdir(parents=True)
        (where / "table.json").write_text(json.dumps({"columns": self.COLUMNS}))
        (where / "files.json").write_text(json.dumps(
            {"buckets": [{"path": "bucket-0", "runs": [{"files": ["a", "b"]}, {"files": ["c"]}]}]}))
        with gzip.open(where / "expected.jsonl.gz", "wt") as f:
            for row in self.ROWS:
                f.write(json.dumps({"kind": "+I", "values": row}) + "\n")

    def table(self, **changes):
        import datetime
        import decimal
        columns = {
            "id": pa.array([9007199254740993, 9007199254740994]),
            "name": pa.array(["a", None]),
            "price": pa.array([decimal.Decimal("20.00"), decimal.Decimal("-0.50")], pa.decimal128(10, 2)),
            "at": pa.array([datetime.datetime(2023, 11, 14, 22, 13, 20, 7000), None], pa.timestamp("ms")),
        }
        return pa.table({**columns, **changes})

    def test_runs(self):
        with tempfile.TemporaryDirectory() as d:
            d = pathlib.Path(d)
            self.data(d)
            where = d / "warehouse" / "db.db" / "big_orders" / "bucket-0"
            self.assertEqual(paimon_table.runs(d, "big_orders"), [[str(where / "a"), str(where / "b")], [str(where / "c")]])

    def test_check(self):
        import decimal
        wrong = {
            "id": pa.array([9007199254740992, 9007199254740994]),
            "name": pa.array(["a", "b"]),
            "price": pa.array([decimal.Decimal("20.01"), decimal.Decimal("-0.50")], pa.decimal128(10, 2)),
            "at": pa.array([1, None], pa.timestamp("ms")),
        }
        with tempfile.TemporaryDirectory() as d:
            d = pathlib.Path(d)
            self.data(d)
            output = d / "out.parquet"
            pq.write_table(self.table(), output)
            self.assertEqual(paimon_table.check(d, "big_orders", output), (2, []))
            for name, column in wrong.items():
                pq.write_table(self.table(**{name: column}), output)
                self.assertTrue(paimon_table.check(d, "big_orders", output)[1], name)
            pq.write_table(self.table().slice(0, 1), output)
            self.assertTrue(paimon_table.check(d, "big_orders", output)[1])


if __name__ == "__main__":
    unittest.main()
