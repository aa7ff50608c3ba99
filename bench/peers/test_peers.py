#!/usr/bin/env python3
"""Tests of what the runners share. BRAID_DRAIN names the library made of drain.c."""

import decimal
import os
import tempfile
import unittest

import pyarrow as pa

from results import Drain, write

COLUMNS = {
    "int8": pa.array([1, None, 3], pa.int8()),
    "int64": pa.array([1, None, 3], pa.int64()),
    "bool": pa.array([True, None, False]),
    "double": pa.array([1.5, None, -0.0]),
    "text": pa.array(["a", None, "longer than twelve bytes"]),
    "large": pa.array(["a", None, "b" * 1000], pa.large_string()),
    "view": pa.array(["a", None, "longer than twelve bytes"], pa.string_view()),
    "binary": pa.array([b"a", None, b""]),
    "decimal": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("2.25")], pa.decimal128(20, 2)),
    "date": pa.array([1, None, 2], pa.date32()),
    "timestamp": pa.array([1, None, 2], pa.timestamp("us")),
    "list": pa.array([[1, 2], None, []], pa.list_(pa.int64())),
    "struct": pa.array([{"a": 1, "b": "x"}, None, {"a": 2, "b": None}]),
    "dictionary": pa.array(["x", None, "x"]).dictionary_encode(),
    "null": pa.nulls(3),
}


class DrainTest(unittest.TestCase):
    def test_every_type(self):
        table = pa.table(COLUMNS)
        for rows in (table, pa.concat_tables([table] * 3), table.slice(1, 1), table.slice(3)):
            count, _ = Drain()(rows)
            self.assertEqual(count, rows.num_rows)

    def test_bytes_are_those_of_the_rows(self):
        table = pa.table({"v": pa.array(range(100_000), pa.int64())})
        self.assertEqual(Drain()(table), (100_000, 800_000))
        self.assertEqual(Drain()(table.slice(50_000)), (50_000, 400_000))
        text = pa.table({"v": pa.array(["x" * 10] * 1000)})
        self.assertEqual(Drain()(text), (1000, 10_000 + 4 * 1001))

    def test_an_error_is_one(self):
        def batches():
            yield pa.record_batch({"v": pa.array([1])})
            raise ValueError("no more")

        reader = pa.RecordBatchReader.from_batches(pa.schema([("v", pa.int64())]), batches())
        with self.assertRaises(RuntimeError):
            Drain()(reader)


class WriteTest(unittest.TestCase):
    def test_columns_and_types_are_those_asked_for(self):
        schema = pa.schema([("b", pa.string()), ("a", pa.int64())])
        result = pa.table({"a": pa.array([1, None], pa.int32()), "more": [1, 2], "b": pa.array(["x", None], pa.string_view())})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "result")
            write(result, schema, path)
            with pa.OSFile(path) as f:
                self.assertEqual(pa.ipc.open_stream(f).read_all(), pa.table({"b": ["x", None], "a": pa.array([1, None], pa.int64())}))


if __name__ == "__main__":
    unittest.main()
