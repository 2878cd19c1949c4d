"""`tvmfuse.tree_leaves`: the leaf of each decision tree that a row of features ends in.

Trees are arrays, and several are walked at once, in the lanes of a vector: a step goes from each
place to one of its children. A leaf is its own child, so that trees which have ended wait for the
deeper ones beside them. Source: Nakandala et al., "A tensor compiler for unified machine learning
prediction serving", OSDI 2020, where it is called tree traversal.
"""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.tirx import Buffer, Stmt

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.traits import Kind, Traits

MOST_LANES: Final = 16

ROWS: Final = 16
"""Rows that walk through some trees before the next trees come: their arrays stay in the cache."""

INT64: Final = "int64"


def _infer(node: Call) -> Type:
    x, roots = node.args[0].ty, node.args[1].ty
    return relax.TensorType([x.shape.values[0], roots.shape.values[0]], "int32")


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    def compute(x: te.Tensor, roots: te.Tensor, *arrays: te.Tensor) -> te.Tensor:
        return te.extern(
            [(x.shape[0], roots.shape[0])],
            [x, roots, *arrays],
            lambda ins, outs: _kernel(*ins, *outs),
            dtype="int32",
            name="tree_leaves",
        )

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="tree_leaves",
        primfunc_attrs={"op_pattern": OPAQUE},
    )


def _kernel(
    x: Buffer,
    roots: Buffer,
    depths: Buffer,
    features: Buffer,
    limits: Buffer,
    children: Buffer,
    result: Buffer,
) -> Stmt:
    rows, groups = x.shape[0], int(depths.shape[0])
    lanes = int(roots.shape[0]) // groups
    tells_missing = int(children.shape[1]) > 2
    with IRBuilder() as builder:
        given, begin, deep = (write.buffer_proxy(b) for b in (x, roots, depths))
        feature, limit, child = (write.buffer_proxy(b) for b in (features, limits, children))
        places = write.buffer_proxy(result)

        def next_place(row: Expr, tree: Expr) -> Expr:
            place = tirx.Cast(INT64, places[row, tree])
            value = given[row, tirx.Cast(INT64, feature[place])]
            zero, one = tirx.const(0, INT64), tirx.const(1, INT64)
            side = tirx.Select(value <= limit[place], zero, one)
            if tells_missing:
                # Not `value == value`: TVM takes that for true.
                number = tirx.abs(value) <= tirx.const(float("inf"), x.dtype)
                side = side + tirx.Select(number, zero, one)
            return child[place, side]

        with (
            write.parallel(0, tirx.floordiv(rows + (ROWS - 1), ROWS)) as block,
            write.serial(0, groups) as group,
            write.serial(0, tirx.min(tirx.const(ROWS, INT64), rows - block * ROWS)) as r,
        ):
            row, first = block * ROWS + r, group * lanes
            with write.vectorized(0, lanes) as lane:
                places[row, first + lane] = begin[first + lane]
            with write.serial(0, tirx.Cast(INT64, deep[group])), write.vectorized(0, lanes) as lane:
                places[row, first + lane] = next_place(row, first + lane)
        return builder.get()


TREE_LEAVES: Final = define(
    "tvmfuse.tree_leaves",
    traits=Traits(kind=Kind.OTHER, why="which elements it reads depends on numbers"),
    infer=_infer,
    legalize=_legalize,
    doc="Where rows end in decision trees.",
)


def tree_leaves(
    x: Expr, roots: Expr, depths: Expr, features: Expr, limits: Expr, children: Expr
) -> Call:
    """Walk through decision trees.

    Args:
        x: Rows of features, (N, F), of float32 or float64.
        roots: Where each tree begins, (T,), int32.
        depths: Steps that T / G trees next to each other take at most, (G,), int32.
        features: Which feature each place looks at, (P,), int32, each below F.
        limits: What it is held against, (P,), of the dtype of `x`.
        children: Where to go on, (P, 2) or (P, 3), int32: up to the limit, above it, and where the
            feature is NaN, which without a third column is above. Those of a leaf are the leaf.

    Returns:
        The places where the trees end, (N, T), int32.
    """
    return call(TREE_LEAVES, [x, roots, depths, features, limits, children])
