"""Norms in the numbers that their parameters and statistics are kept in.

Under autocast the input has fewer bits than these. Torch's kernels then return statistics in the
parameters' dtype, and its fake tensors say that they have the input's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import torch
from torch import Tensor

HALF: Final = (torch.bfloat16, torch.float16)

_aten = torch.ops.aten
_norm = _aten._native_batch_norm_legit


def layer_norm(
    x: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
) -> Any:
    """Normalize rows of fewer bits than the parameters have."""
    if (wide := _wider(x, weight, bias)) is None:
        return NotImplemented
    result, *statistics = _aten.native_layer_norm(x.to(wide), normalized_shape, weight, bias, eps)
    return result.to(x.dtype), *statistics


def group_norm(x: Tensor, weight: Tensor | None, bias: Tensor | None, *sizes: Any) -> Any:
    """Normalize groups of channels of fewer bits than the parameters have."""
    if (wide := _wider(x, weight, bias)) is None:
        return NotImplemented
    result, *statistics = _aten.native_group_norm(x.to(wide), weight, bias, *sizes)
    return result.to(x.dtype), *statistics


def norm_of_batch(x: Tensor, weight: Tensor | None, bias: Tensor | None, *settings: Any) -> Any:
    """Normalize by the batch's own statistics, where the parameters have more bits."""
    if (wide := _wider(x, weight, bias)) is None:
        return NotImplemented
    result, *statistics = _norm.no_stats(x.to(wide), weight, bias, *settings)
    return result.to(x.dtype), *statistics


def batch_norm(
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor,
    running_var: Tensor,
    *settings: Any,
) -> Any:
    """Normalize by statistics that are kept, and that have more bits."""
    if (wide := _wider(x, running_mean)) is None:
        return NotImplemented
    parameters = (weight, bias, running_mean, running_var)
    result, *nothing = _aten._native_batch_norm_legit_no_training(
        x.to(wide), *parameters, *settings
    )
    return result.to(x.dtype), *nothing


def _wider(x: Tensor, *parameters: Tensor | None) -> torch.dtype | None:
    """Return the dtype of parameters where that is float32 and the input has 16 bits.

    Torch's kernels take no other two.
    """
    kept = {parameter.dtype for parameter in parameters if parameter is not None}
    return torch.float32 if x.dtype in HALF and kept == {torch.float32} else None


def batch_norm_in_training(
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor,
    running_var: Tensor,
    training: bool,
    momentum: float,
    eps: float,
) -> Any:
    """Normalize by the batch's own statistics, and move those that are kept towards them.

    The result does not depend on those that are kept: a backward pass that computes it again need
    not wait for what they were. Under autocast images have fewer bits than they do.
    """
    if not training:
        return NotImplemented
    image = x.to(running_mean.dtype)
    result, mean, scale = _norm.no_stats(image, weight, bias, training, momentum, eps)
    # In the very steps by which the norm finds it, so that it is computed once.
    axes = [axis for axis in range(x.ndim) if axis != 1]
    away = image - image.mean(axes, keepdim=True)
    spread = (away * away).mean(axes, keepdim=True).reshape(-1)
    count = x.numel() // x.shape[1]
    unbiased = spread * count / (count - 1)
    kept = [
        old * (1 - momentum) + new * momentum
        for old, new in ((running_mean, mean), (running_var, unbiased))
    ]
    return result.to(x.dtype), mean, scale, *kept


def batch_norm_backward(
    gradient: Tensor,
    x: Tensor,
    weight: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    save_mean: Tensor | None,
    save_invstd: Tensor | None,
    train: bool,
    eps: float,
    output_mask: Sequence[bool],
) -> Any:
    """Return the gradients of the input, the weight and the bias; None for those nobody wants.

    As torch takes it apart, but that sums are divided by how many numbers they have: a reciprocal
    of a symbolic size is a number that no kernel is told.
    """
    if train:
        mean, scale = save_mean, save_invstd
    else:
        assert running_var is not None
        mean, scale = running_mean, torch.rsqrt(running_var + eps)
    assert mean is not None
    assert scale is not None
    wide = torch.promote_types(mean.dtype, torch.float32)
    mean, scale = mean.to(wide), scale.to(wide)
    axes = [axis for axis in range(x.ndim) if axis != 1]
    along = [-1 if axis == 1 else 1 for axis in range(x.ndim)]
    g, away = gradient.to(wide), x.to(wide) - mean.reshape(along)
    total, product = g.sum(axes), (g * away).sum(axes)
    factor = scale if weight is None else scale * weight.to(wide)
    if train:
        count = x.numel() // x.shape[1]
        share = (product / count * (scale * scale)).reshape(along)
        g = g - away * share - (total / count).reshape(along)
    kept = x.dtype if weight is None else weight.dtype
    return (
        (g * factor.reshape(along)).to(x.dtype),
        (product * scale).to(kept) if output_mask[1] else None,
        total.to(kept) if output_mask[2] else None,
    )


def weight_norm_backward(
    gradient: Tensor, direction: Tensor, length: Tensor, norms: Tensor, dim: int
) -> tuple[Tensor, Tensor]:
    """Return the gradients of weights' direction and length: w = length * direction / norms."""
    wide, axes = norms.dtype, [axis for axis in range(direction.ndim) if axis != dim]
    g, v = gradient.to(wide), direction.to(wide)
    along = (g * v).sum(axes, keepdim=True) / norms
    across = (g - v * (along / norms)) * (length.to(wide) / norms)
    return across.to(direction.dtype), along.to(length.dtype)
