"""One number for each output channel, folded into the constants of what computes the channels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from tvm.ir import Call, Expr
from tvm.relax.dpl import DFPattern, is_op

from tvmfuse.passes.dataflow import op_name
from tvmfuse.passes.facts import array_of, constant, static_shape_of


def convolution(x: DFPattern, weights: DFPattern) -> DFPattern:
    """Match a convolution or a transposed one, with and without bias."""
    conv, transposed = is_op("tvmfuse.conv"), is_op("tvmfuse.conv_transpose")
    return conv(x, weights, varg_default_wildcard=True) | transposed(
        x, weights, varg_default_wildcard=True
    )


def per_channel(values: np.ndarray, conv: Expr) -> np.ndarray | None:
    """Return the numbers, one an output channel, that a constant beside `conv` stands for.

    Args:
        values: Meets the convolution's output, (N, C, d1..dr), in an element-wise operation.
        conv: A `tvmfuse.conv` or `tvmfuse.conv_transpose`.

    Returns:
        float64, shape (C,); None where the constant varies along another axis or makes the
        result larger than the output, or where C is not known.
    """
    weights = static_shape_of(conv.args[1])
    if weights is None or values.ndim > len(weights):
        return None
    shape = (1,) * (len(weights) - values.ndim) + values.shape
    channels = weights[0] if _is_forward(conv) else weights[1] * conv.attrs["groups"]
    if values.size != shape[1] or shape[1] not in (1, channels):
        return None
    return np.broadcast_to(values.astype(np.float64).reshape(-1), (channels,))


def bias_of(conv: Expr) -> np.ndarray | None:
    """Return the third operand in float64: zero where there is none, None where not constant."""
    if len(conv.args) < 3:
        return np.zeros(1)
    bias = array_of(conv.args[2])
    return None if bias is None else bias.astype(np.float64)


def scaled_weights(conv: Expr, scale: np.ndarray) -> np.ndarray:
    """Return the constant weights with which a convolution's output comes scaled.

    Args:
        conv: A `tvmfuse.conv` or `tvmfuse.conv_transpose`.
        scale: float64, shape (output channels,).

    Returns:
        The weights' shape and dtype. They are scaled in float64 and rounded once.
    """
    weights = conv.args[1].value.numpy()
    if _is_forward(conv):
        factors = scale.reshape(-1, *[1] * (weights.ndim - 1))
    else:
        factors = over_second_axis(scale, weights, conv.attrs["groups"])
    return (weights * factors).astype(weights.dtype)


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
    """Whether no number is infinite or NaN."""
    return all(bool(np.isfinite(a).all()) for a in arrays)


@np.errstate(divide="ignore", invalid="ignore")
def affine_of(norm: Expr) -> tuple[np.ndarray, np.ndarray]:
    """Return the scale and the shift of an inference batch norm with constant parameters.

    Both are float64 of shape (C,): it computes ``y * scale + shift``.
    """
    gamma, beta, mean, var = (a.value.numpy().astype(np.float64) for a in norm.args[1:])
    scale = (gamma if norm.attrs.scale else 1.0) / np.sqrt(var + norm.attrs.epsilon)
    return scale, (beta if norm.attrs.center else 0.0) - mean * scale


def is_affine(norm: Expr, readers: int) -> Iterator[tuple[bool, str]]:
    """Yield the conditions under which `affine_of` says all that a batch norm computes."""
    yield not norm.attrs.training, "the batch norm is in inference mode"
    yield readers == 1, "of the batch norm only the first output is read"
    parameters = [array_of(a) for a in norm.args[1:]]
    yield all(p is not None for p in parameters), "the batch norm's parameters are constant"


def with_operands(conv: Expr, x: Expr, weights: Expr, *bias: np.ndarray) -> Call:
    """Return the same convolution of other operands."""
    return Call(conv.op, [x, weights, *(constant(b) for b in bias)], attrs=conv.attrs)


def _is_forward(conv: Expr) -> bool:
    return op_name(conv) == "tvmfuse.conv"
