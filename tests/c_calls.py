"""Calls the C library by ctypes, as a program in C calls it; see `tests/c`."""

import ctypes
import os
import sys
from collections.abc import Sequence
from ctypes import POINTER, byref, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_uint16, c_void_p
from typing import Any

import numpy as np

__all__ = ["Model", "Options", "Tensor", "aligned", "c", "check", "ctypes", "error", "np", "os"]
__all__ += ["array_of", "arrays_of", "bits", "status_of", "sys", "tensors"]

OK, INVALID, CANNOT_READ, DAMAGED, INCOMPATIBLE, FAILED = range(6)
__all__ += ["CANNOT_READ", "DAMAGED", "FAILED", "INCOMPATIBLE", "INVALID", "OK"]

CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
KINDS = {0: "int", 1: "uint", 2: "float"}


class DType(ctypes.Structure):
    _fields_ = [("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("dtype", DType),
        ("rank", c_int32),
        ("sizes", POINTER(c_int64)),
    ]


class Spec(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_char_p),
        ("dtype", DType),
        ("rank", c_int32),
        ("sizes", POINTER(c_int64)),
        ("names", POINTER(c_char_p)),
    ]


class Options(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("threads", c_int32), ("check_digest", c_int32)]


FindMemory = ctypes.CFUNCTYPE(ctypes.c_int, c_void_p, c_int32, POINTER(Tensor))
__all__ += ["FindMemory"]

c = ctypes.CDLL(os.environ["TVMFUSE_C_LIBRARY"])
for name in ("last_error", "manifest", "level"):
    getattr(c, f"tvmfuse_{name}").restype = c_char_p
c.tvmfuse_allocate.argtypes, c.tvmfuse_allocate.restype = [c_size_t], c_void_p
TENSORS: list[Any] = [POINTER(Tensor), c_int32, POINTER(Tensor), c_int32]
c.tvmfuse_open.argtypes = [c_char_p, POINTER(Options), POINTER(c_void_p)]
c.tvmfuse_open_memory.argtypes = [c_void_p, c_size_t, POINTER(Options), POINTER(c_void_p)]
for name in "close manifest level free run_bound unbind".split():
    getattr(c, f"tvmfuse_{name}").argtypes = [c_void_p]
for name in ("input", "output", "overridable"):
    getattr(c, f"tvmfuse_{name}_count").argtypes = [c_void_p]
    getattr(c, f"tvmfuse_{name}").argtypes = [c_void_p, c_int32, POINTER(Spec)]
c.tvmfuse_shared_input.argtypes = [c_void_p, c_int32]
c.tvmfuse_run.argtypes = [c_void_p, *TENSORS]
c.tvmfuse_run_into.argtypes = [c_void_p, POINTER(Tensor), c_int32, FindMemory, c_void_p]
c.tvmfuse_bind.argtypes = [c_void_p, *TENSORS, POINTER(c_void_p)]


def error() -> str:
    """Return the text of this thread's last failure."""
    return str(c.tvmfuse_last_error().decode())


def check(status: int) -> None:
    """Fail where a function did."""
    assert status == OK, (status, error())


