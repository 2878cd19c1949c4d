"""Operators on the order of elements: medians, modes, running extremes, places in sorted rows."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

aten = torch.ops.aten


def kth_value(x: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the k-th smallest element of each row, and its place."""
    if x.ndim == 0:
        return x.clone(), x.new_zeros((), dtype=torch.int64)
    values, places = torch.sort(x, dim=dim, stable=True)
    rows = values.select(dim, k - 1), places.select(dim, k - 1)
    return _kept(rows, dim) if keepdim else rows


def median(x: Tensor, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the lower median of each row and its place; NaN where there is one."""
    return _median(x, dim, keepdim, nan=True)


def nan_median(x: Tensor, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the lower median of each row's numbers, and its place."""
    return _median(x, dim, keepdim, nan=False)


def _median(x: Tensor, dim: int, keepdim: bool, *, nan: bool) -> tuple[Tensor, Tensor]:
    if x.ndim == 0:
        return x.clone(), x.new_zeros((), dtype=torch.int64)
    values, places = torch.sort(x, dim=dim, stable=True)
    numbers = (~torch.isnan(x)).sum(dim, keepdim=True)
    middle = (numbers - 1).clamp(min=0) // 2
    if nan:
        middle = torch.where(numbers < x.shape[dim], numbers, middle)
    found = values.gather(dim, middle), places.gather(dim, middle)
    return found if keepdim else (found[0].squeeze(dim), found[1].squeeze(dim))


def median_of_all(x: Tensor) -> Tensor:
    """Return the lower median of all elements, NaN of none."""
    return _of_all(x, median)


def nan_median_of_all(x: Tensor) -> Tensor:
    """Return the lower median of all numbers, NaN of none."""
    return _of_all(x, nan_median)


def _of_all(x: Tensor, function: Callable[[Tensor, int], tuple[Tensor, Tensor]]) -> Tensor:
    return function(x.flatten(), 0)[0] if x.numel() else x.new_full((), float("nan"))


def mode(x: Tensor, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """Return the least of each row's most frequent elements, and the last place that has it."""
    if x.ndim == 0:
        return x.clone(), x.new_zeros((), dtype=torch.int64)
    values, places = torch.sort(x.movedim(dim, -1), dim=-1, stable=True)
    begins = values[..., 1:] != values[..., :-1]
    run = aten.constant_pad_nd(begins.to(torch.int64), [1, 0]).cumsum(-1)
    lengths = torch.zeros_like(run).scatter_add(-1, run, torch.ones_like(run))
    last = (run <= lengths.argmax(-1, keepdim=True)).sum(-1, keepdim=True) - 1
    found = values.gather(-1, last), places.gather(-1, last)
    if keepdim:
        return found[0].movedim(-1, dim), found[1].movedim(-1, dim)
    return found[0].squeeze(-1), found[1].squeeze(-1)


def _kept(rows: tuple[Tensor, Tensor], dim: int) -> tuple[Tensor, Tensor]:
    return rows[0].unsqueeze(dim), rows[1].unsqueeze(dim)


def running_maximum(x: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Return the largest element up to each, and the last place that has it."""
    return _running_extreme(x, dim, torch.ge)


def running_minimum(x: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Return the least element up to each, and the last place that has it."""
    return _running_extreme(x, dim, torch.le)


def _running_extreme(
    x: Tensor, dim: int, wins: Callable[[Tensor, Tensor], Tensor]
) -> tuple[Tensor, Tensor]:
    if x.ndim == 0 or x.numel() == 0:
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    size, last = x.shape[dim], x.movedim(dim, -1)
    places = torch.arange(size, device=x.device).expand(last.shape)

    def later(old: tuple[Tensor, ...], new: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        taken = torch.isnan(new[0]) | (~torch.isnan(old[0]) & wins(new[0], old[0]))
        return torch.where(taken, new[0], old[0]), torch.where(taken, new[1], old[1])

    values, places = _running((last, places), later)
    return values.movedim(-1, dim), places.movedim(-1, dim)


def running_log_sum_exp(x: Tensor, dim: int) -> Tensor:
    """Return the logarithm of the sum of powers up to each element."""
    if x.ndim == 0 or x.numel() == 0:
        return x.clone()

    def later(old: tuple[Tensor, ...], new: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        return (torch.logaddexp(old[0], new[0]),)

    return _running((x.movedim(dim, -1),), later)[0].movedim(-1, dim)


def _running(
    rows: tuple[Tensor, ...],
    combine: Callable[[tuple[Tensor, ...], tuple[Tensor, ...]], tuple[Tensor, ...]],
) -> tuple[Tensor, ...]:
    """Combine all elements up to each one along the last axis, in a logarithm of steps.

    After a step each element has twice as many behind it (Hillis and Steele).
    """
    size, width = rows[0].shape[-1], 1
    while width < size:
        old = tuple(row[..., : size - width] for row in rows)
        new = tuple(row[..., width:] for row in rows)
        made = combine(old, new)
        rows = tuple(
            torch.cat([row[..., :width], part], -1) for row, part in zip(rows, made, strict=True)
        )
        width *= 2
    return rows


def search_sorted(
    rows: Tensor,
    x: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """Return how many elements of each sorted row stand before each of these."""
    if sorter is not None:
        rows = rows.gather(-1, sorter)
    after, count = right or side == "right", rows.shape[-1]
    first = torch.zeros(x.shape, dtype=torch.int64, device=x.device)
    last = torch.full_like(first, count)
    # As torch halves, so that rows out of order give what they give there.
    for _ in range(count.bit_length()):
        middle = first + (last - first) // 2
        places = middle.clamp(max=count - 1)
        at = aten.index(rows, [places]) if rows.ndim == 1 else rows.gather(-1, places)
        before = ~(at > x) if after else ~(at >= x)
        within = first < last
        first, last = (
            torch.where(within & before, middle + 1, first),
            torch.where(within & ~before, middle, last),
        )
    return first.to(torch.int32) if out_int32 else first


def search_number(
    rows: Tensor,
    x: float,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """Return how many elements of a sorted row stand before a number."""
    number = torch.full((), x, dtype=rows.dtype)
    return search_sorted(rows, number, out_int32=out_int32, right=right, side=side, sorter=sorter)


def bucketize(
    x: Tensor, boundaries: Tensor, *, out_int32: bool = False, right: bool = False
) -> Tensor:
    """Return how many boundaries stand before each element."""
    return search_sorted(boundaries, x, out_int32=out_int32, right=right)
