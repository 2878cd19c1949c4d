"""Distances between points, angles, and counts of elements in bins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


def cdist(a: Tensor, b: Tensor, p: float, compute_mode: int | None = None) -> Any:
    """Return the distance of each point from each other one, in the norm of an order."""
    return _lengths(a.unsqueeze(-2) - b.unsqueeze(-3), p)


def pdist(x: Tensor, p: float = 2.0) -> Any:
    """Return the distances of the points of a set from each other, each pair once."""
    first, second = torch.triu_indices(len(x), len(x), 1).unbind()
    return _lengths(x[first] - x[second], p)


def _lengths(x: Tensor, p: float) -> Any:
    """Return the norms of vectors; of a tensor without elements, torch's refuses the maximum."""
    empty = any(isinstance(size, int) and size == 0 for size in x.shape)
    return x.sum(-1) if empty else torch.linalg.vector_norm(x, p, dim=-1)


def trilinear(
    a: Tensor,
    b: Tensor,
    c: Tensor,
    expand1: Sequence[int],
    expand2: Sequence[int],
    expand3: Sequence[int],
    sumdim: Sequence[int],
    unroll_dim: int = 1,
) -> Tensor:
    """Return sums of products of three tensors, each with axes of one element put in."""
    operands = []
    for tensor, axes in ((a, expand1), (b, expand2), (c, expand3)):
        for axis in sorted(axes):
            tensor = tensor.unsqueeze(axis)
        operands.append(tensor)
    product = operands[0] * operands[1] * operands[2]
    return product.sum(list(sumdim)) if sumdim else product


def hypot(a: Tensor, b: Tensor) -> Tensor:
    """Return the length of a vector of two numbers, without overflow on the way."""
    a, b = a.abs(), b.abs()
    large, small = torch.maximum(a, b), torch.minimum(a, b)
    ratio = torch.where(large == 0, 0.0, small / large)
    length = large * torch.sqrt(1 + ratio * ratio)
    return torch.where(torch.isinf(a) | torch.isinf(b), math.inf, length)


def angle(x: Tensor) -> Any:
    """Return the angle of a number that is not complex: 0, or pi of a negative one."""
    if x.is_complex():
        return NotImplemented
    turned = torch.where(x < 0, math.pi, 0.0)
    return torch.where(torch.isnan(x), x, turned) if x.is_floating_point() else turned


def histogram(
    x: Tensor,
    bins: int = 100,
    min: float = 0,  # noqa: A002
    max: float = 0,  # noqa: A002
) -> Tensor:
    """Return how many numbers fall into each of some bins of one width."""
    x = x.reshape(-1)
    low, high = torch.full((), min, dtype=x.dtype), torch.full((), max, dtype=x.dtype)
    if min == max and x.numel():
        low, high = x.amin(), x.amax()
    same = low == high
    low, high = torch.where(same, low - 1, low), torch.where(same, high + 1, high)
    place = ((x - low) * bins / (high - low)).to(torch.int64).clamp(max=bins - 1)
    place = torch.where((x >= low) & (x <= high), place, -1)
    return (place[:, None] == torch.arange(bins)).sum(0).to(x.dtype)
