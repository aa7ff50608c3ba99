"""The runs of a workload, as its workload.json describes them."""

import json
import pathlib

import pyarrow as pa
import pyarrow.parquet as pq

RETRACTS = (1, 3)  # row kinds -U and -D


class Workload:
    """A workload and the merge that is asked for."""

    def __init__(self, request):
        self.dir = pathlib.Path(request["dir"])
        self.job = request["job"]
        self.track = request["track"]  # A: from memory, B: from files
        self.format = request["format"]
        self.threads = request["threads"]
        manifest = json.loads((self.dir / "workload.json").read_text())
        self.key = manifest["key"]
        self.columns = [c["name"] for c in manifest["columns"]]
        self.values = [c for c in self.columns if c not in self.key]
        self.functions = {c["name"]: c.get("function", "") for c in manifest["columns"]}
        self.kind = manifest.get("kind")
        self.sequence = manifest.get("sequence")
        self.rows = manifest["rows"]
        self.paths = [str(self.dir / run["files"][self.format]) for run in manifest["runs"] if run["rows"]]
        self.options = manifest["jobs"][self.job]["options"]

    def schema(self):
        """The Arrow schema of the files."""
        if self.format == "arrow":
            with pa.OSFile(self.paths[0]) as f:
                return pa.ipc.open_file(f).schema
        return pq.read_schema(self.paths[0])

    def result_schema(self):
        """The Arrow schema of a result."""
        schema = self.schema()
        return pa.schema([schema.field(name) for name in self.columns])

    def tables(self):
        """The runs in memory, oldest first, each in one piece."""
        return [table.combine_chunks() for table in self.read()]

    def read(self):
        for path in self.paths:
            if self.format == "arrow":
                with pa.OSFile(path) as f:
                    yield pa.ipc.open_file(f).read_all()
            else:
                yield pq.read_table(path)

    def nullable(self, tables):
        """The value columns that have a NULL somewhere."""
        return [c for c in self.values if any(t.column(c).null_count for t in tables)]
