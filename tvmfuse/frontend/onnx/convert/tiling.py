"""Tile: a tensor as often as is asked for, along each axis.

Where it is not fixed how often, each axis is read at the remainders of its places: one index for
each axis. A broadcast that is reshaped would divide the number of an element by products of sizes,
which TVM's analysis takes forever to simplify.
"""

from __future__ import annotations

from collections.abc import Sequence

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.runtime_shapes import dims_of
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.frontend.symbols import Dim


def tile(op: Operation) -> Expr:
    """Convert Tile."""
    x = op.tensor(0)
    repeats = dims_of(op, 1) if op.opset >= 6 else _along_one_axis(op, require_rank(x))
    op.require(len(repeats) == require_rank(x), "it has not one number for each dimension")
    fixed = [r for r in repeats if isinstance(r, int)]
    op.require(all(r >= 0 for r in fixed), f"its repeats are {repeats}; expected 0 or more")
    if len(fixed) == len(repeats):
        return relax.op.tile(x, fixed)
    for axis, repeat in enumerate(repeats):
        x = _repeated(op, x, axis, repeat)
    return x


def _along_one_axis(op: Operation, rank: int) -> Sequence[Dim]:
    """Return how often opset 1 tiles each axis, of which it names one."""
    repeats: list[Dim] = [1] * rank
    repeats[require_axis(op.known_integers(2)[0], rank)] = op.known_integers(1)[0]
    return repeats


def _repeated(op: Operation, x: Expr, axis: int, repeat: Dim) -> Expr:
    shape = require_shape(x)
    size = shape[axis]
    if op.symbols.equal(repeat, 1):
        return x
    if isinstance(size, int) and size == 1:
        return op.emit(relax.op.broadcast_to(x, [*shape[:axis], repeat, *shape[axis + 1 :]]))
    count = relax.op.arange(0, op.symbols.product([size, repeat]), 1, "int64")
    own = (
        relax.const(size, "int64")
        if isinstance(size, int)
        else op.emit(relax.op.shape_to_tensor(relax.ShapeExpr([size])))
    )
    places = op.emit(relax.op.floor_mod(op.emit(count), own))
    return op.emit(relax.op.take(x, places, axis, mode="fast"))
