"""`tvmfuse.attention`: scaled dot-product attention, ``softmax(q @ k.T * scale + mask) @ v``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ir.bfloat16 import BFLOAT16, cast_to_bfloat16
from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.lowering.broadcasting import broadcast
from tvmfuse.ops.lowering.half import in_float32
from tvmfuse.ops.summed_in import summed_in
from tvmfuse.ops.traits import Kind, Traits

STAGES: Final = tuple(
    f"attention_{name}"
    for name in ("products", "scores", "peaks", "exps", "totals", "weights", "sums")
)
"""The names of the kernel's stages, by which its schedule knows them."""

ROUNDED: Final = "attention_rounded"
"""The name of the stage behind them where results are bfloat16."""

AXES: Final = "bshd"
"""Batch, sequence, heads, and the elements of one head."""


def dimension(axes: str, name: str) -> int:
    """Return which dimension of an operand is batch, sequence, head or element.

    >>> dimension("bs0hd", "h")
    3
    """
    return axes.index(name)


def _infer(node: Call) -> Type:
    q, _, v = (a.ty.shape.values for a in node.args[:3])
    of_q, _, of_v = _axes(node)
    sizes = [q[dimension(of_q, name)] for name in "bsh"]
    dtype = str(node.args[0].ty.dtype)
    dtype = summed_in(dtype, dtype, wide=node.attrs["wide"])
    return relax.TensorType([*sizes, v[dimension(of_v, "d")]], dtype)


def _axes(node: Call) -> tuple[str, str, str]:
    return node.attrs["q_axes"], node.attrs["k_axes"], node.attrs["v_axes"]


def _reader(x: te.Tensor, axes: str, heads: Expr) -> Callable[[Expr, Expr, Expr, Expr], Expr]:
    """Return a function that reads an operand at batch, place in the sequence, head, element.

    Where it has fewer heads than there are, as many neighbours read each of its own.
    """
    own = x.shape[dimension(axes, "h")]
    fixed = isinstance(own, tirx.IntImm) and isinstance(heads, tirx.IntImm)
    gqa_group_size = int(heads) // max(int(own), 1) if fixed else 1

    def read(b: Expr, s: Expr, h: Expr, d: Expr) -> Expr:
        head = h if gqa_group_size == 1 else tirx.floordiv(h, gqa_group_size)
        named = dict(zip(AXES, (b, s, head, d), strict=True))
        return x(*(named[a] if a in named else int(a) for a in axes))

    return read


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    lowering = _in_stages if str(node.args[0].ty.dtype) == BFLOAT16 else in_float32(_in_stages)
    return lowering(bb, node)


