"""Operators that move elements and compute none."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np
from onnx import NodeProto, numpy_helper
from tvm import relax, tirx
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert import runtime_axes, runtime_shapes, runtime_slices
from tvmfuse.frontend.onnx.convert.broadcast import agree, broadcast_shape, broadcast_to, with_dim
from tvmfuse.frontend.onnx.convert.runtime_numbers import sizes_of
from tvmfuse.frontend.onnx.graph import Graph, Node
from tvmfuse.frontend.onnx.operation import Operation, is_empty, scalar
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops.levels import split_in_levels

FARTHEST: Final = 2**30
"""No diagonal of a matrix is as far from its main one."""

WIDEST: Final = 256
"""Results of one call: who reads one of a tuple looks at the types of all."""


def reshape(op: Operation) -> Expr:
    """Convert Reshape: 0 keeps a dimension, -1 is what remains."""
    x = op.tensor(0)
    if op.has(1) and op.known(1) is None:
        return runtime_shapes.reshape(op)
    wanted = op.dims(1) if op.has(1) else (op.integers("shape") or [])
    shape = reshaped(op, require_shape(x), wanted)
    return runtime_shapes.reshape(op) if shape is None else filling(op, x, shape)


def filling(op: Operation, x: Expr, shape: Sequence[Dim]) -> Expr:
    """Return a reshape, once a constraint or a check says that as many elements come out."""
    total, got = op.symbols.product(require_shape(x)), op.symbols.product(shape)
    if not op.same(total, got):
        x = agree(op, op.emit(in_shape(x, [total])), [got])
    if is_empty(require_shape(x)):
        return relax.op.zeros(relax.ShapeExpr([*shape]), dtype_of(x))  # there is nothing to move
    return in_shape(x, list(shape))


def reshaped(op: Operation, shape: Sequence[Dim], wanted: Sequence[Dim]) -> list[Dim] | None:
    """Return the shape that ONNX Reshape makes of `wanted`.

    Returns:
        None where that takes a division by what may be 0, as only a run can tell.
    """
    result = list(wanted)
    if not op.flag("allowzero"):
        for i, dim in enumerate(result):
            if isinstance(dim, int) and dim == 0:
                op.require(i < len(shape), f"its 0 at {i} keeps a dimension that is not there")
                result[i] = shape[i]
    holes = [i for i, dim in enumerate(result) if isinstance(dim, int) and dim == -1]
    op.require(len(holes) < 2, "more than one -1")
    for dim in result:
        op.require(not isinstance(dim, int) or dim >= -1, f"a dimension of {dim}")
    total = op.symbols.product(shape)
    if holes:
        others = [d for i, d in enumerate(result) if i != holes[0]]
        rest = op.symbols.product(others)
        op.require(not isinstance(rest, int) or rest, "a -1 next to a 0")
        result[holes[0]] = op.symbols.quotient_of_products(shape, others)
        if not op.symbols.equal(op.symbols.product(result), total):
            whole = [op.same(dim, op.symbols.larger(dim, 1)) for dim in others]
            if not all(whole):
                return None
    got = op.symbols.product(result)
    if isinstance(total, int) and isinstance(got, int):
        op.require(total == got, f"{total} elements do not fill the shape {result}")
    return result


def divided(op: Operation, x: Expr, axis: int, by: int) -> Dim:
    """Return how often a number goes into a dimension, which it has to divide."""
    size = require_shape(x)[axis]
    part = op.symbols.quotient(size, by)
    op.require(
        op.same(size, op.symbols.product([part, by])),
        f"whether {by} divides dimension {axis} depends on what the model is fed",
    )
    return part


def flatten(op: Operation) -> Expr:
    """Convert Flatten: the axes before one, and the axes from it on, become one each."""
    x, rank = op.tensor(0), require_rank(op.tensor(0))
    axis = op.integer("axis", 1)
    op.require(-rank <= axis <= rank, f"axis {axis} is out of range for rank {rank}")
    axis += rank if axis < 0 else 0
    shape = require_shape(x)
    rows, columns = op.symbols.product(shape[:axis]), op.symbols.product(shape[axis:])
    return in_shape(x, [rows, columns])


def squeeze(op: Operation) -> Expr | list[Expr | None]:
    """Convert Squeeze; without axes, all dimensions that are 1 go, be it two cases of a symbol."""
    x, rank = op.tensor(0), require_rank(op.tensor(0))
    if has_fed_axes(op):
        return runtime_axes.squeezed(op)
    axes, shape = axes_of(op), require_shape(x)
    if axes is None:
        ones = [op.symbols.simplify(_is_one(dim)) for dim in shape]
        if unsure := [i for i, one in enumerate(ones) if not isinstance(one, bool)]:
            return _squeezed_or_not(op, shape[unsure[0]], ones[unsure[0]])
        axes = [i for i, one in enumerate(ones) if one]
    axes = sorted({require_axis(a, rank) for a in axes})
    for axis in axes:
        dim = shape[axis]
        op.require(not isinstance(dim, int) or dim == 1, f"dimension {axis} is {dim}, not 1")
    x = agree(op, x, [1 if i in axes else dim for i, dim in enumerate(shape)])
    return relax.op.squeeze(x, axes)


def _is_one(dim: Dim) -> Expr | bool:
    return dim == 1 if isinstance(dim, int) else tirx.EQ(dim, tirx.const(1, "int64"))


def _squeezed_or_not(op: Operation, dim: Dim, condition: Expr) -> list[Expr | None]:
    """Convert it twice, with a dimension that is 1 and with one that is not."""
    test = sizes_of(op, [dim]).equals(1).reshaped([])
    inner = NodeProto()
    inner.CopyFrom(op.node.proto)
    inner.output[0] += ":squeezed"
    node = Node(op.name, op.opset, inner)
    graph = Graph((node,), (), node.outputs, {})
    return op.context.chosen(op, test.expr, condition, (graph, graph))


def unsqueeze(op: Operation) -> Expr:
    """Convert Unsqueeze."""
    if has_fed_axes(op):
        return runtime_axes.unsqueezed(op)
    x, axes = op.tensor(0), axes_of(op) or []
    rank = require_rank(x) + len(axes)
    places = sorted(require_axis(a, rank) for a in axes)
    op.require(len(set(places)) == len(places), f"axes {axes} name one axis twice")
    return relax.op.expand_dims(x, places)


def axes_of(op: Operation) -> list[int] | None:
    """Return the axes of a node, an attribute in old opsets and an operand in new ones."""
    if not op.has(1):
        return op.integers("axes")
    none = op.known(1) is None and require_shape(op.tensor(1)) == [0]
    return [] if none else op.known_integers(1)


def has_fed_axes(op: Operation) -> bool:
    """Whether a node's axes show as the model runs; that there are none is known before."""
    return op.has(1) and op.known(1) is None and require_shape(op.tensor(1)) != [0]


