"""Pools whose windows are not of one size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


def adaptive_average(x: Tensor, output_size: Sequence[int]) -> Any:
    """Average to so many places: along each axis, a product with a matrix of the windows."""
    count = len(output_size)
    sizes = x.shape[-count:]
    if not all(isinstance(size, int) for size in (*sizes, *output_size)) or all(
        size % out == 0 for size, out in zip(sizes, output_size, strict=True)
    ):
        return NotImplemented
    for axis, (size, out) in enumerate(zip(sizes, output_size, strict=True), x.ndim - count):
        x = (x.movedim(axis, -1) @ _shares(size, out).to(x.dtype)).movedim(-1, axis)
    return x


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
    longest = max(-((i + 1) * size // -out) - i * size // out for i in range(out))
    return torch.minimum(first[:, None] + torch.arange(longest), last[:, None] - 1)


def _shares(size: int, out: int) -> Tensor:
    """Return the share of each element in each place, [size, out]."""
    first, last = _bounds(size, out)
    element = torch.arange(size)[:, None]
    inside = ((element >= first) & (element < last)).to(torch.float64)
    return inside / (last - first)
