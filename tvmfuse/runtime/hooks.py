"""Watching a run: a C function is called before and after each kernel."""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tvmfuse.arrays import dtype_of
from tvmfuse.runtime.functions import address_of
from tvmfuse.runtime.structures import DLTensor, TaggedValue

#: As `build.kernel_calls.TELL` calls it.
_Hook: Final[Any] = ctypes.CFUNCTYPE(
    None, ctypes.c_char_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64
)


@dataclass(frozen=True)
class Launch:
    """One call of a kernel.

    Attributes:
        symbol: The kernel's name.
        begin: Milliseconds after the run's begin.
        milliseconds: What it took.
    """

    symbol: str
    begin: float
    milliseconds: float


@dataclass(frozen=True)
class Timed:
    """One run: its begin by `time.perf_counter_ns`, what it took, and its calls in order."""

    begin_ns: int
    milliseconds: float
    launches: Sequence[Launch]


def timed(run: Callable[[int], object]) -> Timed:
    """Time each kernel of a run.

    Args:
        run: Runs a model, whose kernels a C function is told of that begins at an address.
    """
    found, begin = list[tuple[str, int, int]](), 0

    @_Hook
    def hook(kernel: bytes, has_returned: int, *_: object) -> None:
        nonlocal begin
        if has_returned:
            found.append((kernel.decode(), begin, time.perf_counter_ns()))
        else:
            begin = time.perf_counter_ns()

    first = time.perf_counter_ns()
    run(address_of(hook))
    last = time.perf_counter_ns()
    launches = [Launch(n, (b - first) / 1e6, (end - b) / 1e6) for n, b, end in found]
    return Timed(first, (last - first) / 1e6, launches)


def watched(
    run: Callable[[int], object],
    seen: Callable[[str, Callable[[], Sequence[np.ndarray]]], None],
) -> None:
    """Show what each kernel of a run writes before the next one runs.

    Args:
        run: See `timed`.
        seen: Called with a kernel's name, and with what returns the arrays that it wrote, which are
            the model's own: they hold something else later. Once it has raised something, it is not
            called any more, and that is raised when the run has ended.
    """
    raised = list[BaseException]()

    @_Hook
    def hook(kernel: bytes, has_returned: int, given: int, first: int, count: int) -> None:
        if not has_returned or raised:
            return
        try:
            seen(kernel.decode(), lambda: [_array(given, first + n) for n in range(count)])
        except BaseException as error:
            raised.append(error)

    run(address_of(hook))
    if raised:
        raise raised[0]


def _array(given: int, place: int) -> np.ndarray:
    """Return an array over the memory of a tensor that a kernel is given."""
    value = TaggedValue.from_address(given + ctypes.sizeof(TaggedValue) * place)
    tensor = DLTensor.from_address(value.value)
    dtype, shape = dtype_of(tensor.code, tensor.bits), tuple(tensor.shape[: tensor.ndim])
    nbytes = math.prod(shape) * dtype.itemsize
    if not nbytes:
        return np.empty(shape, dtype)
    memory = (ctypes.c_uint8 * nbytes).from_address(tensor.data)
    return np.frombuffer(memory, np.uint8).view(dtype).reshape(shape)