def transpose(op: Operation) -> Expr:
    """Convert Transpose; without perm, the axes are reversed."""
    x, rank = op.tensor(0), require_rank(op.tensor(0))
    perm = op.integers("perm") or list(reversed(range(rank)))
    op.require(sorted(perm) == list(range(rank)), f"perm {perm} is no order of {rank} axes")
    return relax.op.permute_dims(x, perm)


def concat(op: Operation) -> Expr:
    """Convert Concat."""
    tensors = op.tensors()
    axis = require_axis(op.integer("axis", 1), require_rank(tensors[0]))
    return relax.op.concat(_agreeing(op, tensors, axis), axis)


def _agreeing(op: Operation, tensors: list[Expr], axis: int) -> list[Expr]:
    """Return the tensors with one symbol for each dimension that has to agree."""
    shapes = [require_shape(t) for t in tensors]
    wanted = [
        next((s[i] for s in shapes if isinstance(s[i], int)), shapes[0][i])
        for i in range(len(shapes[0]))
    ]
    result = []
    for tensor, shape in zip(tensors, shapes, strict=True):
        op.require(len(shape) == len(wanted), "its operands have different ranks")
        said = [d if i == axis else w for i, (d, w) in enumerate(zip(shape, wanted, strict=True))]
        result.append(agree(op, tensor, said))
    return result


