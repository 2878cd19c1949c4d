"""Batch norm in training and its gradients, in the numbers that its statistics are kept in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

_norm = torch.ops.aten._native_batch_norm_legit


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
