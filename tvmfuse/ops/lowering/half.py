"""Sums in float16 and bfloat16: accumulated in float32, rounded once, as in ONNX Runtime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Final

from tvm import te, topi
from tvm.ir import Call, Expr
from tvm.relax import BlockBuilder, TupleType

Legalize = Callable[[BlockBuilder, Call], Expr]

#: The dtypes that hold too few digits to add up in.
HALF: Final = ("float16", "bfloat16")


def in_float32(legalize: Legalize) -> Legalize:
    """Let a lowering to kernels compute calls of a half precision in float32.

    Args:
        legalize: Calls nothing of its builder but what Python defines. Its kernels may have any
            number of tensors; it says no dtype but its operands'.

    Returns:
        The lowering. Its kernels read and write what they did; other dtypes' stay as they are.
    """

    def lowering(bb: BlockBuilder, call: Call) -> Expr:
        ty = call.ty.fields[0] if isinstance(call.ty, TupleType) else call.ty
        dtype = str(ty.dtype)
        return legalize(_Wide(bb, dtype) if dtype in HALF else bb, call)

    return lowering


def read_as_float32(legalize: Legalize) -> Legalize:
    """Let a lowering read operands of a half precision as float32; its results are no floats.

    Args:
        legalize: As for `in_float32`.
    """

    def lowering(bb: BlockBuilder, call: Call) -> Expr:
        is_half = any(str(getattr(a.ty, "dtype", "")) in HALF for a in call.args)
        return legalize(_Wide(bb, "float32") if is_half else bb, call)

    return lowering


class _Wide:
    """A builder whose kernels compute in float32 what they read and write in `dtype`."""

    def __init__(self, builder: BlockBuilder, dtype: str) -> None:
        self._builder = builder
        self._dtype = dtype

    def __getattr__(self, name: str) -> Any:
        return getattr(self._builder, name)

    def call_te(self, compute: Callable[..., Any], *args: Any, **options: Any) -> Expr:
        @wraps(compute)
        def wide(*args: Any, **options: Any) -> Any:
            return self._narrowed(compute(*map(_widened, args), **options))

        return self._builder.call_te(wide, *args, **options)

    def _narrowed(self, result: te.Tensor | Sequence[te.Tensor]) -> Any:
        if isinstance(result, te.Tensor):
            return topi.cast(result, self._dtype) if result.dtype == "float32" else result
        return [self._narrowed(r) for r in result]


def _widened(argument: Any) -> Any:
    is_half = isinstance(argument, te.Tensor) and argument.dtype in HALF
    return topi.cast(argument, "float32") if is_half else argument
