"""A compiled file's `main`, called without TVM: see `tvmfuse.build.compiled_main`."""

from __future__ import annotations

import _ctypes
import ctypes
import itertools
import math
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from tvmfuse.arrays import ALIGNMENT, address, aligned, aligned_bytes, aligned_memory, numpy_dtype
from tvmfuse.errors import DamagedArtifactError
from tvmfuse.manifest import Manifest
from tvmfuse.narrow_types import stored_as
from tvmfuse.runtime.failures import DAMAGED, StoppedError
from tvmfuse.runtime.forking import STEPS
from tvmfuse.runtime.launcher import Launcher, share
from tvmfuse.runtime.threads import Workers
from tvmfuse.runtime.turns import Turns

#: What takes inputs, weights, results and memory for what lies between; and what takes inputs, and
#: numbers that it sets: see `tvmfuse.build.compiled_main`.
DIRECT: Final = "main_direct"
SIZES: Final = "main_direct_sizes"

#: How a library names the functions that are called by TVM's convention.
PREFIX: Final = "__tvm_ffi_"

#: Numbers that `SIZES` tells before the sizes of results: bytes between, blocks, and results.
BEFORE_SIZES: Final = 3

#: Bytes of a block's entry, at the beginning of what lies between: two tagged values, its address
#: and its bytes. The address is the second word.
ENTRY: Final = 32

CPU, TENSOR_POINTER = 1, 7


class _Tensor(ctypes.Structure):
    """DLPack's DLTensor."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("dtype", ctypes.c_int32),  # nobody looks at it
        ("sizes", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("offset", ctypes.c_uint64),
    )


class _Any(ctypes.Structure):
    """A tagged value, as TVM's functions take and give them."""

    _fields_ = (("tag", ctypes.c_int32), ("zero", ctypes.c_int32), ("value", ctypes.c_uint64))


_free: Final = ctypes.CDLL(None).free
_free.argtypes = (ctypes.c_void_p,)

_counter: Final = itertools.count(1)
_said: Final = threading.local()
_told_too: Final = list[Callable[[bytes, bytes], object]]()


@ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)
def _listen(kind: bytes, message: bytes) -> None:
    """Note what compiled code says as it fails."""
    _said.words = kind.decode(), message.decode(errors="replace")
    for tell in _told_too:
        tell(kind, message)


def tell_too(tell: Callable[[bytes, bytes], object]) -> None:
    """Have TVM told of errors, too: the launcher of loops may be that of a file opened here."""
    _told_too.append(tell)


def address_of(function: Any) -> int:
    """Return the address of a C function."""
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)


class Code:
    """A library that was loaded from memory: of a process's first one the launcher is used.

    Args:
        data: The library.
        name: For errors.

    Raises:
        DamagedArtifactError: The system's loader refuses it.
    """

    def __init__(self, data: bytes, name: str) -> None:
        try:
            with STEPS, os.fdopen(os.memfd_create("tvmfuse model"), "wb+") as file:
                file.write(data)
                file.flush()
                handle = _ctypes.dlopen(unique_path(file.fileno()), os.RTLD_NOW)
        except OSError as error:
            raise DamagedArtifactError(f"{name}: the system cannot load it: {error}") from error
        self._library = ctypes.CDLL(name, handle=handle)
        own = Launcher(self._handing_out)
        launcher = share(own)
        if launcher is not own:
            # Not as the process ends: a thread may be running it.
            weakref.finalize(self, _ctypes.dlclose, handle).atexit = False
        self._set("__TVMBackendParallelLaunch", launcher.launch)
        self._set("__TVMFFIErrorSetRaisedFromCStr", address_of(_listen))
        self.run, self.sizes = self._function(DIRECT), self._function(SIZES)

    def _function(self, name: str) -> Callable[..., int]:
        function = getattr(self._library, PREFIX + name)
        function.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
        found: Callable[..., int] = function
        return found

    def _handing_out(self, name: str) -> Callable[[], int]:
        """Return a function that takes nothing and returns an address."""
        function, result = self._function(name), _Any()

        def call() -> int:
            function(None, None, 0, ctypes.byref(result))
            return int(result.value)

        return call

    def _set(self, slot: str, address: int) -> None:
        ctypes.c_void_p.in_dll(self._library, slot).value = address


