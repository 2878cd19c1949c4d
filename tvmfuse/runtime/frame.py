"""The arguments of a run of a compiled `main`: descriptions of tensors, and memory between."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeAlias

import numpy as np

from tvmfuse.arrays import address, aligned_bytes, numpy_dtype, type_code
from tvmfuse.manifest import Manifest
from tvmfuse.narrow_types import stored_as
from tvmfuse.runtime.failures import DAMAGED, StoppedError
from tvmfuse.runtime.functions import IN_PLACE, MAIN, SIZES, Functions
from tvmfuse.runtime.structures import CPU, TENSOR, DLTensor, TaggedValue

#: Numbers that `SIZES` tells before the sizes of results: bytes between, blocks, and results.
BEFORE_SIZES: Final = 3

#: Bytes of a block's entry, at the beginning of what lies between: two tagged values, its address
#: and its bytes. The address is the second word.
ENTRY: Final = 32

Located: TypeAlias = tuple[int, tuple[int, ...]]
"""Where a contiguous tensor begins, at a multiple of 64, and its shape."""

Make: TypeAlias = Callable[[int, Sequence[int]], tuple[Any, int]]
"""Returns a new tensor for the result of some place, of a shape, and where it begins."""


class Weights(Protocol):
    """The weights of a model, which may change their places.

    Attributes:
        version: How often one has.
        dtypes: Of each, as kernels read it.
    """

    version: int
    dtypes: Sequence[str]

    @property
    def arrays(self) -> Sequence[np.ndarray]:
        """All of them, where they lie now."""

    def located(self) -> Sequence[Located]:
        """Return where they lie."""


_free: Final = ctypes.CDLL(None).free
_free.argtypes = (ctypes.c_void_p,)


class Frame:
    """Descriptions of all tensors, and memory for what lies between; for one run at a time.

    Args:
        functions: What runs.
        manifest: What it takes and gives.
        weights: Of it, without the defaults of overridable inputs.
        share: Whether some results are written into the memory of inputs.
    """

    def __init__(
        self, functions: Functions, manifest: Manifest, weights: Weights, *, share: bool
    ) -> None:
        self._between = np.empty(0, np.uint8)
        self._listed = 0  # bytes of the list of blocks
        name = IN_PLACE if share else MAIN
        self._main, self._sizes = functions.function(name), functions.function(f"{name}{SIZES}")
        names = [spec.name for spec in manifest.outputs]
        self._shared = {names.index(name) for name in manifest.shared} if share else set[int]()
        given = (*manifest.inputs, *manifest.overridable)
        results = [stored_as(spec.dtype) for spec in manifest.outputs]
        self._itemsizes = [numpy_dtype(name).itemsize for name in results]
        self._inputs, self._outputs = len(manifest.inputs), manifest.outputs
        self._weights, self._version, lie = weights, weights.version, weights.located()
        self._first_weight, self._first_output = len(given), len(given) + len(lie)
        count = self._first_output + len(manifest.outputs) + 1
        self._tensors, self._args = [*(DLTensor * count)()], (TaggedValue * (count + 1))()
        dtypes = [*(stored_as(spec.dtype) for spec in given), *weights.dtypes, *results, "uint8"]
        for place, name in enumerate(dtypes):
            tensor = self._tensors[place]
            self._args[place] = TaggedValue(TENSOR, 0, ctypes.addressof(tensor))
            tensor.device_type, tensor.lanes = CPU, 1
            tensor.code, tensor.bits = type_code(name)
        self._given = [self._describe(place, spec.shape) for place, spec in enumerate(given)]
        for place, (begin, shape) in enumerate(lie, len(given)):
            self._describe(place, shape)
            self._tensors[place].data = begin
        ranks = [len(spec.shape) for spec in manifest.outputs]
        self._told = np.zeros(BEFORE_SIZES + sum(ranks), np.int64)
        outputs, begin = self._tensors[self._first_output :], BEFORE_SIZES * 8
        for tensor, rank in zip(outputs, ranks, strict=False):
            tensor.ndim = rank
            tensor.shape = (ctypes.c_int64 * rank).from_buffer(self._told.data, begin)
            begin += rank * 8
        self._shapes: list[tuple[int, ...]] | None = None  # those that results are known for
        self._results: list[tuple[int, ...]] = []

    def bytes_between(self, shapes: Sequence[tuple[int, ...]]) -> int | None:
        """Return how many bytes lie between inputs and results; None if there are blocks."""
        self._size(shapes)
        return None if self._listed else len(self._between)

    def bind(self, inputs: Sequence[Located], make: Make) -> list[Any]:
        """Say where inputs and results lie, and return the results.

        Args:
            inputs: All, overridable ones too; they last until it has run.
            make: Makes the results.

        Returns:
            None where data decide the sizes, or an input has it.

        Raises:
            StoppedError: It says what is wrong with the sizes.
            MemoryError: There is none.
        """
        if self._version != self._weights.version:
            self._follow()
        shapes = [shape for _, shape in inputs]
        if shapes != self._shapes:
            self._size(shapes)
        tensors, made = self._tensors, []
        for place, (begin, _) in enumerate(inputs):
            tensors[place].data = begin
        for place, shape in enumerate(self._results):
            result = None
            if -1 not in shape and place not in self._shared:
                result, begin = make(place, shape)
                tensors[self._first_output + place].data = begin
            made.append(result)
        return made

    def run(self, made: Sequence[Any], make: Make, hook: int = 0) -> list[Any]:
        """Run on what is bound; return the results, None for those that inputs have.

        Args:
            made: What `bind` returned.
            make: Makes the results whose sizes show now.
            hook: Where a C function begins that is told of each kernel; see `build.kernel_calls`.

        Raises:
            StoppedError: It says what is wrong.
        """
        args = self._args
        args[len(args) - 1].value = hook
        self._main(args, len(args))
        return [
            self._late(place, make) if result is None and place not in self._shared else result
            for place, result in enumerate(made)
        ]

    def _follow(self) -> None:
        """Take the weights where they lie now."""
        self._version = self._weights.version
        for place, (begin, _) in enumerate(self._weights.located(), self._first_weight):
            self._tensors[place].data = begin

    def _describe(self, place: int, shape: Sequence[int | str]) -> Any:
        """Say which sizes a tensor has; return their memory."""
        sizes = (ctypes.c_int64 * len(shape))(*(n if isinstance(n, int) else 0 for n in shape))
        tensor = self._tensors[place]
        tensor.ndim, tensor.shape = len(shape), sizes
        return sizes

    def _size(self, shapes: Sequence[tuple[int, ...]]) -> None:
        """Find out about the results, and find memory, for inputs of these shapes."""
        self._shapes = None
        for sizes, shape in zip(self._given, shapes, strict=True):
            sizes[:] = shape
        told = DLTensor(data=address(self._told), device_type=CPU, ndim=1)
        told.shape = (ctypes.c_int64 * 1)(len(self._told))
        args = (TaggedValue * (self._inputs + 1))(*self._args[: self._inputs])
        args[self._inputs] = TaggedValue(TENSOR, 0, ctypes.addressof(told))
        self._sizes(args, len(args))
        between, blocks, count, *sizes = self._told.tolist()
        if count != len(self._outputs):
            raise StoppedError(DAMAGED, "the file states other results than its code has")
        self._grow(between, blocks * ENTRY)
        self._results = []
        for spec in self._outputs:
            shape, sizes = tuple(sizes[: len(spec.shape)]), sizes[len(spec.shape) :]
            self._results.append(shape)
        self._shapes = [*shapes]

    def _grow(self, nbytes: int, listed: int) -> None:
        """See that there are so many bytes between, of which the first list blocks."""
        if nbytes > len(self._between):
            memory = aligned_bytes(nbytes)
            memory[:listed] = self._between[: self._listed] if self._listed else 0
            self._between, self._listed = memory, listed
        self._tensors[len(self._tensors) - 1].data = address(self._between)

    def _late(self, place: int, make: Make) -> Any:
        """Return a copy of a result whose sizes the run told."""
        tensor = self._tensors[self._first_output + place]
        sizes = tuple(tensor.shape[: tensor.ndim])
        result, begin = make(place, sizes)
        if nbytes := math.prod(sizes) * self._itemsizes[place]:
            ctypes.memmove(begin, tensor.data, nbytes)
        return result

    def __del__(self) -> None:
        for block in self._between[: self._listed].view(np.uint64)[1::4]:
            _free(int(block))
