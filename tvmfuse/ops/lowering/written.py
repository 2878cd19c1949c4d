"""What kernels that are written statement by statement are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tvm import tirx
from tvm.ir import Expr
from tvm.script.ir_builder import tirx as write

INT64: Final = "int64"


def int64(number: int) -> Expr:
    """Return a number of 64 bits."""
    return tirx.const(number, INT64)


def int32(number: int) -> Expr:
    """Return a number of 32 bits."""
    return tirx.const(number, "int32")


def local(size: int, dtype: str) -> Any:
    """Return an array of a kernel's own, in registers where its places are known.

    It is on the stack if it is smaller than 1024 bytes. TVM takes what is of scope "local" from a
    pool, each time that the loop around it goes on.
    """
    return write.buffer_proxy(write.alloc_buffer((size,), dtype))


def variable(value: Expr) -> Any:
    """Return an array of one number, written first."""
    made = local(1, str(value.ty.dtype))
    made[0] = value
    return made


def folded(lanes: Any, count: int, combine: Callable[[Expr, Expr], Expr]) -> Expr:
    """Return one number of an array, whose size is a power of two: halves are combined."""
    numbers = [lanes[lane] for lane in range(count)]
    while len(numbers) > 1:
        half = len(numbers) // 2
        numbers = [combine(a, b) for a, b in zip(numbers[:half], numbers[half:], strict=True)]
    return numbers[0]