class CompiledMain:
    """A model's `main`, which can be called from any number of threads at once.

    Args:
        code: Its library.
        manifest: What it takes and gives.
        weights: Those of the file, the defaults of overridable inputs last; aligned.
        workers: Which threads compute.
    """

    def __init__(
        self, code: Code, manifest: Manifest, weights: Sequence[np.ndarray], workers: Workers
    ) -> None:
        self._code, self._manifest = code, manifest
        count = len(weights) - len(manifest.overridable)
        self._weights, self.defaults = weights[:count], weights[count:]
        self._turns, self._workers = Turns(self._make, workers), workers

    def run(self, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Run it.

        Args:
            inputs: Those of the model, then all overridable ones; checked, as kernels read them.

        Returns:
            The results, as kernels write them; they belong to the caller.

        Raises:
            StoppedError: It says what is wrong.
            MemoryError: There is none.
        """
        frame = self._turns.begun()
        try:
            _kept, results = frame.bind(inputs)
            return frame.run(results)
        finally:  # An error leaves a frame as good as it was.
            self._turns.ended(frame)

    def bound(self, inputs: Sequence[np.ndarray]) -> Callable[[], list[np.ndarray]]:
        """Return a function that runs it on inputs, and writes the results to one place each time.

        One thread at a time may call it.
        """
        frame, workers = self._make(), self._workers
        kept, results = frame.bind(inputs)

        def once() -> list[np.ndarray]:
            assert kept is not None  # it lasts as long as this function
            workers.use()
            return frame.run(results)

        return once

    def _make(self) -> _Frame:
        return _Frame(self._code, self._manifest, self._weights)


class _Frame:
    """What one call takes at a time: descriptions of tensors, and memory for what lies between."""

    def __init__(self, code: Code, manifest: Manifest, weights: Sequence[np.ndarray]) -> None:
        self._code, self._weights = code, weights
        self._between = np.empty(0, np.uint8)
        self._listed = 0  # bytes of the list of blocks
        given = (*manifest.inputs, *manifest.overridable)
        self._inputs, self._outputs = len(manifest.inputs), manifest.outputs
        count = len(given) + len(weights) + len(manifest.outputs) + 1
        self._tensors, self._args = (_Tensor * count)(), (_Any * count)()
        self._returned = ctypes.byref(_Any())
        first, each = ctypes.addressof(self._tensors), ctypes.sizeof(_Tensor)
        for place in range(count):
            self._args[place] = _Any(TENSOR_POINTER, 0, first + place * each)
            self._tensors[place].device_type = CPU
        self._kept = [*map(self._describe, range(len(given)), [spec.shape for spec in given])]
        for place, weight in enumerate(weights, len(given)):
            self._kept.append(self._describe(place, weight.shape))
            self._tensors[place].data = address(weight)
        ranks = [len(spec.shape) for spec in manifest.outputs]
        self._told = np.zeros(BEFORE_SIZES + sum(ranks), np.int64)
        self._first_output = len(given) + len(weights)
        begin = address(self._told) + BEFORE_SIZES * 8
        for place, rank in enumerate(ranks, self._first_output):
            tensor = self._tensors[place]
            tensor.rank, tensor.sizes = rank, begin
            begin += rank * 8
        self._shapes: list[tuple[int, ...]] | None = None  # those that results are known for
        self._results: list[tuple[np.dtype[Any], tuple[int, ...]]] = []

    def bind(
        self, inputs: Sequence[np.ndarray]
    ) -> tuple[Sequence[np.ndarray], list[np.ndarray | None]]:
        """Say where inputs lie, and find memory for results.

        Returns:
            The inputs, copies if need be, which have to last until the run has ended; and the
            results, None where data decide their sizes.
        """
        kept = [array if array.flags.carray else aligned(array) for array in inputs]
        shapes = [array.shape for array in inputs]
        if shapes != self._shapes:
            self._size(shapes)
        tensors = self._tensors
        for place, array in enumerate(kept):
            begin = address(array)
            if begin % ALIGNMENT:
                kept[place] = array = aligned(array)
                begin = address(array)
            tensors[place].data = begin
        results = list[np.ndarray | None]()
        for place, (dtype, shape) in enumerate(self._results, self._first_output):
            if is_late(shape):
                results.append(None)
                continue
            memory, tensors[place].data = aligned_memory(math.prod(shape) * dtype.itemsize)
            results.append(memory.view(dtype).reshape(shape))
        return kept, results

    def run(self, results: Sequence[np.ndarray | None]) -> list[np.ndarray]:
        """Run on what is bound; return the results, in what `bind` returned."""
        self._call(self._code.run, self._args, len(self._args))
        return [self._late(n) if made is None else made for n, made in enumerate(results)]

    def _describe(self, place: int, shape: Sequence[int | str]) -> Any:
        """Describe a tensor; return the memory of its sizes."""
        sizes = (ctypes.c_int64 * len(shape))(*(n if isinstance(n, int) else 0 for n in shape))
        tensor = self._tensors[place]
        tensor.rank, tensor.sizes = len(shape), ctypes.addressof(sizes)
        return sizes

    def _size(self, shapes: Sequence[tuple[int, ...]]) -> None:
        """Find out about the results, and find memory, for inputs of these shapes."""
        self._shapes = None
        for sizes, shape in zip(self._kept, shapes, strict=False):
            sizes[:] = shape
        told = _Tensor(data=address(self._told), device_type=CPU, rank=1)
        length = (ctypes.c_int64 * 1)(len(self._told))
        told.sizes = ctypes.addressof(length)
        args = (_Any * (self._inputs + 1))(*self._args[: self._inputs])
        args[self._inputs] = _Any(TENSOR_POINTER, 0, ctypes.addressof(told))
        self._call(self._code.sizes, args, len(args))
        between, blocks, count, *sizes = self._told.tolist()
        if count != len(self._outputs):
            raise StoppedError(DAMAGED, "the file states other results than its code has")
        self._grow(between, blocks * ENTRY)
        self._results = []
        for spec in self._outputs:
            shape, sizes = tuple(sizes[: len(spec.shape)]), sizes[len(spec.shape) :]
            self._results.append((numpy_dtype(stored_as(spec.dtype)), shape))
        self._shapes = [*shapes]

    def _grow(self, nbytes: int, listed: int) -> None:
        """See that there are so many bytes between, of which the first list blocks."""
        if nbytes > len(self._between):
            memory = aligned_bytes(nbytes)
            memory[:listed] = self._between[: self._listed] if self._listed else 0
            self._between, self._listed = memory, listed
        self._tensors[len(self._tensors) - 1].data = address(self._between)

    def _late(self, place: int) -> np.ndarray:
        """Return a copy of a result whose sizes the run told."""
        tensor, (dtype, shape) = self._tensors[self._first_output + place], self._results[place]
        sizes = tuple((ctypes.c_int64 * len(shape)).from_address(tensor.sizes))
        result = np.empty(sizes, dtype)
        if result.nbytes:
            ctypes.memmove(address(result), tensor.data, result.nbytes)
        return result

    def _call(self, function: Callable[..., int], args: Any, count: int) -> None:
        if function(None, args, count, self._returned):
            kind, words = _said.__dict__.pop("words", ("", "the model did not say why"))
            raise StoppedError(kind, words)

    def __del__(self) -> None:
        for block in self._between[: self._listed].view(np.uint64)[1::4]:
            _free(int(block))


def is_late(shape: Sequence[int]) -> bool:
    """Whether data decide a size of a result."""
    return -1 in shape


def unique_path(descriptor: int) -> str:
    """Return a path to an open file that no other library was ever opened by.

    The system's loader takes two libraries of one name for one, even when the file was replaced.
    So a number is spelled in the path, in slashes (0) and slashes with a dot (1).
    """
    bits = f"{next(_counter):b}"
    return f"/proc/self/fd{''.join('/.' if bit == '1' else '/' for bit in bits)}/{descriptor}"
