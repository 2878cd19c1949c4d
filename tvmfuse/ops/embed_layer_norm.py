"""`tvmfuse.embed_layer_norm`: rows of tables, gathered and added, and the norm of their sum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.lowering.broadcasting import broadcast, is_one
from tvmfuse.ops.lowering.norms import Sums, layer_norm
from tvmfuse.ops.traits import Kind, Traits


def _infer(node: Call) -> Type:
    ty = relax.TensorType(_shape(node), node.args[0].ty.dtype)
    return relax.TupleType([ty, ty]) if node.attrs["sums"] else ty


def _shape(node: Call) -> list[Expr]:
    """Return the shape that numbers and addends broadcast to, with a row's length."""
    gathered = 2 * int(node.attrs["tables"])
    numbers = [a.ty.shape.values for a in node.args[1:gathered:2]]
    leading = numbers + [a.ty.shape.values[:-1] for a in node.args[gathered:-2]]
    rank = max(map(len, leading))
    sizes = [[s[d - rank] for s in leading if len(s) >= rank - d] for d in range(rank)]
    wide = [next((n for n in some if not is_one(n)), some[0]) for some in sizes]
    return [*wide, node.args[0].ty.shape.values[1]]


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    epsilon, stored = float(node.attrs["epsilon"]), bool(node.attrs["sums"])
    gathered = 2 * int(node.attrs["tables"])
    shape = _shape(node)

    def compute(*tensors: te.Tensor) -> te.Tensor | list[te.Tensor]:
        *operands, gamma, beta = tensors
        tables, ids, rows = operands[:gathered:2], operands[1:gathered:2], operands[gathered:]
        places = [
            te.compute(shape[:-1], partial(_place, table, numbers), name="places")
            for table, numbers in zip(tables, ids, strict=True)
        ]

        def added(*i: Expr) -> Expr:
            terms = [t(p(*i[:-1]), i[-1]) for t, p in zip(tables, places, strict=True)]
            terms += [r(*broadcast(r.shape, i)) for r in rows]
            total, *others = terms
            for term in others:
                total = total + term
            return total

        if not stored:
            return layer_norm(Sums(shape, gamma.dtype, added), gamma, beta, epsilon=epsilon)
        sums = te.compute(shape, added, name="sums")
        return [layer_norm(sums, gamma, beta, epsilon=epsilon), sums]

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="embed_layer_norm",
        primfunc_attrs={"op_pattern": OPAQUE},
    )


def _place(table: te.Tensor, numbers: te.Tensor, *at: Expr) -> Expr:
    """Return a row of the table for any number: negative ones count from its end."""
    number = numbers(*broadcast(numbers.shape, at))
    return tirx.floormod(number, tirx.Cast(numbers.dtype, table.shape[0]))


EMBED_LAYER_NORM: Final = define(
    "tvmfuse.embed_layer_norm",
    traits=Traits(kind=Kind.OTHER, why="its operands are indices and tables"),
    infer=_infer,
    legalize=_legalize,
    doc="The normalized sum of embeddings.",
)


def embed_layer_norm(
    gathers: Sequence[tuple[Expr, Expr]],
    rows: Sequence[Expr],
    gamma: Expr,
    beta: Expr,
    *,
    epsilon: float,
    sums: bool,
) -> Call:
    """Add rows of tables, and normalize the sums.

    Args:
        gathers: A table, (V, N), and which of its rows are added: integers, in a shape that
            broadcasts to (...). They are taken modulo V.
        rows: What is added as it is; broadcasts to (..., N).
        gamma: What normalized rows are multiplied by, (N,).
        beta: What is added to them, (N,).
        epsilon: Added to each row's variance.
        sums: Whether the result is a tuple of the normalized rows and the sums.
    """
    return call(
        EMBED_LAYER_NORM,
        [*(operand for gather in gathers for operand in gather), *rows, gamma, beta],
        epsilon=float(epsilon),
        sums=sums,
        tables=len(gathers),
    )