def _in_stages(bb: relax.BlockBuilder, node: Call) -> Expr:
    scale, empty = float(node.attrs["scale"]), bool(node.attrs["zero_masked_rows"])
    of_q, of_k, of_v = _axes(node)

    def compute(q: te.Tensor, k: te.Tensor, v: te.Tensor, *more: te.Tensor) -> te.Tensor:
        dtype = "float32" if q.dtype == BFLOAT16 else q.dtype
        mask, zero_where = more[: node.attrs["masked"]], more[node.attrs["masked"] :]
        batch, length, heads, width = node.ty.shape.values
        keys, inner = k.shape[dimension(of_k, "s")], k.shape[dimension(of_k, "d")]
        queries_at, keys_at, values_at = (
            _reader(x, axes, heads) for x, axes in ((q, of_q), (k, of_k), (v, of_v))
        )
        c, j = te.reduce_axis((0, inner), name="c"), te.reduce_axis((0, keys), name="j")
        products = te.compute(
            (batch, heads, length, keys),
            lambda b, h, i, j: te.sum(
                queries_at(b, i, h, c).astype(dtype) * keys_at(b, j, h, c).astype(dtype), axis=c
            ),
            name=STAGES[0],
        )

        def score(*at: te.Var) -> Expr:
            value = products(*at) * tirx.const(scale, dtype)
            if not mask:
                return value
            return value + mask[0](*broadcast(mask[0].shape, at)).astype(dtype)

        scores = te.compute(products.shape, score, name=STAGES[1])
        peaks = te.compute(
            (batch, heads, length),
            lambda b, h, i: te.max(scores(b, h, i, j), axis=j),
            name=STAGES[2],
        )
        exps = te.compute(
            products.shape,
            lambda b, h, i, j: tirx.exp(scores(b, h, i, j) - peaks(b, h, i)),
            name=STAGES[3],
        )
        totals = te.compute(
            (batch, heads, length),
            lambda b, h, i: te.sum(exps(b, h, i, j), axis=j),
            name=STAGES[4],
        )

        def weight(b: te.Var, h: te.Var, i: te.Var, j: te.Var) -> Expr:
            share = exps(b, h, i, j) / totals(b, h, i)
            # Shares are NaN where the total is: of a NaN, or of scores that are all infinite; and
            # where it is 0, as the largest finite number takes the place of a peak of -inf.
            zero = tirx.const(0, dtype)
            if zero_where:
                where = zero_where[0](*broadcast(zero_where[0].shape, (b, h, i, j)))
                share = tirx.Select(where, zero, share)
            return tirx.Select(totals(b, h, i) > zero, share, zero) if empty else share

        weights = te.compute(products.shape, weight, name=STAGES[5])
        sums = te.compute(
            (batch, length, heads, width),
            lambda b, i, h, d: te.sum(
                weights(b, h, i, j) * values_at(b, j, h, d).astype(dtype), axis=j
            ),
            name=STAGES[6],
        )
        if str(node.ty.dtype) == dtype or dtype == q.dtype:
            return sums
        return te.compute(sums.shape, lambda *at: cast_to_bfloat16(sums(*at)), name=ROUNDED)

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="attention",
        primfunc_attrs={"op_pattern": OPAQUE},
    )


ATTENTION: Final = define(
    "tvmfuse.attention",
    traits=Traits(
        kind=Kind.OTHER, why="a product of products, with a softmax between", reads_memory=True
    ),
    infer=_infer,
    legalize=_legalize,
    computes=False,
    doc="Scaled dot-product attention.",
)


def attention(
    q: Expr,
    k: Expr,
    v: Expr,
    mask: Expr | None = None,
    zero_where: Expr | None = None,
    *,
    scale: float,
    q_axes: str = AXES,
    k_axes: str = AXES,
    v_axes: str = AXES,
    zero_masked_rows: bool = False,
    wide: bool = False,
) -> Call:
    """Weigh values by the softmax of products of queries and keys (Vaswani et al., 2017).

    Queries of float32 may meet keys, values and a mask that are stored in half of it. What is
    bfloat16 is computed in float32, and results are rounded once.

    Args:
        q: Queries, of shape (B, S, H, D) or in the order that `q_axes` says.
        k: Keys, (B, T, H, D); or with fewer heads, a divisor of H, each of which as many
            neighbouring heads of queries share (Ainslie et al., "GQA", 2023).
        v: Values, (B, T, H, E), likewise.
        mask: Added to the scaled products; broadcasts to (B, H, S, T). None for none.
        zero_where: Where it is true the softmax is replaced by 0; bool, broadcasts likewise.
        scale: Of the products.
        q_axes: What the dimensions of `q` are: batch, sequence, head, element; a digit stands for
            a dimension that is read at that index only, as in packed projections, ``"bs0hd"``.
        k_axes: Likewise.
        v_axes: Likewise.
        zero_masked_rows: Whether a query whose weights are NaN, as where the mask leaves it no key,
            gets weights of zero.
        wide: Whether results of queries in bfloat16 stay float32.

    Returns:
        Shape (B, S, H, E), of the queries' type unless `wide`.
    """
    return call(
        ATTENTION,
        [q, k, v, mask, zero_where],
        masked=int(mask is not None),
        scale=float(scale),
        q_axes=q_axes,
        k_axes=k_axes,
        v_axes=v_axes,
        zero_masked_rows=zero_masked_rows,
        wide=wide,
    )
