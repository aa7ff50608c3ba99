#!/usr/bin/env python3
"""DataFusion. Track A: Arrow files, which it reads from the page cache with hardly any work. Track B: the Parquet files.

Files are declared in the order of the key and the sequence, a partition each, so that they are merged and not sorted.
"""

import os
import tempfile

import protocol
import statements
from protocol import NotSupported


def open_system(w):
    import datafusion

    if w.sequence is None:
        raise NotSupported("files have an order of columns, and the workload has no sequence")
    config = (datafusion.SessionConfig()
              .with_target_partitions(len(w.paths))
              .with_repartition_file_scans(False).with_repartition_joins(False)
              .with_repartition_aggregations(False).with_repartition_windows(False).with_repartition_sorts(False)
              .set("datafusion.sql_parser.map_string_types_to_utf8view", "false")
              .set("datafusion.execution.parquet.schema_force_view_types", "false"))
    context = datafusion.SessionContext(config)
    order = ", ".join(f"{c} ASC" for c in map(statements.quoted, w.key + [w.sequence]))
    extension = "arrow" if w.format == "arrow" else "parquet"
    # All files of a folder are of one table, so the runs of this format get one of their own.
    folder = tempfile.mkdtemp(prefix="runs-", dir=w.dir)
    for path in w.paths:
        os.symlink(path, os.path.join(folder, os.path.basename(path)))
    context.sql(f"CREATE EXTERNAL TABLE t ({fields(w)}) STORED AS {extension.upper()} WITH ORDER ({order}) LOCATION '{folder}/'")
    forms = {name: form(context, sql) for name, sql in statements.datafusion(w, statements.quoted(w.sequence)).items()}
    return datafusion.__version__, forms


def fields(w):
    """The columns of the files as SQL declares them, which WITH ORDER asks for."""
    return ", ".join(f"{statements.quoted(f.name)} {sql_type(str(f.type))}{'' if f.nullable else ' NOT NULL'}" for f in w.schema())


def sql_type(arrow):
    simple = {"int8": "TINYINT", "int32": "INT", "int64": "BIGINT", "bool": "BOOLEAN", "double": "DOUBLE", "string": "VARCHAR",
              "binary": "BYTEA", "date32[day]": "DATE", "timestamp[us]": "TIMESTAMP(6)"}
    if arrow in simple:
        return simple[arrow]
    if arrow.startswith("decimal128"):
        return arrow.replace("decimal128", "DECIMAL")
    raise NotSupported(f"no SQL name for the type {arrow}")


def form(context, sql):
    def run(take):
        take(context.sql(sql))
    return run


if __name__ == "__main__":
    protocol.serve(open_system)
