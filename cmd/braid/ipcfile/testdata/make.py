"""Writes the files of this directory with pyarrow: every layout of the format as another implementation writes it.

    python make.py

layouts.jsonl is what is in layouts-*.arrow and layouts-*.arrows, dictionaries.jsonl what is in dictionaries.arrows, whose
dictionary is extended and replaced on the way.
"""

import datetime
import decimal
import json
import random

import pyarrow as pa
import pyarrow.ipc as ipc

ROWS = 60
r = random.Random(7)


def values(make):
    return [None if r.random() < 0.25 else make(i) for i in range(ROWS)]


def entries(i):
    return [("k%d" % j, None if j == 1 else j) for j in range(r.randrange(3))]


columns = {
    "id": pa.array(range(ROWS), pa.int64()),
    "nothing": pa.nulls(ROWS),
    "flag": pa.array(values(lambda i: r.random() < 0.5), pa.bool_()),
    "tiny": pa.array(values(lambda i: r.randrange(-128, 128)), pa.int8()),
    "half": pa.array(values(lambda i: r.randrange(2**16)), pa.uint16()),
    "real": pa.array(values(lambda i: (2 * r.randrange(1000) + 1) / 16), pa.float32()),
    "price": pa.array(values(lambda i: decimal.Decimal(r.randrange(10**6)) / 100), pa.decimal128(12, 2)),
    "huge": pa.array(values(lambda i: decimal.Decimal(r.randrange(10**60))), pa.decimal256(70, 0)),
    "text": pa.array(values(lambda i: "t" * r.randrange(20) + str(i)), pa.string()),
    "long": pa.array(values(lambda i: "l%d" % i), pa.large_string()),
    "view": pa.array(values(lambda i: "v" * r.randrange(30) + str(i)), pa.string_view()),
    "fixed": pa.array(values(lambda i: bytes([i, 255 - i, 0])), pa.binary(3)),
    "day": pa.array(values(lambda i: datetime.date(2001, 2, 3) + datetime.timedelta(days=i)), pa.date32()),
    "at": pa.array(values(lambda i: datetime.datetime(2001, 2, 3, 4, 5, i)), pa.timestamp("us")),
    "list": pa.array(values(lambda i: [None if r.random() < 0.2 else r.randrange(9) for _ in range(r.randrange(4))]), pa.list_(pa.int32())),
    "listview": pa.array(values(lambda i: [r.randrange(9) for _ in range(r.randrange(4))]), pa.list_view(pa.int32())),
    "pair": pa.array(values(lambda i: [i, -i]), pa.list_(pa.int16(), 2)),
    "row": pa.array(values(lambda i: {"a": i, "b": [str(i)]}), pa.struct([("a", pa.int8()), ("b", pa.list_(pa.string()))])),
    "map": pa.array(values(entries), pa.map_(pa.string(), pa.int64())),
    "word": pa.array(values(lambda i: "w%d" % r.randrange(4)), pa.string()).dictionary_encode(),
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([10, 25, ROWS], pa.int32()), pa.array(["a", None, "b"])),
}


def shown(column):
    """A value as JSON lines have it."""

    def show(value):
        if isinstance(value, decimal.Decimal):
            scale = column.type.scale
            return f"{value:.{scale}f}"
        if isinstance(value, datetime.datetime):
            return value.isoformat()
        if isinstance(value, datetime.date):
            return value.isoformat()
        if isinstance(value, bytes):
            import base64

            return base64.b64encode(value).decode()
        if pa.types.is_map(column.type) and value is not None:
            return [{"key": k, "value": v} for k, v in value]
        return value

    return [show(v) for v in column.to_pylist()]


def write_lines(path, table):
    lists = {name: shown(table.column(name).combine_chunks() if isinstance(table.column(name), pa.ChunkedArray) else table.column(name)) for name in table.column_names}
    with open(path, "w") as f:
        for i in range(table.num_rows):
            f.write(json.dumps({name: lists[name][i] for name in lists}, separators=(",", ":"), ensure_ascii=False) + "\n")


layouts = pa.table(columns)
write_lines("layouts.jsonl", pa.table({n: (c.cast(pa.string()) if n == "word" else c) for n, c in columns.items()}))
for compression in [None, "lz4", "zstd"]:
    options = ipc.IpcWriteOptions(compression=compression)
    name = compression or "plain"
    with ipc.new_file(f"layouts-{name}.arrow", layouts.schema, options=options) as w:
        w.write_table(layouts, max_chunksize=25)
    with ipc.new_stream(f"layouts-{name}.arrows", layouts.schema, options=options) as w:
        w.write_table(layouts, max_chunksize=25)

batches = []
for words in [["a", "b"], ["a", "b", "c"], ["z", "y"]]:
    indices = pa.array([r.randrange(len(words)) if r.random() < 0.8 else None for _ in range(5)], pa.int8())
    batches.append(pa.record_batch({"word": pa.DictionaryArray.from_arrays(indices, pa.array(words))}))
with ipc.new_stream("dictionaries.arrows", batches[0].schema, options=ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as w:
    for batch in batches:
        w.write_batch(batch)
with open("dictionaries.jsonl", "w") as f:
    for batch in batches:
        for value in batch.column(0).to_pylist():
            f.write(json.dumps({"word": value}, separators=(",", ":")) + "\n")