def aligned(array: np.ndarray, off: int = 0) -> np.ndarray:
    """Return a copy that begins so many bytes behind a multiple of 64."""
    memory = np.empty(array.nbytes + 128, np.uint8)
    begin = -memory.ctypes.data % 64 + off
    copy = memory[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def tensor(array: np.ndarray) -> Tensor:
    """Describe an array; the description keeps it."""
    sizes = (c_int64 * array.ndim)(*array.shape)
    dtype = DType(CODES[array.dtype.kind], 8 * array.itemsize, 1)
    made = Tensor(array.ctypes.data, dtype, array.ndim, sizes)
    made.kept = array, sizes
    return made


def tensors(arrays: Sequence[np.ndarray]) -> Any:
    """Describe arrays."""
    made = [tensor(array) for array in arrays]
    listed: Any = (Tensor * len(made))(*made)
    listed.kept = made
    return listed


def array_of(found: Tensor) -> np.ndarray:
    """Return a copy of a result."""
    code, count = found.dtype.code, found.dtype.bits
    dtype = np.dtype("bool" if code == 6 else f"{KINDS[code]}{count}")
    shape = tuple(found.sizes[axis] for axis in range(found.rank))
    nbytes = int(np.prod(shape)) * dtype.itemsize
    return np.frombuffer(ctypes.string_at(found.data, nbytes), dtype).reshape(shape)


def bits(arrays: Sequence[np.ndarray]) -> list[tuple[str, tuple[int, ...], bytes]]:
    """Return what has to be equal where arrays have the same bits."""
    return [(array.dtype.name, array.shape, array.tobytes()) for array in arrays]


def status_of(path: str | bytes, options: Options | None = None) -> int:
    """Open a file, run it on zeros, close it; return the first status that is not OK, or OK."""
    try:
        model = Model(path, options)
    except OSError as failed:
        return int(failed.args[0])
    inputs = [np.zeros(tuple(map(int, shape)), dtype) for _, dtype, shape in model.inputs]
    outputs = (Tensor * len(model.outputs))()
    status = model.status(tensors(inputs), outputs)
    for output in outputs:
        c.tvmfuse_free(output.data)
    model.close()
    return status


class Model:
    """A model that is open.

    Args:
        file: Its path, or its bytes.
        options: None for the defaults.

    Attributes:
        inputs: Each one's name, dtype and shape.
        outputs: The same.
        overridable: The same, of inputs that have a default.
        shared: For each output the input whose memory it may take, or -1.
    """

    def __init__(self, file: str | bytes, options: Options | None = None) -> None:
        self.handle = c_void_p()
        given = None if options is None else byref(options)
        if isinstance(file, bytes):
            self._memory = aligned(np.frombuffer(file, np.uint8))
            where = self._memory.ctypes.data, len(file)
            status = c.tvmfuse_open_memory(*where, given, byref(self.handle))
        else:
            status = c.tvmfuse_open(file.encode(), given, byref(self.handle))
        if status:
            assert self.handle.value is None
            assert error()
            raise OSError(status, error())
        self.inputs = [self._described("input", i) for i in range(self._count("input"))]
        self.outputs = [self._described("output", i) for i in range(self._count("output"))]
        count = self._count("overridable")
        self.overridable = [self._described("overridable", i) for i in range(count)]
        places = range(len(self.outputs))
        self.shared = [int(c.tvmfuse_shared_input(self.handle, place)) for place in places]

    def _count(self, what: str) -> int:
        return int(getattr(c, f"tvmfuse_{what}_count")(self.handle))

    def _described(self, what: str, place: int) -> tuple[str, str, tuple[int | str, ...]]:
        spec = Spec()
        check(getattr(c, f"tvmfuse_{what}")(self.handle, place, byref(spec)))
        shape = [spec.sizes[axis] for axis in range(spec.rank)]
        names = [spec.names[axis] for axis in range(spec.rank)]
        said = [n.decode() if size == -1 else size for n, size in zip(names, shape, strict=True)]
        return spec.name.decode(), spec.type.decode(), tuple(said)

    def status(self, inputs: Any, outputs: Any) -> int:
        """Run on tensors; return the status."""
        return int(c.tvmfuse_run(self.handle, inputs, len(inputs), outputs, len(outputs)))

    def run(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Run on arrays; return the outputs, which the library allocates."""
        outputs = (Tensor * len(self.outputs))()
        check(self.status(tensors(arrays), outputs))
        assert all(output.data % 64 == 0 for output in outputs)
        found = [array_of(output) for output in outputs]
        for output in outputs:
            c.tvmfuse_free(output.data)
        return found

    def bind(self, inputs: Any, outputs: Any) -> c_void_p:
        """Bind tensors."""
        bound = c_void_p()
        count = len(inputs), len(outputs)
        check(c.tvmfuse_bind(self.handle, inputs, count[0], outputs, count[1], byref(bound)))
        return bound

    def close(self) -> None:
        """Close it."""
        c.tvmfuse_close(self.handle)


def arrays_of(file: str, model: Model) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the inputs and outputs that a file of numpy's keeps of a run in Python."""
    kept = np.load(file)
    arrays = [kept[f"arr_{place}"] for place in range(len(kept))]
    return arrays[: len(model.inputs)], arrays[len(model.inputs) :]
