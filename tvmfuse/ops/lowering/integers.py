"""Lowerings of a model's integer arithmetic, which wraps around where a result has too many bits.

Source: ONNX's operators follow numpy, whose integers are numbers modulo 2^n.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from tvm import te, tirx, topi
from tvm.ir import Call, Expr, Op
from tvm.relax import BlockBuilder

from tvmfuse.ir.types import same_dims, scalar_of
from tvmfuse.ir.wrapping import DTYPES, wrapping
from tvmfuse.ops.lowering.broadcasting import broadcast
from tvmfuse.ops.lowering.half import Legalize

#: Greater numbers are no immediates of TVM's.
LARGEST: Final = 2**63 - 1


def wrapping_or(name: str, otherwise: Legalize) -> Legalize:
    """Return a lowering of ``add``, ``subtract`` or ``multiply``: ours of integers, or another."""

    def lowering(bb: BlockBuilder, call: Call) -> Expr:
        if not _wraps(call):
            return otherwise(bb, call)
        numbers = [_number(a) for a in call.args]
        if None not in numbers:
            numbers[0] = None
        tensors = [a for a, number in zip(call.args, numbers, strict=True) if number is None]
        combine = partial(wrapping, name)
        return bb.call_te(combined(name, combine, numbers), *tensors, primfunc_name_hint=name)

    return lowering


def _wraps(call: Call) -> bool:
    """Whether a call computes integers that TVM would take for ones that do not overflow."""
    return str(call.ty.dtype) in DTYPES


def combined(
    name: str, combine: Callable[[Expr, Expr], Expr], numbers: Sequence[float | None]
) -> Callable[..., te.Tensor]:
    """Return what combines two operands elementwise.

    Args:
        name: Of the result.
        combine: Makes one element of two.
        numbers: For each operand, the number that it is; None for a tensor, which is handed over.
    """

    def compute(*tensors: te.Tensor) -> te.Tensor:
        shape = topi.add(*tensors).shape if len(tensors) > 1 else tensors[0].shape

        def read(x: te.Tensor, i: tuple[Expr, ...]) -> Expr:
            return x(*(i if same_dims(x.shape, shape) else broadcast(x.shape, i)))

        def element(*i: Expr) -> Expr:
            given = iter(tensors)
            dtype = tensors[0].dtype
            a, b = (read(next(given), i) if n is None else tirx.const(n, dtype) for n in numbers)
            return combine(a, b)

        return te.compute(shape, element, name=name, tag="broadcast")

    return compute


def _number(operand: Expr) -> int | None:
    """Return a constant of no dimensions that fits an immediate."""
    value = None if operand.ty.ndim else scalar_of(operand)
    return value if isinstance(value, int) and value <= LARGEST else None


def _stock(name: str) -> Legalize:
    lowering: Legalize = Op.get(f"relax.{name}").get_attr("FLegalize")
    return lowering


def _of_signed(name: str, compute: Callable[[Expr], Expr]) -> Legalize:
    def computed(x: te.Tensor) -> te.Tensor:
        return te.compute(x.shape, lambda *i: compute(x(*i)), name=name, tag="elemwise")

    def lowering(bb: BlockBuilder, call: Call) -> Expr:
        if not _wraps(call) or str(call.ty.dtype).startswith("uint"):
            return _stock(name)(bb, call)
        return bb.call_te(computed, call.args[0], primfunc_name_hint=name)

    return lowering


def _negative(x: Expr) -> Expr:
    return wrapping("subtract", tirx.const(0, x.ty.dtype), x)


INTEGERS: Final[Mapping[str, Legalize]] = {
    **{f"relax.{name}": wrapping_or(name, _stock(name)) for name in ("add", "subtract")},
    "relax.negative": _of_signed("negative", _negative),
    "relax.abs": _of_signed("abs", lambda x: tirx.Select(x < 0, _negative(x), x)),
}
