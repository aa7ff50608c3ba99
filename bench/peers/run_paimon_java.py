#!/usr/bin/env python3
"""Paimon's Java reader. Track B: a Paimon table with one commit a run, which pypaimon writes.

Its result is rows, not Arrow: when time counts, every field of every row is read and dropped, which spares it the making of columns. When
it is checked, it writes its columns as plain files. The clock and the peak of memory are those of the Java process, after the rounds that
warm it up.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile

import protocol
from protocol import NotSupported

WARM = 3  # rounds before the first that counts


def open_system(w):
    import paimon_table

    home = pathlib.Path(os.environ["BRAID_DRAIN"]).with_name("paimon-java")
    if not (home / "lib").is_dir() or shutil.which("java") is None:
        raise ImportError("no Java, or no classes; make peers builds them where Maven is")
    if w.threads != 1:
        raise NotSupported("one bucket is read by one thread")
    options, _ = paimon_table.make(w)
    location = os.path.join(options["warehouse"], "d.db", "t")
    classes = f"{home / 'classes'}:{home / 'lib'}/*"
    java = Java(["java", "-Xmx4g", "-XX:+UseSerialGC", "-cp", classes, "braid.Runner", location], w)
    version = next(p.name for p in (home / "lib").glob("paimon-bundle-*.jar"))
    return version.removeprefix("paimon-bundle-").removesuffix(".jar"), {"rows": java}


class Java:
    """The Java process, a form that keeps its own time."""

    def __init__(self, command, w):
        self.w = w
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.warm = False

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"Java ended with exit code {self.process.wait()}")
        return [int(n) for n in answer.split()]

    def __call__(self, take):
        """Writes the columns down and gives them as a table."""
        folder = tempfile.mkdtemp(prefix="columns-", dir=self.w.dir)
        try:
            rows, = self.ask("check " + folder)
            take(table(self.w.result_schema(), rows, pathlib.Path(folder)))
        finally:
            shutil.rmtree(folder)

    def timed(self):
        if not self.warm:
            for _ in range(WARM):
                self.ask("time")
            self.warm = True
        _, wall, cpu = self.ask("time")
        return wall, cpu

    def memory(self, name):
        return protocol.status(name, self.process.pid)


def table(schema, rows, folder):
    """Makes a table of the files of columns."""
    import pyarrow as pa

    return pa.table([column(field.type, rows, folder, i) for i, field in enumerate(schema)], schema=schema)


def column(kind, rows, folder, i):
    import numpy as np
    import pyarrow as pa

    valid = np.fromfile(folder / f"{i}.valid", np.uint8).astype(bool)
    numbers = np.fromfile(folder / f"{i}.number", "<i8")
    if len(valid) != rows or len(numbers) != rows:
        raise RuntimeError(f"column {i} has {len(valid)} values of {rows}")
    if kind in (pa.string(), pa.binary()):
        bitmap = pa.py_buffer(np.packbits(valid, bitorder="little").tobytes())
        offsets = pa.py_buffer(np.concatenate([[0], numbers]).astype("<i4").tobytes())
        data = pa.py_buffer((folder / f"{i}.data").read_bytes())
        return pa.Array.from_buffers(kind, rows, [bitmap, offsets, data])
    if pa.types.is_decimal(kind):
        wide = np.stack([numbers, numbers >> 63], axis=1)  # the high half has the sign
        bitmap = pa.py_buffer(np.packbits(valid, bitorder="little").tobytes())
        return pa.Array.from_buffers(kind, rows, [bitmap, pa.py_buffer(wide.tobytes())])
    if kind == pa.float64():
        return pa.array(numbers.view(np.float64), kind, mask=~valid)
    return pa.array(numbers, pa.int64(), mask=~valid).cast(pa.int32() if kind == pa.date32() else pa.int64()).cast(kind)


if __name__ == "__main__":
    protocol.serve(open_system)
