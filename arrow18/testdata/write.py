"""Writes the Parquet files of this directory with pyarrow (26.0): python3 write.py

The tests compute the same values by the same formulas: for row i of a column, number(i), real(i), word(i), ..., and NULL
where null(i). Every file stays below 20 KB.
"""

import decimal
import os

import pyarrow as pa
import pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))


def null(i):
    return i % 7 == 3


def number(i):
    return (i * 7919) % 1009 - 500


def real(i):
    return number(i) / 8


def word(i):
    return "row-%03d-%s" % (i % 50, "x" * (i % 4))


def nullable(values):
    return [None if null(i) else v for i, v in enumerate(values)]


def column(f, rows, kind):
    return pa.array(nullable(f(i) for i in range(rows)), kind)


def write(name, table, **options):
    options.setdefault("compression", "none")
    pq.write_table(table, os.path.join(HERE, name), **options)


def numbers(rows):
    return pa.table({
        "i32": column(number, rows, pa.int32()),
        "i64": pa.array([number(i) << 33 for i in range(rows)], pa.int64()),
        "f32": column(real, rows, pa.float32()),
        "f64": pa.array([real(i) for i in range(rows)], pa.float64()),
        "fixed": column(lambda i: b"%05d" % i, rows, pa.binary(5)),
    })


def strings(rows):
    return pa.table({
        "s": column(word, rows, pa.string()),
        "b": pa.array([word(i).encode() for i in range(rows)], pa.binary()),
    })


def nested(rows):
    def inner(i):
        return [None if k == 1 and i % 2 == 0 else number(i + k) for k in range(i % 4)]

    lists = [None if null(i) else [None if k == 2 else inner(i + k) for k in range(i % 5)] for i in range(rows)]
    structs = [None if null(i) else {"n": None if i % 5 == 1 else number(i), "in": {"s": word(i), "l": inner(i)}} for i in range(rows)]
    maps = [None if null(i) else [(word(i + k), None if k == 1 else real(i + k)) for k in range(i % 3)] for i in range(rows)]
    pairs = [None if null(i) else [{"k": word(i + k), "v": number(i + k)} for k in range(i % 3)] for i in range(rows)]
    return pa.table({
        "lists": pa.array(lists, pa.list_(pa.list_(pa.int32()))),
        "structs": pa.array(structs, pa.struct([("n", pa.int64()), ("in", pa.struct([("s", pa.string()), ("l", pa.list_(pa.int32()))]))])),
        "maps": pa.array(maps, pa.map_(pa.string(), pa.float64())),
        "pairs": pa.array(pairs, pa.list_(pa.struct([("k", pa.string()), ("v", pa.int64())]))),
    })


def fixed_lists(rows):
    pairs = [None if i % 3 == 1 else [number(i), None if i % 5 == 2 else number(i + 1)] for i in range(rows)]
    deep = [None if null(i) else [None if k == 1 else [word(i + k), word(i + k + 1)] for k in range(i % 3)] for i in range(rows)]
    return pa.table({
        "pairs": pa.array(pairs, pa.list_(pa.int32(), 2)),
        "full": pa.array([[number(i + k) for k in range(3)] for i in range(rows)], pa.list_(pa.int64(), 3)),
        "deep": pa.array(deep, pa.list_(pa.list_(pa.string(), 2))),
        "none": pa.array([None] * rows, pa.list_(pa.int32(), 4)),
    })


def decimals(rows):
    def scaled(scale, times):
        return lambda i: decimal.Decimal(number(i) * times).scaleb(-scale, decimal.Context(prec=80))

    return pa.table({
        "d9": column(scaled(2, 1), rows, pa.decimal128(9, 2)),
        "d18": column(scaled(4, 10**12 + 1), rows, pa.decimal128(18, 4)),
        "d38": column(scaled(10, 10**32 + 7), rows, pa.decimal128(38, 10)),
        "d76": column(scaled(20, 10**70 + 7), rows, pa.decimal256(76, 20)),
    })


def instants(rows):
    def at(i):
        return number(i) * 86_400_000_000_000 + i * 1001

    return pa.table({
        "ts": column(at, rows, pa.timestamp("ns")),
        "zoned": column(at, rows, pa.timestamp("ns", "Europe/Paris")),
        "list": pa.array([None if null(i) else [at(i + k) for k in range(i % 3)] for i in range(rows)], pa.list_(pa.timestamp("ns"))),
    })


