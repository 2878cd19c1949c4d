"""One number for each output channel, folded into the constants of what computes the channels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from tvm.ir import Call, Expr, GenericConst
from tvm.relax.dpl import DFPattern, is_op

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.live_array import LiveArray
from tvmfuse.ir.types import constant, known_array, static_shape_of


@dataclass(frozen=True)
class Folded:
    """The constants of a convolution or a matrix product, with numbers of channels folded in.

    Attributes:
        weights: In the dtype of the weights that they take the place of.
        bias: In the same dtype; None where there is none.
    """

    weights: np.ndarray
    bias: np.ndarray | None

    @property
    def arrays(self) -> list[np.ndarray]:
        """The weights, and the bias where there is one."""
        return [self.weights] if self.bias is None else [self.weights, self.bias]


def convolution(x: DFPattern, weights: DFPattern) -> DFPattern:
    """Match a convolution or a transposed one, with and without bias."""
    conv, transposed = is_op("tvmfuse.conv"), is_op("tvmfuse.conv_transpose")
    return conv(x, weights, varg_default_wildcard=True) | transposed(
        x, weights, varg_default_wildcard=True
    )


def are_constant(operands: Iterable[Expr]) -> bool:
    """Whether every operand is a constant."""
    return all(isinstance(operand, GenericConst) for operand in operands)


def is_per_channel(constant: Expr, conv: Expr) -> bool:
    """Whether a constant is one number, or one for each output channel, beside a convolution.

    It is not where it varies along another axis, or would make the result larger than the
    convolution's output, (N, C, d1..dr).
    """
    shape, weights = static_shape_of(constant), static_shape_of(conv.args[1])
    if shape is None or weights is None or len(shape) > len(weights):
        return False
    shape = (1,) * (len(weights) - len(shape)) + shape
    others = shape[:1] + shape[2:]
    return all(size == 1 for size in others) and shape[1] in (1, _channels(conv))


def per_channel(constant: Expr, conv: Expr) -> np.ndarray:
    """Return the number for each output channel, float64, where `is_per_channel`."""
    return np.broadcast_to(_numbers(constant).ravel(), (_channels(conv),))


def bias_of(conv: Expr) -> np.ndarray:
    """Return the third operand, a constant, in float64; zero where there is none."""
    return _numbers(conv.args[2]) if len(conv.args) > 2 else np.zeros(1)


def scaled_weights(conv: Expr, scale: np.ndarray) -> np.ndarray:
    """Return the weights with which a convolution's output comes scaled.

    Args:
        conv: A `tvmfuse.conv` or `tvmfuse.conv_transpose` with constant weights.
        scale: float64, shape (output channels,).

    Returns:
        The weights' shape and dtype. They are scaled in float64 and rounded once.
    """
    weights = known_array(conv.args[1])
    if _is_forward(conv):
        factors = scale.reshape(-1, *[1] * (weights.ndim - 1))
    else:
        factors = over_second_axis(scale, weights, conv.attrs["groups"])
    scaled: np.ndarray = weights * factors
    return scaled.astype(weights.dtype)


def over_second_axis(numbers: np.ndarray, weights: np.ndarray, groups: int) -> np.ndarray:
    """Arrange one number a channel so that it broadcasts over weights of shape (A, B, k1..kr).

    Args:
        numbers: Shape (groups * B,): the channels that the second axis counts, group by group.
        weights: The first axis counts A / groups channels of each group.
        groups: Channels of one group meet those of the same group only.
    """
    factors = np.repeat(numbers.reshape(groups, -1), len(weights) // groups, axis=0)
    return factors.reshape(*factors.shape, *[1] * (weights.ndim - 2))


def all_finite(*arrays: np.ndarray) -> bool:
    """Whether no number is infinite or NaN; of what follows from parameters, now and later."""
    return all(
        a.assume_finite() if isinstance(a, LiveArray) else bool(np.isfinite(a).all())
        for a in arrays
    )


@np.errstate(divide="ignore", invalid="ignore")
def affine_of(norm: Expr) -> tuple[np.ndarray, np.ndarray]:
    """Return the scale and the shift of an inference batch norm with constant parameters.

    Both are float64 of shape (C,): it computes ``y * scale + shift``.
    """
    gamma, beta, mean, var = map(_numbers, norm.args[1:])
    scale = (gamma if norm.attrs.scale else 1.0) / np.sqrt(var + norm.attrs.epsilon)
    return scale, (beta if norm.attrs.center else 0.0) - mean * scale


def is_affine(norm: Expr, num_uses: int) -> Iterator[tuple[bool, str]]:
    """Yield the conditions under which `affine_of` says all that a batch norm computes."""
    yield not norm.attrs.training, "the batch norm is in inference mode"
    yield num_uses == 1, "of the batch norm only the first output is read"
    yield are_constant(norm.args[1:]), "the batch norm's parameters are constant"


def with_operands(conv: Expr, x: Expr, weights: Expr, *bias: np.ndarray) -> Call:
    """Return the same convolution of other operands."""
    return Call(conv.op, [x, weights, *(constant(b) for b in bias)], attrs=conv.attrs)


def _is_forward(conv: Expr) -> bool:
    return op_name(conv) == "tvmfuse.conv"


def _channels(conv: Expr) -> int:
    """Return the number of output channels; the weights' shape is known."""
    weights = conv.args[1].ty.shape.values
    return int(weights[0] if _is_forward(conv) else weights[1] * conv.attrs["groups"])


def _numbers(constant: Expr) -> np.ndarray:
    return known_array(constant).astype(np.float64)
