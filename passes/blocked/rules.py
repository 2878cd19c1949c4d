"""How operators other than convolutions work on tensors whose channels come in blocks.

A rule gets a call and its operands as they are in blocks, None for those that have no such form.
It returns the call on them, or None where it takes the plain tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tvm import relax
from tvm.ir import Call, Expr, GenericConst
from tvm.relax.op import nn

from tvmfuse.ops import to_blocked
from tvmfuse.passes.blocked.arrays import blocked
from tvmfuse.passes.dataflow import op_name
from tvmfuse.passes.facts import constant, rank_of, shape_of
from tvmfuse.passes.transposes.rules import ELEMENTWISE

Operands = Sequence[Expr | None]
Rule = Callable[[Call, Operands], Call | None]

SPATIAL: Final = {1: "W", 2: "HW", 3: "DHW"}


def on_blocks(call: Call, operands: Operands) -> Call | None:
    """Return the call on operands in blocks; None where it has no such form."""
    rule = RULES.get(op_name(call) or "")
    return rule(call, operands) if rule and any(o is not None for o in operands) else None


def _elementwise(call: Call, operands: Operands) -> Call | None:
    block, rank = _block(operands), rank_of(call)
    in_blocks = [a for a, o in zip(call.args, operands, strict=True) if o is not None]
    channels = {_channels(tensor) for tensor in (call, *in_blocks)}
    if rank is None or None in channels or len(channels) > 1:
        return None  # where one channel of a tensor in blocks is spread over all of the result's
    args = [
        o if o is not None else beside(a, rank, block)
        for a, o in zip(call.args, operands, strict=True)
    ]
    if any(a is None for a in args):
        return None
    return Call(call.op, args, attrs=call.attrs, ty_args=call.ty_args)


def beside(operand: Expr, rank: int, block: int) -> Expr | None:
    """Return an operand that broadcasts to a plain tensor as one that does to its blocks.

    None for one whose shape is not known.
    """
    if not isinstance(operand.ty, relax.TensorType):
        return operand  # a number
    shape = shape_of(operand)
    if shape is None:
        return None
    if not shape:
        return operand
    full = (*[1] * (rank - len(shape)), *shape)
    if not isinstance(full[1], int):
        return None
    if full[1] == 1:
        new = (*full, 1)
    elif full[1] % block:
        return None
    elif isinstance(operand, GenericConst):
        return constant(blocked(operand.value.numpy().reshape(full), block))
    elif all(isinstance(d, int) and d == 1 for d in full[2:]):
        new = (full[0], full[1] // block, *full[2:], block)
    else:
        return to_blocked(operand, block) if len(shape) == rank else None
    if isinstance(operand, GenericConst):
        return constant(operand.value.numpy().reshape(new))
    return relax.op.reshape(operand, new)


def _pool(function: Callable[..., Call]) -> Rule:
    def rule(call: Call, operands: Operands) -> Call | None:
        (x,), attrs = operands, call.attrs
        rank = len(attrs.pool_size)
        if x is None or not str(attrs.layout).startswith("NC"):
            return None
        layout = f"NC{SPATIAL[rank]}{_block(operands)}c"
        return function(
            x, list(attrs.pool_size), list(attrs.strides), list(attrs.padding),
            list(attrs.dilation), attrs.ceil_mode, attrs.count_include_pad, layout, layout,
        )  # fmt: skip

    return rule


def _reduction(function: Callable[..., Call]) -> Rule:
    def rule(call: Call, operands: Operands) -> Call | None:
        (x,), rank = operands, rank_of(call.args[0])
        if x is None or rank is None or call.attrs.axis is None:
            return None
        axes = sorted(int(a) % rank for a in call.attrs.axis)
        if axes[0] < 2 or not call.attrs.keepdims:
            return None
        return function(x, axes, True)  # noqa: FBT003

    return rule


def _concat(call: Call, operands: Operands) -> Call | None:
    if call.attrs.axis is None or None in operands:
        return None
    blocks = {int(o.ty.shape.values[-1]) for o in operands if o is not None}
    axis = int(call.attrs.axis) % (rank_of(call) or 1)
    return relax.op.concat(list(operands), axis) if len(blocks) == 1 else None


def _channels(tensor: Expr) -> int | None:
    shape = shape_of(tensor)
    return shape[1] if shape and len(shape) > 1 and isinstance(shape[1], int) else None


def _block(operands: Operands) -> int:
    return next(int(o.ty.shape.values[-1]) for o in operands if o is not None)


REDUCTIONS: Final[Mapping[str, Rule]] = {
    f"relax.{name}": _reduction(getattr(relax.op, name)) for name in ("max", "mean", "min", "sum")
}
"""What leaves a few numbers of each channel."""

RULES: Final[Mapping[str, Rule]] = {
    **{f"relax.{name}": _elementwise for name in ELEMENTWISE},
    **{f"tvmfuse.{name}": _elementwise for name in ("barrier", "dropout", "identity")},
    "relax.concat": _concat,
    **REDUCTIONS,
    **{
        f"relax.nn.{kind}_pool{n}d": _pool(getattr(nn, f"{kind}_pool{n}d"))
        for kind in ("avg", "max")
        for n in (1, 2, 3)
    },
}
