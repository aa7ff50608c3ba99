"""A Paimon table of a workload: one bucket, one commit a run, never compacted."""

import tempfile

from protocol import NotSupported

ENGINES = {"dedup": "deduplicate", "first": "first-row", "partial": "partial-update", "agg": "aggregation"}


def make(w):
    """Writes the table and returns the options of its catalog and its name."""
    import pypaimon

    if w.track != "B":
        raise NotSupported("it reads files")
    if w.job not in ENGINES or w.job == "first":
        raise NotSupported(f"the job {w.job} is not written here")
    if w.kind:
        raise NotSupported("its writer takes no row kinds")
    options = dict(w.options)
    options.update({
        "bucket": "1", "write-only": "true", "merge-engine": ENGINES[w.job], "file.format": "parquet",
        "file.compression": "zstd" if w.format == "zstd" else "none", "target-file-size": "64 gb",
    })
    catalog_options = {"warehouse": tempfile.mkdtemp(prefix="paimon-", dir=w.dir)}
    catalog = pypaimon.CatalogFactory.create(catalog_options)
    catalog.create_database("d", True)
    schema = pypaimon.Schema.from_pyarrow_schema(w.result_schema(), primary_keys=w.key, options=options)
    catalog.create_table("d.t", schema, False)
    table = catalog.get_table("d.t")
    for run in w.read():
        builder = table.new_batch_write_builder()
        write, commit = builder.new_write(), builder.new_commit()
        write.write_arrow(run.select(w.columns))
        commit.commit(write.prepare_commit())
        write.close()
        commit.close()
    return catalog_options, "d.t"
