#!/usr/bin/env python3
"""pypaimon. Track B: a Paimon table with one commit a run."""

import protocol


def open_system(w):
    import importlib.metadata

    import paimon_table
    import pypaimon

    options, name = paimon_table.make(w)
    table = pypaimon.CatalogFactory.create(options).get_table(name)

    def run(take):
        builder = table.new_read_builder()
        splits = builder.new_scan().plan().splits()
        take(builder.new_read().to_arrow(splits, parallelism=w.threads))

    return importlib.metadata.version("pypaimon"), {"to_arrow": run}


if __name__ == "__main__":
    protocol.serve(open_system)
