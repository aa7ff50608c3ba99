#!/usr/bin/env python3
"""pypaimon-rust. Track B: a Paimon table with one commit a run, which pypaimon writes."""

import protocol


def open_system(w):
    import importlib.metadata

    import paimon_table
    import pyarrow as pa
    from pypaimon_rust.datafusion import PaimonCatalog

    options, name = paimon_table.make(w)
    table = PaimonCatalog(options).get_table(name)

    def run(take):
        builder = table.new_read_builder()
        splits = builder.new_scan().plan().splits()
        batches = builder.new_read().read(splits)
        take(pa.RecordBatchReader.from_batches(batches[0].schema, batches))

    return importlib.metadata.version("pypaimon-rust"), {"read": run}


if __name__ == "__main__":
    protocol.serve(open_system)
