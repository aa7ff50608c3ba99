#!/usr/bin/env python3
"""LakeSoul's native reader. Track B: the Parquet files, which it merges by the order in which they are named."""

import os

import protocol
from protocol import NotSupported


def open_system(w):
    import importlib.metadata

    os.environ["LAKESOUL_IO_USE_V2_MERGE"] = "true"
    from lakesoul._lib import _reader

    if w.job != "dedup":
        raise NotSupported("its Python reader has the operator of the last value alone")
    if w.kind:
        raise NotSupported("it takes no row kinds")
    schema = w.result_schema()
    urls = ["file://" + path for path in w.paths]

    def run(take):
        take(_reader._sync_reader(65_536, w.threads, schema, urls, w.key, [], []))

    return importlib.metadata.version("lakesoul"), {"sync reader, V2": run}


if __name__ == "__main__":
    protocol.serve(open_system)
