"""What a convolution does to its results before it stores them: add a tensor, then activate.

A convolution with an epilogue has one more operand, the addend, and says its activation in its
attributes. So a fusion by name needs no operator for each kind of convolution.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tvm import te, tirx
from tvm.ir import Call, Expr
from tvm.relax import BlockBuilder

from tvmfuse.ops.lowering import activations
from tvmfuse.ops.lowering.half import Legalize


def _clip(x: Expr, low: float, high: float) -> Expr:
    return activations.clip(x, *(tirx.const(bound, x.ty.dtype) for bound in (low, high)))


ACTIVATIONS: Final[Mapping[str, Callable[..., Expr]]] = {
    "relax.clip": _clip,
    "relax.nn.leakyrelu": activations.leaky_relu,
    "relax.nn.relu": activations.relu,
    "relax.sigmoid": tirx.sigmoid,
    "relax.tanh": tirx.tanh,
}
"""Relax's operators that an epilogue may have, on one number; NaN comes out as NaN."""


def has_epilogue(convolution: Call) -> bool:
    """Whether a convolution has an epilogue."""
    return "activation" in dict(convolution.attrs.items())


def with_epilogue(convolution: Call, addend: Expr, activation: Call | None = None) -> Call:
    """Return a convolution that adds a tensor to its results, and then activates them.

    Args:
        convolution: A `tvmfuse.conv`, `conv_blocked` or `winograd` without an epilogue.
        addend: Of the shape and dtype of its results, or in bfloat16, which is widened.
        activation: A call of one of `ACTIVATIONS`; None for none.
    """
    said = dict(convolution.attrs.items())
    said["activation"] = "" if activation is None else str(activation.op.name)
    said["parameters"] = [] if activation is None else _parameters(activation)
    return Call(convolution.op, [*convolution.args, addend], attrs=said)


def _parameters(activation: Call) -> list[float]:
    if activation.op.name == "relax.nn.leakyrelu":
        return [float(activation.attrs.alpha)]
    return [float(bound.value) for bound in activation.args[1:]]


def lowering_with_epilogue(legalize: Legalize) -> Legalize:
    """Let a convolution's lowering compute the epilogue that the call states."""

    def lowering(bb: BlockBuilder, call: Call) -> Expr:
        return legalize(_EpilogueBuilder(bb, call) if has_epilogue(call) else bb, call)

    return lowering


class _EpilogueBuilder:
    """A builder whose kernels compute the epilogue that a call states."""

    def __init__(self, builder: BlockBuilder, call: Call) -> None:
        self._builder = builder
        self._activate = ACTIVATIONS.get(call.attrs["activation"])
        self._parameters = [float(p) for p in call.attrs["parameters"]]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._builder, name)

    def call_te(self, compute: Callable[..., te.Tensor], *args: Expr, **options: Any) -> Expr:
        def fused(*tensors: te.Tensor) -> te.Tensor:
            *operands, addend = tensors
            return self._with_epilogue(compute(*operands), addend)

        return self._builder.call_te(fused, *args, **options)

    def _with_epilogue(self, y: te.Tensor, addend: te.Tensor) -> te.Tensor:
        total = te.compute(
            y.shape, lambda *i: y(*i) + addend(*i).astype(y.dtype), name="add", tag="broadcast"
        )
        activate = self._activate
        if activate is None:
            return total
        return te.compute(
            y.shape,
            lambda *i: activate(total(*i), *self._parameters),
            name="activate",
            tag="elemwise",
        )
