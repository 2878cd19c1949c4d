"""Activations: on their own, after a bias, and by name after a product or a convolution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert import activation
from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.elementwise import unary
from tvmfuse.frontend.onnx.convert.stand_in import Converter, computed_by
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_shape
from tvmfuse.ops import quick_gelu as tvmfuse_quick_gelu

#: Name -> converter, and the names of its parameters.
BY_NAME: Final[Mapping[str, tuple[Converter, tuple[str, ...]]]] = MappingProxyType(
    {
        "Clip": (activation.clip, ("min", "max")),
        "Elu": (activation.elu, ("alpha",)),
        "HardSigmoid": (activation.hard_sigmoid, ("alpha", "beta")),
        "HardSwish": (activation.hard_swish, ()),
        "LeakyRelu": (activation.leaky_relu, ("alpha",)),
        "Relu": (unary(relax.op.nn.relu), ()),
        "Selu": (activation.selu, ("alpha", "gamma")),
        "Sigmoid": (unary(relax.op.sigmoid), ()),
        "Softplus": (activation.softplus, ()),
        "Softsign": (activation.softsign, ()),
        "Tanh": (unary(relax.op.tanh), ()),
        "ThresholdedRelu": (activation.thresholded_relu, ("alpha",)),
    }
)

#: In opset 10 parameters are attributes, those of Clip, too.
ATTRIBUTES: Final = 10


def activated(op: Operation, x: Expr, parameters: Sequence[float] | Mapping[str, float]) -> Expr:
    """Return a tensor activated as the attribute `activation` says.

    Args:
        op: Has the attribute, or no activation.
        x: What is activated.
        parameters: All of them in order, or some by their names.
    """
    name = op.text("activation", "")
    if not name:
        return x
    op.require(name in BY_NAME, f"activation is {name!r}; expected one of {', '.join(BY_NAME)}")
    convert, expected = BY_NAME[name]
    if not isinstance(parameters, Mapping):
        op.require(
            len(parameters) == len(expected),
            f"activation_params has {len(parameters)} numbers, and {name} takes {len(expected)}",
        )
        parameters = dict(zip(expected, parameters, strict=True))
    given = {key: float(value) for key, value in parameters.items() if key in expected}
    return computed_by(op, convert, name, x, opset=ATTRIBUTES, **given)


def with_bias(op: Operation, x: Expr, position: int) -> Expr:
    """Return a tensor plus a vector along its last axis, where there is one."""
    bias = op.optional(position)
    if bias is None:
        return x
    bias = agree(op, bias, require_shape(x)[-1:])
    return op.emit(relax.op.add(x, bias))


def bias_gelu(op: Operation) -> Expr:
    """Convert BiasGelu: gelu(x + bias)."""
    return relax.op.nn.gelu(with_bias(op, op.tensor(0), 1))


def fast_gelu(op: Operation) -> Expr:
    """Convert FastGelu: gelu(x + bias), approximated by tanh; the bias may be absent."""
    return relax.op.nn.gelu_tanh(with_bias(op, op.tensor(0), 1))


def quick_gelu(op: Operation) -> Expr:
    """Convert QuickGelu: x sigmoid(alpha x)."""
    return tvmfuse_quick_gelu(op.tensor(0), alpha=op.number("alpha", 1.702))
