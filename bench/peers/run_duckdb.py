#!/usr/bin/env python3
"""DuckDB. Track A: a table in memory that holds all runs. Track B: the Parquet files."""

import protocol
import statements

RUN = "__run"  # the number of a run, for workloads without a sequence


def open_system(w):
    import duckdb

    db = duckdb.connect(config={"threads": w.threads, "preserve_insertion_order": False})
    order = statements.quoted(w.sequence or RUN)
    if w.track == "A":
        for number, table in enumerate(w.read()):
            db.register("run", table)
            select = "SELECT *" + ("" if w.sequence else f", {number}::INTEGER AS {RUN}") + " FROM run"
            db.execute(("CREATE TABLE t AS " if number == 0 else "INSERT INTO t ") + select)
            db.unregister("run")
    else:
        selects = [f"SELECT *" + ("" if w.sequence else f", {n}::INTEGER AS {RUN}") + f" FROM read_parquet('{p}')" for n, p in enumerate(w.paths)]
        db.execute("CREATE VIEW t AS " + " UNION ALL ".join(selects))
    forms = {name: form(db, sql) for name, sql in statements.duckdb(w, order).items()}
    return duckdb.__version__, forms


def form(db, sql):
    def run(take):
        reader = db.sql(sql).to_arrow_reader(122_880)
        take(reader)
    return run


if __name__ == "__main__":
    protocol.serve(open_system)
