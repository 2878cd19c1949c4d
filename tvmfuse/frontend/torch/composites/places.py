"""Operators that write to some places of a tensor, or find them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


def put(x: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Any:
    """Write elements to places of the tensor as a row."""
    flat, places = x.reshape(-1), index.reshape(-1)
    if not places.numel():
        return x.clone()
    written = torch.ops.aten.index_put(flat, [places], source.reshape(-1), accumulate)
    return written.reshape(x.shape)


def take(x: Tensor, index: Tensor) -> Any:
    """Pick elements of the tensor as a row."""
    return torch.ops.aten.index(x.reshape(-1), [index])


def index_fill(x: Tensor, dim: int, index: Tensor, value: Any) -> Any:
    """Write a number to slices along an axis, whose places may count from the back."""
    row = x if x.ndim else x[None]
    places: list[Tensor | None] = [None] * (dim % row.ndim)
    is_tensor = isinstance(value, Tensor)
    new = value.to(x.dtype) if is_tensor else torch.full((), value, dtype=x.dtype)
    written = torch.ops.aten.index_put(row, [*places, index.reshape(-1)], new)
    return written.reshape(x.shape)


def index_put(
    x: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False
) -> Any:
    """Write rows one after the other where a mask of the first axes is true."""
    mask = indices[0]
    if len(indices) != 1 or mask is None or mask.dtype is not torch.bool:
        return NotImplemented
    rest = x.shape[mask.ndim :]
    if values.ndim > len(rest) and values.shape[0] != 1:
        places = mask.reshape(-1).to(torch.int64).cumsum(0) - 1
        rows = values[places.clamp(0, max(values.shape[0] - 1, 0))]
        values = rows.reshape(mask.shape + values.shape[1:])
    new = x + values if accumulate else values.to(x.dtype)
    return torch.where(mask.reshape(mask.shape + (1,) * len(rest)), new, x)


def masked_scatter(x: Tensor, mask: Tensor, source: Tensor) -> Any:
    """Write a row's elements one after the other where a mask is true."""
    shape = torch.broadcast_shapes(x.shape, mask.shape)  # type: ignore[no-untyped-call]
    x, mask = x.expand(shape), mask.expand(shape)
    if not source.numel() or not x.numel():
        return x.clone()
    places = mask.reshape(-1).to(torch.int64).cumsum(0) - 1
    last = source.numel() - 1
    found = torch.ops.aten.index(source.reshape(-1), [places.clamp(0, last)])
    return torch.where(mask, found.reshape(shape), x)


def as_strided_scatter(
    x: Tensor,
    src: Tensor,
    size: Sequence[int],
    stride: Sequence[int],
    storage_offset: int | None = None,
) -> Any:
    """Write a tensor to places that stand apart by strides."""
    if not x.is_contiguous() or x.storage_offset():
        return NotImplemented
    rows = torch.arange(x.numel()).as_strided(size, stride, storage_offset or 0)
    return _written(x, rows, src)


def diagonal_scatter(
    x: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    """Write a tensor to a diagonal."""
    rows = torch.arange(x.numel()).reshape(x.shape).diagonal(offset, dim1, dim2)
    return _written(x, rows, src)


def _written(x: Tensor, places: Tensor, src: Tensor) -> Tensor:
    """Write to places of the tensor as a row."""
    new = src.to(x.dtype).expand(places.shape).reshape(-1)
    return x.reshape(-1).scatter(0, places.reshape(-1), new).reshape(x.shape)


def index_reduce(
    x: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
) -> Tensor:
    """Combine slices along an axis with those of another tensor."""
    if x.ndim == 0:
        return index_reduce(
            x[None], 0, index.reshape(-1), source.reshape(-1), reduce, include_self=include_self
        )[0]
    along: list[Any] = [1] * x.ndim
    along[dim] = index.numel()
    places = index.reshape(along).expand(source.shape)
    return torch.scatter_reduce(x, dim, places, source, reduce, include_self=include_self)


def scatter_reduce(
    x: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
) -> Any:
    """Combine elements with those that are written to their places; `mean` rounds down."""
    if reduce != "mean":
        return NotImplemented
    total = torch.scatter_reduce(x, dim, index, src, "sum", include_self=include_self)
    counted = torch.ones_like(src, dtype=torch.int64)
    none = torch.full_like(x, int(include_self), dtype=torch.int64)
    count = none.scatter_add(dim, index, counted).clamp(min=1)
    if x.is_floating_point():
        return total / count.to(x.dtype)
    return torch.div(total, count.to(x.dtype), rounding_mode="floor")


def scatter_number(x: Tensor, dim: int, index: Tensor, value: float) -> Any:
    """Write a number to places of whole numbers, without its fraction as eager does."""
    whole = _without_fraction(value, x.dtype)
    return NotImplemented if whole is value else torch.scatter(x, dim, index, whole)


def scatter_combined(
    x: Tensor, dim: int, index: Tensor, source: Tensor | float, *, reduce: str
) -> Any:
    """Add elements to those at their places, or multiply them."""
    if not isinstance(source, Tensor):
        source = torch.full_like(index, _without_fraction(source, x.dtype), dtype=x.dtype)
    names = {"add": "sum", "multiply": "prod"}
    return torch.scatter_reduce(x, dim, index, source, names[reduce])


def _without_fraction(value: float, dtype: torch.dtype) -> float:
    """Return what whole numbers hold of a number, for any other dtype the number itself."""
    cut = isinstance(value, float) and math.isfinite(value)
    return int(value) if cut and not dtype.is_floating_point and dtype is not torch.bool else value


def max_unpool(x: Tensor, indices: Tensor, output_size: Sequence[int], *_: Any) -> Tensor:
    """Write elements to places of their image, 2-d or 3-d, which are those of no other one."""
    axes = len(output_size)
    before, pixels = x.shape[:-axes], math.prod(output_size)
    flat = x.new_zeros([*before, pixels])
    places, new = (t.reshape([*before, -1]) for t in (indices, x))
    return flat.scatter(-1, places, new).reshape([*before, *output_size])


def nonzero_static(x: Tensor, *, size: int, fill_value: int = -1) -> Tensor:
    """Return where the first elements stand that are not zero, then rows that fill up."""
    if not x.ndim or not x.numel():
        return torch.full((size, x.ndim), fill_value, dtype=torch.int64)
    found = (x != 0).reshape(-1)
    row = found.to(torch.int64).cumsum(0) - 1
    row = torch.where(found & (row < size), row, size)
    none = torch.full((size + 1,), -1, dtype=torch.int64)
    places = none.scatter(0, row, torch.arange(x.numel()))[:size]
    axes: list[Tensor] = []
    rest = places
    for extent in reversed(x.shape):
        axes.insert(0, rest % extent)
        rest = torch.div(rest, extent, rounding_mode="floor")
    return torch.where((places < 0)[:, None], fill_value, torch.stack(axes, 1))
