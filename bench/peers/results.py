"""What becomes of a result: it is drained when time counts, and written down when its rows are checked."""

import ctypes
import os

import pyarrow as pa


class Drain:
    """Reads Arrow C streams to their end in C."""

    def __init__(self):
        path = os.environ["BRAID_DRAIN"]  # drain.c as a library
        if not os.path.exists(path):
            raise ImportError(f"no {os.path.basename(path)}; make peers builds it")
        self.call = ctypes.CDLL(path).braid_drain
        self.call.restype = ctypes.c_int64
        self.call.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_int64)]
        self.pointer = ctypes.pythonapi.PyCapsule_GetPointer
        self.pointer.restype = ctypes.c_void_p
        self.pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]

    def __call__(self, result):
        """Drains what has an Arrow C stream and returns its rows and bytes."""
        capsule = result.__arrow_c_stream__()
        count = ctypes.c_int64()
        rows = self.call(self.pointer(capsule, b"arrow_array_stream"), ctypes.byref(count))
        if rows < 0:
            raise RuntimeError("the stream failed" if rows == -1 else "a column has a type that is not known here")
        return rows, count.value


def write(result, schema, path):
    """Writes a result as an Arrow stream of the columns and types of schema."""
    reader = pa.RecordBatchReader.from_stream(result)
    with pa.OSFile(str(path), "wb") as f, pa.ipc.new_stream(f, schema) as writer:
        for batch in reader:
            columns = [batch.column(name).cast(schema.field(name).type) for name in schema.names]
            writer.write_batch(pa.record_batch(columns, schema=schema))
