"""Pools whose windows are not of one size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


def adaptive_average(x: Tensor, output_size: Sequence[int]) -> Any:
    """Average to so many places: along each axis, a product with a matrix of the windows.

    Along an axis of symbolic size, the windows' elements are added up.
    """
    sizes = x.shape[-len(output_size) :]
    axes = [*zip(range(x.ndim - len(sizes), x.ndim), sizes, output_size, strict=True)]
    if all(out == 1 for out in output_size) or all(
        _is_known(size, out) and size % out == 0 for _, size, out in axes
    ):
        return NotImplemented
    for axis, size, out in axes:
        rows = x.movedim(axis, -1)
        if _is_known(size, out):
            averages = rows @ _shares(size, out).to(x.dtype)
        else:
            averages = _averages(rows, size, out)
        x = averages.movedim(-1, axis)
    return x


def _averages(x: Tensor, size: int, out: int) -> Tensor:
    """Average to so many places of the last axis."""
    first, last = _bounds(size, out)
    elements = _elements(size, out)
    inside = first[:, None] + torch.arange(elements.shape[1]) < last[:, None]
    wide = x[..., elements].to(torch.promote_types(x.dtype, torch.float32))
    return (torch.where(inside, wide, 0).sum(-1) / (last - first)).to(x.dtype)


def adaptive_maximum(x: Tensor, output_size: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Return the largest element of so many windows, and where in the image it is."""
    sizes = x.shape[-len(output_size) :]
    rows = torch.zeros((1, 1), dtype=torch.int64)
    for size, out in zip(sizes, output_size, strict=True):
        # The windows of the axes so far, times those of the next one.
        further = _elements(size, out)
        rows = rows[:, None, :, None] * size + further[None, :, None, :]
        rows = rows.flatten(2).flatten(0, 1)
    flat = x.flatten(-len(sizes))
    windows = flat[..., rows]
    place = windows.argmax(-1)
    where = rows.expand(windows.shape).gather(-1, place.unsqueeze(-1)).squeeze(-1)
    shape = (*x.shape[: -len(sizes)], *output_size)
    return windows.amax(-1).reshape(shape), where.reshape(shape)


def _bounds(size: int, out: int) -> tuple[Tensor, Tensor]:
    """Return the first element of each window and the one after the last."""
    place = torch.arange(out)
    return place * size // out, (place * size + size + out - 1) // out


def _elements(size: int, out: int) -> Tensor:
    """Return the elements of each window, [out, longest]; short ones repeat their last."""
    first, last = _bounds(size, out)
    longest = -(-size // out) + 1  # no window has more
    if _is_known(size, out):
        longest = max(-((i + 1) * size // -out) - i * size // out for i in range(out))
    return torch.minimum(first[:, None] + torch.arange(longest), last[:, None] - 1)


def _is_known(*sizes: int) -> bool:
    return all(isinstance(size, int) for size in sizes)


def _shares(size: int, out: int) -> Tensor:
    """Return the share of each element in each place, [size, out]."""
    first, last = _bounds(size, out)
    element = torch.arange(size)[:, None]
    inside = ((element >= first) & (element < last)).to(torch.float64)
    return inside / (last - first)
