"""`tvmfuse.tree_scores`: what the leaves of decision trees weigh together that a row ends in.

Several trees are walked at once, each by scalar instructions: a step waits for two loads, those of
other trees meanwhile are under way. The two children of a place are next to each other, so that a
comparison is added to where they begin; a leaf goes on to itself, so that trees which have ended
wait for the deeper ones beside them. Source: Nakandala et al., "A tensor compiler for unified
machine learning prediction serving", OSDI 2020, where it is called tree traversal.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.tirx import Buffer, Stmt

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.lowering.written import INT64, folded, int64, variable
from tvmfuse.ops.traits import Kind, Traits

MOST_TREES: Final = 16
"""Trees that are walked at once."""

ROWS: Final = 16
"""Rows that walk through some trees before the next trees come: their arrays stay in the cache."""

HALF: Final = 32
"""Bits of what is packed into words of 64 bits."""

MISSING_SHIFT: Final = 31
"""Which bit of a place's first word says where NaN goes."""

AGGREGATES: Final[dict[str, tuple[float, Callable[[Expr, Expr], Expr]]]] = {
    "SUM": (0.0, operator.add),
    "MIN": (float("inf"), tirx.min),
    "MAX": (float("-inf"), tirx.max),
}
"""How weights are added up, from what number on."""


def _infer(node: Call) -> Type:
    x, weights = node.args[0].ty, node.args[4].ty
    return relax.TensorType([x.shape.values[0], weights.shape.values[1]], str(x.dtype))


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    nothing, combine = AGGREGATES[str(node.attrs["aggregate"])]
    tells_missing = bool(node.attrs["tells_missing"])

    def compute(x: te.Tensor, *arrays: te.Tensor) -> te.Tensor:
        return te.extern(
            [(x.shape[0], arrays[-1].shape[1])],
            [x, *arrays],
            lambda ins, outs: _kernel(
                [*ins, *outs], tirx.const(nothing, x.dtype), combine, tells_missing=tells_missing
            ),
            dtype=str(x.dtype),
            name="tree_scores",
        )

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="tree_scores",
        primfunc_attrs={"op_pattern": OPAQUE},
    )


def _kernel(
    buffers: list[Buffer],
    nothing: Expr,
    combine: Callable[[Expr, Expr], Expr],
    *,
    tells_missing: bool,
) -> Stmt:
    x, roots, depths, _, weights, _ = buffers
    rows, groups, targets = x.shape[0], int(depths.shape[0]), weights.shape[1]
    trees = int(roots.shape[0]) // groups
    with IRBuilder() as builder:
        given, begin, deep, words, weigh, result = (write.buffer_proxy(b) for b in buffers)

        def step(row: Expr, place: Expr) -> Expr:
            first = variable(words[place, 0])[0]
            bits = MISSING_SHIFT if tells_missing else HALF
            value = given[row, tirx.bitwise_and(first, int64(2**bits - 1))]
            below = tirx.Select(value <= _limit(words[place, 1], str(x.dtype)), int64(1), int64(0))
            if tells_missing:
                # Not `value == value`: TVM takes that for true.
                number = tirx.abs(value) <= tirx.const(float("inf"), x.dtype)
                absent = tirx.bitwise_and(tirx.shift_right(first, int64(MISSING_SHIFT)), int64(1))
                below = tirx.bitwise_or(below, tirx.Select(number, int64(0), absent))
            return tirx.shift_right(first, int64(HALF)) + below

        with write.parallel(0, tirx.floordiv(rows + (ROWS - 1), ROWS)) as block:
            count = tirx.min(int64(ROWS), rows - block * ROWS)
            with write.serial(0, count) as r, write.serial(0, targets) as target:
                result[block * ROWS + r, target] = nothing
            with write.serial(0, groups) as group, write.serial(0, count) as r:
                row = block * ROWS + r
                places = _scalars(trees)
                for tree in range(trees):
                    places[tree] = tirx.Cast(INT64, begin[group * trees + tree])
                with write.serial(0, tirx.Cast(INT64, deep[group])):
                    for tree in range(trees):
                        places[tree] = step(row, variable(places[tree])[0])
                seconds = [words[places[tree], 1] for tree in range(trees)]
                leaves = [variable(tirx.bitwise_and(w, int64(2**HALF - 1)))[0] for w in seconds]
                with write.serial(0, targets) as target:
                    together = folded([weigh[leaf, target] for leaf in leaves], trees, combine)
                    result[row, target] = combine(result[row, target], together)
        return builder.get()


def _scalars(count: int) -> Any:
    """Return an array whose elements LLVM never packs into vectors, for which it would gather.

    That a stack is volatile costs little: what was just stored is loaded again.
    """
    made = write.alloc_buffer((count,), INT64, annotations={"tirx.volatile": True})
    return write.buffer_proxy(made)


def _limit(word: Expr, dtype: str) -> Expr:
    if dtype == "float64":
        return tirx.reinterpret(dtype, word)
    return tirx.reinterpret(dtype, tirx.Cast("int32", tirx.shift_right(word, int64(HALF))))


TREE_SCORES: Final = define(
    "tvmfuse.tree_scores",
    traits=Traits(kind=Kind.OTHER, why="which elements it reads depends on numbers"),
    infer=_infer,
    legalize=_legalize,
    doc="What the leaves of decision trees weigh together.",
)


def tree_scores(
    x: Expr,
    roots: Expr,
    depths: Expr,
    places: Expr,
    weights: Expr,
    *,
    aggregate: str,
    tells_missing: bool,
) -> Call:
    """Walk through decision trees, and add up what the leaves there weigh.

    Args:
        x: Rows of features, (N, F), of float32 or float64.
        roots: Where each tree begins, (T,), int32.
        depths: Steps that T / G trees next to each other take at most, (G,), int32; T / G is a
            power of two.
        places: Two words of each place, (P, 2), int64. Bits of the first: 0 to 30, which feature
            it looks at, below F; 31, whether NaN goes to the second child; 32 to 63, where the
            first child is, behind which the second is. The second word is, in its highest bits,
            the limit, of the dtype of `x`: what is at most that goes to the second child. A leaf
            has the limit NaN and is its own first child; bits 0 to 31 of its second word say which
            leaf it is.
        weights: What leaves weigh, (leaves, targets), of the dtype of `x`.
        aggregate: One of `AGGREGATES`.
        tells_missing: Whether NaN goes to the second child anywhere.

    Returns:
        The weights together, (N, targets), of the dtype of `x`.
    """
    operands = [x, roots, depths, places, weights]
    return call(TREE_SCORES, operands, aggregate=aggregate, tells_missing=tells_missing)
