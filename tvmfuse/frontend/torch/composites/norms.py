"""Batch norm in training, in the numbers that its statistics are kept in."""

from __future__ import annotations

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