def types(rows):
    small = lambda i: number(i) % 100
    return pa.table({
        "bool": column(lambda i: number(i) % 3 == 0, rows, pa.bool_()),
        "i8": column(lambda i: small(i) - 50, rows, pa.int8()),
        "i16": column(number, rows, pa.int16()),
        "u8": column(small, rows, pa.uint8()),
        "u16": column(lambda i: small(i) + 60_000, rows, pa.uint16()),
        "u32": column(lambda i: small(i) + 4_000_000_000, rows, pa.uint32()),
        "u64": column(lambda i: small(i) + (1 << 63), rows, pa.uint64()),
        "f16": pa.array(nullable(real(i) for i in range(rows)), pa.float32()).cast(pa.float16()),
        "date32": column(number, rows, pa.date32()),
        "date64": column(lambda i: number(i) * 86_400_000, rows, pa.date64()),
        "time_ms": column(small, rows, pa.time32("ms")),
        "time_us": column(small, rows, pa.time64("us")),
        "time_ns": column(small, rows, pa.time64("ns")),
        "ts_ms": column(number, rows, pa.timestamp("ms")),
        "ts_us": column(number, rows, pa.timestamp("us", "UTC")),
        "ts_ns": column(number, rows, pa.timestamp("ns", "Europe/Paris")),
        "duration": column(number, rows, pa.duration("us")),
        "durations": pa.array([None if null(i) else [number(i)] * (i % 3) for i in range(rows)], pa.list_(pa.duration("s"))),
        "dictionary": column(word, rows, pa.string()).dictionary_encode().cast(pa.dictionary(pa.int8(), pa.string())),
        "large": column(word, rows, pa.large_string()),
        "large_list": pa.array([None if null(i) else [number(i)] * (i % 3) for i in range(rows)], pa.large_list(pa.int32())),
        "null": pa.nulls(rows),
    })


def dictionaries(rows):
    kind = pa.dictionary(pa.int16(), pa.string())
    return pa.table({
        "few": column(lambda i: word(i % 3), rows, pa.string()).dictionary_encode().cast(kind),
        "many": pa.array([word(i) + str(i) for i in range(rows)], pa.string()).dictionary_encode().cast(kind),
        "bytes": column(lambda i: word(i).encode(), rows, pa.binary()).dictionary_encode(),
    })


def main():
    plain = dict(use_dictionary=False)
    write("byte_stream_split.parquet", numbers(200), row_group_size=120, column_encoding={c: "BYTE_STREAM_SPLIT" for c in ("i32", "i64", "f32", "f64", "fixed")}, **plain)
    write("delta_binary_packed.parquet", numbers(400).select(["i32", "i64"]), row_group_size=150, data_page_size=200, write_batch_size=50, column_encoding={"i32": "DELTA_BINARY_PACKED", "i64": "DELTA_BINARY_PACKED"}, **plain)
    write("delta_strings.parquet", strings(300), row_group_size=130, data_page_size=500, write_batch_size=40, column_encoding={"s": "DELTA_BYTE_ARRAY", "b": "DELTA_LENGTH_BYTE_ARRAY"}, **plain)
    write("delta_strings_zstd.parquet", strings(300), compression="zstd", data_page_version="2.0", data_page_size=500, write_batch_size=40, column_encoding={"s": "DELTA_LENGTH_BYTE_ARRAY", "b": "DELTA_BYTE_ARRAY"}, **plain)
    write("dictionary_then_plain.parquet", strings(300), dictionary_pagesize_limit=300, data_page_size=300, write_batch_size=30)
    for codec in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
        write("codec_%s.parquet" % codec, strings(300), compression=codec, data_page_size=1000, write_batch_size=50)
    write("pages_v2.parquet", nested(100), data_page_version="2.0", compression="snappy", data_page_size=300, write_batch_size=20)
    write("nested.parquet", nested(100), row_group_size=60, data_page_size=300, write_batch_size=20)
    write("fixed_lists.parquet", fixed_lists(150), row_group_size=100)
    write("decimals.parquet", decimals(120))
    write("decimals_as_integers.parquet", decimals(120).select(["d9", "d18", "d38"]), store_decimal_as_integer=True)
    write("int96.parquet", instants(80), use_deprecated_int96_timestamps=True)
    write("int96_without_schema.parquet", instants(80), use_deprecated_int96_timestamps=True, store_schema=False)
    write("types.parquet", types(90), row_group_size=50, compression="zstd", data_page_version="2.0")
    write("dictionaries.parquet", dictionaries(200), row_group_size=120, data_page_size=300, write_batch_size=30)
    write("dictionaries_then_plain.parquet", dictionaries(200), dictionary_pagesize_limit=300, data_page_size=300, write_batch_size=30)
    write("dictionaries_plain.parquet", dictionaries(200), **plain)
    write("large_utf8_without_schema.parquet", types(90).select(["large"]), store_schema=False)
    write("page_index_and_checksums.parquet", numbers(200), row_group_size=70, write_page_index=True, write_page_checksum=True)
    write("zero_rows.parquet", nested(0))
    schema = pa.schema([pa.field("a", pa.int32(), False, {"PARQUET:field_id": "3"}), pa.field("s", pa.struct([pa.field("b", pa.string(), True, {"PARQUET:field_id": "5"})]))])
    write("field_ids.parquet", pa.table([pa.array([1, 2], pa.int32()), pa.array([{"b": "x"}, None], schema.field(1).type)], schema=schema))
    with pq.ParquetWriter(os.path.join(HERE, "zero_groups.parquet"), numbers(0).schema, compression="none"):
        pass
    write("same_names.parquet", pa.Table.from_arrays([pa.array([1, 2]), pa.array(["x", "y"]), pa.array([1.5, 2.5])], ["a", "b", "a"]))


main()
