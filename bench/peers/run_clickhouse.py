#!/usr/bin/env python3
"""ClickHouse, in process (chdb). Both tracks: a table of its own with one part a run, background merges stopped.

Results come as Arrow bytes when they are checked. When time counts they are made and dropped (FORMAT Null), which spares ClickHouse the
work of handing them over.
"""

import tempfile

import protocol
from protocol import NotSupported
from workload import RETRACTS

ENGINES = {"dedup": "ReplacingMergeTree", "partial": "CoalescingMergeTree", "agg": "AggregatingMergeTree"}
RUN = "__run"


def open_system(w):
    import chdb
    from chdb import session

    if w.job not in ENGINES:
        raise NotSupported(f"no engine for the job {w.job}")
    if w.track == "B":
        raise NotSupported("FINAL needs a table of its own")
    db = session.Session(tempfile.mkdtemp(prefix="clickhouse-", dir=w.dir))
    order = w.sequence or RUN
    version = f"({order})" if w.job == "dedup" else ""
    db.query(f"CREATE DATABASE IF NOT EXISTS d ENGINE = Atomic")
    db.query(f"CREATE TABLE d.t ({fields(w)}) ENGINE = {ENGINES[w.job]}{version} ORDER BY ({', '.join(map(ticked, w.key))}) "
             "SETTINGS default_compression_codec = 'NONE'")
    db.query("SYSTEM STOP MERGES d.t")
    names = ", ".join(map(ticked, w.schema().names))
    for number, path in enumerate(w.paths):
        kind = "Arrow" if w.format == "arrow" else "Parquet"
        extra, value = ("", "") if w.sequence else (f", {RUN}", f", {number}")
        db.query(f"INSERT INTO d.t ({names}{extra}) SELECT {names}{value} FROM file('{path}', {kind}) "
                 "SETTINGS optimize_on_insert = 0, max_insert_block_size = 100000000, min_insert_block_size_rows = 100000000, "
                 "min_insert_block_size_bytes = 0, max_insert_threads = 1, max_threads = 1")
    count = int(str(db.query("SELECT count() FROM d.t")).strip())
    if count != w.rows:
        raise RuntimeError(f"the table has {count} rows of {w.rows}")
    condition = f" WHERE {ticked(w.kind)} NOT IN {RETRACTS}" if w.kind else ""
    select = f"SELECT {', '.join(map(ticked, w.columns))} FROM d.t FINAL{condition}"
    sorted_by = f" ORDER BY {', '.join(map(ticked, w.key))}"
    return chdb.__version__, {"FINAL, ordered": form(db, select + sorted_by, w.threads), "FINAL": form(db, select, w.threads)}


def ticked(name):
    return "`" + name + "`"


def fields(w):
    out = []
    for f in w.schema():
        kind = sql_type(str(f.type))
        if f.nullable and not kind.startswith("Array") and f.name != w.sequence:
            kind = f"Nullable({kind})"
        if w.job == "agg" and f.name in w.values:
            kind = f"SimpleAggregateFunction({function(w.functions[f.name])}, {kind})"
        out.append(f"{ticked(f.name)} {kind}")
    if not w.sequence:
        out.append(f"{RUN} UInt32")
    return ", ".join(out)


def function(name):
    known = {"sum": "sum", "max": "max", "min": "min", "last_value": "anyLast"}
    if name not in known:
        raise NotSupported(f"no function {name}")
    return known[name]


def sql_type(arrow):
    simple = {"int8": "Int8", "int32": "Int32", "int64": "Int64", "bool": "Bool", "double": "Float64", "string": "String", "binary": "String",
              "date32[day]": "Date32", "timestamp[us]": "DateTime64(6)"}
    if arrow in simple:
        return simple[arrow]
    if arrow.startswith("decimal128"):
        return arrow.replace("decimal128", "Decimal")
    raise NotSupported(f"no type for {arrow}")


def form(db, sql, threads):
    settings = f" SETTINGS max_threads = {threads}, output_format_arrow_string_as_string = 1"

    def run(take):
        import pyarrow as pa
        from results import Drain

        if isinstance(take, Drain):
            db.query(sql + settings, "Null")
        else:
            take(pa.ipc.open_stream(pa.py_buffer(db.query(sql + settings, "ArrowStream").bytes())))
    return run


if __name__ == "__main__":
    protocol.serve(open_system)