def split(op: Operation) -> Expr | list[Expr]:
    """Convert Split: into given sizes, or into equal parts of which the last may be smaller."""
    x = op.tensor(0)
    axis = require_axis(op.integer("axis", 0), require_rank(x))
    size, parts = require_shape(x)[axis], len(op.node.outputs)
    if op.has(1) and ((given := op.known(1)) is None or not given.is_concrete):
        made = runtime_slices.split(op, axis)
        op.require(len(made) == parts, f"it has {parts} outputs and {len(made)} sizes")
        return made
    sizes = op.known_integers(1) if op.has(1) else op.integers("split")
    if sizes is None:
        if not isinstance(size, int):
            return _equal_parts(op, x, axis, parts)
        part = -(-size // parts)
        sizes = [max(min(part, size - part * i), 0) for i in range(parts)]
    op.require(len(sizes) == parts, f"it has {parts} outputs and {len(sizes)} sizes")
    op.require(min(sizes) >= 0, f"its sizes are {sizes}")
    op.require(not isinstance(size, int) or sum(sizes) == size, f"{sizes} do not add up to {size}")
    x = with_dim(op, x, axis, sum(sizes))
    if parts == 1:
        return relax.op.strided_slice(x, [axis], [0], [sum(sizes)])
    ends = [*itertools.accumulate(sizes[:-1])]
    if 0 in sizes:  # relax.split has no empty parts
        starts = [0, *ends]
        return [
            relax.op.strided_slice(x, [axis], [start], [start + part])
            for start, part in zip(starts, sizes, strict=True)
        ]
    if parts > WIDEST:
        return split_in_levels(
            x, sizes, WIDEST, lambda x, e: relax.op.split(x, [*e], axis), op.emit
        )
    result = op.emit(relax.op.split(x, ends, axis))
    return [relax.TupleGetItem(result, i) for i in range(parts)]


def _equal_parts(op: Operation, x: Expr, axis: int, parts: int) -> list[Expr]:
    """Split a symbolic dimension; before opset 18 it has to be a multiple of the parts."""
    size, symbols = require_shape(x)[axis], op.symbols
    if op.opset < 18:
        each = symbols.quotient(size, parts)
        if not symbols.equal(each * parts, size):
            even = (sizes_of(op, [size]) % parts).equals(0)
            runtime_shapes.ensure(even, "its parts are equal")
        bounds = [symbols.simplify(each * nth) for nth in range(parts + 1)]
    else:  # where there are few, the last parts have none
        each = symbols.quotient(size + (parts - 1), parts)
        later = (symbols.smaller(each * nth, size) for nth in range(2, parts))
        bounds = [0, each, *later, size]
    return [
        op.emit(relax.op.strided_slice(x, [axis], [begin], [end], assume_inbound=True))
        for begin, end in itertools.pairwise(bounds)
    ]


def expand(op: Operation) -> Expr:
    """Convert Expand: numpy's broadcasting, in both directions."""
    x = op.tensor(0)
    if op.known(1) is None:
        return runtime_shapes.expand(op)
    asked = op.dims(1)
    shape = broadcast_shape(op, [asked, require_shape(x)])
    lead = len(shape) - len(asked)
    for place, (asks, gets) in enumerate(zip(asked, shape[lead:], strict=True), lead):
        if not op.same(asks, *broadcast_to(op, [asks], [gets]), sure=False):
            shape[place] = asks  # that is checked of the tensor
    x = agree(op, x, broadcast_to(op, require_shape(x), shape), sure=False)
    return relax.op.broadcast_to(x, shape)


def depth_to_space(op: Operation) -> Expr:
    """Convert DepthToSpace: (N, C, H, W) to (N, C / b^2, H b, W b)."""
    x, b = op.tensor(0), op.integer("blocksize", 1)
    n, _, h, w = require_shape(x)
    depth = divided(op, x, 1, b * b)
    if op.text("mode", "DCR") == "DCR":
        blocks, order = [n, b, b, depth, h, w], [0, 3, 4, 1, 5, 2]
    else:
        blocks, order = [n, depth, b, b, h, w], [0, 1, 4, 2, 5, 3]
    moved = op.emit(relax.op.permute_dims(op.emit(in_shape(x, blocks)), order))
    return in_shape(moved, [n, depth, h * b, w * b])


def space_to_depth(op: Operation) -> Expr:
    """Convert SpaceToDepth: (N, C, H, W) to (N, C b^2, H / b, W / b)."""
    x, b = op.tensor(0), op.integer("blocksize", 1)
    n, c, _, _ = require_shape(x)
    rows, columns = divided(op, x, 2, b), divided(op, x, 3, b)
    blocks = op.emit(in_shape(x, [n, c, rows, b, columns, b]))
    order = [0, 3, 5, 1, 2, 4] if op.text("mode", "DCR") == "DCR" else [0, 1, 3, 5, 2, 4]
    moved = op.emit(relax.op.permute_dims(blocks, order))
    return in_shape(moved, [n, c * b * b, rows, columns])


def trilu(op: Operation) -> Expr:
    """Convert Trilu: the upper or the lower triangle, from the k-th diagonal on."""
    if op.has(1) and op.known(1) is None:
        return runtime_axes.triangle(op)
    k = op.known_integers(1)[0] if op.has(1) else 0
    triangle = relax.op.triu if op.flag("upper", default=True) else relax.op.tril
    return triangle(op.tensor(0), max(-FARTHEST, min(k, FARTHEST)))


def constant_of_shape(op: Operation) -> Expr:
    """Convert ConstantOfShape."""
    given = op.attribute("value")
    fill = np.zeros(1, np.float32) if given is None else numpy_helper.to_array(given)
    return filled(runtime_shapes.dims_of(op, 0), fill.reshape(-1)[0], fill.dtype.name)


def filled(shape: Sequence[Dim], number: float, dtype: str) -> Expr:
    """Return a tensor that has one number everywhere."""
    if np.isfinite(number):
        return relax.op.full(shape, scalar(number, dtype), dtype)
    return relax.op.broadcast_to(scalar(number, dtype), shape)  # relax.full fails on infinity
