"""Where maxima and minima stand: the first of equal ones, and the first NaN where there is one.

TVM's answer is no place at all where every number is infinite, and the last of several NaN. This is
the answer of numpy, of torch, and of ONNX's reference implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from tvm import te, tirx
from tvm.ir import Call, Expr
from tvm.relax import BlockBuilder

from tvmfuse.ops.lowering.extrema import greatest, is_float, larger, least, smaller
from tvmfuse.ops.lowering.half import read_as_float32

Legalize = Callable[[BlockBuilder, Call], Expr]
Best: TypeAlias = tuple[Expr, Expr]
"""Where the best number so far stands, int64, and that number."""

INT64: Final = "int64"


def _ordered(x: Expr) -> Expr:
    """Whether a number is none but NaN, in words that TVM does not simplify."""
    return tirx.abs(x) <= tirx.const(float("inf"), x.ty.dtype)


def _place(beats: Callable[[Expr, Expr], Expr], left: Best, right: Best) -> Expr:
    (i, x), (j, y) = left, right
    first = tirx.min(i, j)
    if is_float(x.ty.dtype):
        unordered = tirx.Select(_ordered(x), j, tirx.Select(_ordered(y), i, first))
        first = tirx.Select(x.equal(y), first, unordered)
    return tirx.Select(beats(x, y), i, tirx.Select(beats(y, x), j, first))


def _reduction(name: str) -> Legalize:
    is_max = name == "argmax"
    better, worst = (larger, least) if is_max else (smaller, greatest)

    def beats(a: Expr, b: Expr) -> Expr:
        return a > b if is_max else a < b

    reduce = te.comm_reducer(
        lambda left, right: (_place(beats, left, right), better(left[1], right[1])),
        lambda i, x: (tirx.max_value(i), worst(x)),
        name=name,
    )

    def legalize(bb: BlockBuilder, call: Call) -> Expr:
        shape = call.ty.shape.values
        rank = int(call.args[0].ty.ndim)
        axis = None if call.attrs.axis is None else int(call.attrs.axis) % rank
        keepdims = bool(call.attrs.keepdims)

        def extremum(x: te.Tensor) -> te.Tensor:
            reduced = range(rank) if axis is None else [axis]
            ks = {a: te.reduce_axis((0, x.shape[a]), name=f"k{a}") for a in reduced}
            place: Expr = tirx.const(0, INT64)
            for a, k in ks.items():
                place = place * x.shape[a] + k.var.astype(INT64)

            def element(*i: Expr) -> tuple[Expr, Expr]:
                kept = iter([i[a] for a in range(rank) if a not in ks] if keepdims else i)
                at = [ks[a].var if a in ks else next(kept) for a in range(rank)]
                found: tuple[Expr, Expr] = reduce((place, x(*at)), axis=list(ks.values()))
                return found

            places, _ = te.compute(tuple(shape), element, name=name)
            return te.compute(tuple(shape), lambda *i: places(*i), name=name, tag="comm_reduce_idx")

        return bb.call_te(extremum, call.args[0], primfunc_name_hint=name)

    return legalize


ARG_EXTREMA: Final[Mapping[str, Legalize]] = {
    f"relax.{name}": read_as_float32(_reduction(name)) for name in ("argmax", "argmin")
}
