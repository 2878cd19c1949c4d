"""Gathering and scattering by several indices."""

from __future__ import annotations

from collections.abc import Sequence

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.indices import clamped, indices_of
from tvmfuse.frontend.onnx.convert.broadcast import agree, at_most, with_dim
from tvmfuse.frontend.onnx.operation import Operation, is_empty
from tvmfuse.frontend.require import (
    require_axis,
    require_rank,
    require_shape,
)
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops import identity, write_rows


def gather_elements(op: Operation) -> Expr:
    """Convert GatherElements."""
    x, axis = op.tensor(0), require_axis(op.integer("axis", 0), require_rank(op.tensor(0)))
    indices = _beside(op, x, op.tensor(1), axis)
    return relax.op.gather_elements(x, safe_indices(op, indices, [require_shape(x)[axis]]), axis)


def gather_nd(op: Operation) -> Expr:
    """Convert GatherND."""
    x, indices, batch = op.tensor(0), op.tensor(1), op.integer("batch_dims", 0)
    op.require(
        batch < min(require_rank(x), require_rank(indices)), f"it has no {batch} batch dimensions"
    )
    indices = agree(op, indices, [*require_shape(x)[:batch], *require_shape(indices)[batch:]])
    rank = op.node.stated_rank
    told = None if rank is None else require_rank(x) + require_rank(indices) - 1 - batch - rank
    return relax.op.gather_nd(x, _coordinates(op, indices, require_shape(x)[batch:], told), batch)


def scatter_elements(op: Operation) -> Expr:
    """Convert ScatterElements, and Scatter, its name before opset 11."""
    x, updates = op.tensor(0), op.tensor(2)
    axis = require_axis(op.integer("axis", 0), require_rank(x))
    indices = safe_indices(op, _beside(op, x, op.tensor(1), axis), [require_shape(x)[axis]])
    updates = agree(op, updates, require_shape(indices))
    if is_empty(require_shape(indices)):
        return identity(x)
    return relax.op.scatter_elements(x, indices, updates, axis, _reduction(op))


def scatter_nd(op: Operation) -> Expr:
    """Convert ScatterND."""
    x, indices, updates = op.tensor(0), op.tensor(1), op.tensor(2)
    told = require_rank(indices) - 1 + require_rank(x) - require_rank(updates)
    indices = _coordinates(op, indices, require_shape(x), told)
    *places, count = require_shape(indices)
    shape = [*places, *require_shape(x)[count:]]
    updates = agree(op, updates, shape)
    if is_empty(shape):
        return identity(x)
    if count == 1 and len(places) == 1 and _reduction(op) == "update":
        return write_rows(x, op.emit(in_shape(indices, places)), updates, axis=0)
    return relax.op.scatter_nd(x, indices, updates, _reduction(op))


def max_unpool(op: Operation) -> Expr:
    """Convert MaxUnpool: each number goes to a place of the whole output."""
    op.require(not op.has(2), "its operand output_shape is not compiled")
    x, kernel = op.tensor(0), op.integers("kernel_shape") or []
    shape, axes = require_shape(x), len(kernel)
    strides = op.integers("strides") or [1] * axes
    pads = op.integers("pads") or [0] * 2 * axes
    fitting = [axes + 2, len(strides) + 2, len(pads) // 2 + 2] == [len(shape)] * 3
    op.require(fitting, f"its window has {axes} dimensions, and its tensor {len(shape)}")
    whole = shape[:2]
    for axis, size in enumerate(shape[2:]):
        cut = pads[axis] + pads[axis + axes]
        whole.append(op.symbols.simplify((size - 1) * strides[axis] + kernel[axis] - cut))
    filled = all(op.symbols.require_non_negative(size - 1) for size in whole)
    op.require(filled, f"of its output's dimensions {whole} one is empty")
    count, product = op.symbols.product(whole), op.symbols.product(shape)
    places = safe_indices(op, agree(op, op.tensor(1), shape), [count], from_back=False)
    flat = [op.emit(in_shape(t, [product])) for t in (places, x)]
    nothing = op.emit(relax.op.zeros(relax.ShapeExpr([count]), dtype_of(x)))
    return in_shape(relax.op.scatter_elements(nothing, *flat, 0), whole)


def _beside(op: Operation, x: Expr, indices: Expr, axis: int) -> Expr:
    """Return indices that reach no further than the tensor, but along the axis that they index."""
    own, limits = require_shape(indices), require_shape(x)
    op.require(len(own) == len(limits), "its indices and its tensor have different ranks")
    limits[axis] = own[axis]
    return at_most(op, indices, limits)


def _reduction(op: Operation) -> str:
    kind = op.text("reduction", "none")
    return "update" if kind == "none" else kind


def _coordinates(op: Operation, indices: Expr, sizes: Sequence[Dim], told: int | None) -> Expr:
    """Return safe indices whose last axis runs over the dimensions that they point into.

    Args:
        op: For whose sake.
        indices: Of any shape.
        sizes: Of the dimensions that there are.
        told: To how many of them ranks say that they point, for where their own shape does not.
    """
    said = require_shape(indices)[-1]
    count = said if isinstance(said, int) else 1 if len(sizes) == 1 else told
    if count is None:
        op.refuse(
            f"how many dimensions it indexes is not fixed: {said}, and the model states no rank of "
            "its result"
        )
    op.require(0 < count <= len(sizes), f"it indexes {count} dimensions of {len(sizes)}")
    return safe_indices(op, with_dim(op, indices, -1, count), sizes[:count])


def safe_indices(
    op: Operation, given: Expr, sizes: Sequence[Dim], *, from_back: bool = True
) -> Expr:
    """Return indices counted from the front, none of which reaches beside the elements.

    The arguments are those of `indices_of`.
    """
    found = indices_of(op, given, sizes, from_back=from_back)
    return found.tensor if found.are_in_range else clamped(op, found.tensor, sizes)
