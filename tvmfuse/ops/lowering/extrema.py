"""Maxima and minima over axes and windows that keep NaN, and that start at infinity.

TVM's start at the largest finite number, and of a NaN they keep neither it nor what came before it.
ONNX Runtime's answer to NaN depends on where it stands; this is the answer of numpy, of torch, and
of ONNX's reference implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tvm import te, tirx, topi
from tvm.ir import Call, Expr
from tvm.relax import BlockBuilder

Legalize = Callable[[BlockBuilder, Call], Expr]


def larger(a: Expr, b: Expr) -> Expr:
    """Return the larger of two numbers, NaN if one is NaN.

    One comparison is all that waits for `a`: the maximum of a window is a chain of them. It fails
    where `a` is NaN; whether `b` is, is found apart.
    """
    return tirx.Select(b <= greatest(b.ty.dtype), tirx.Select(a < b, b, a), b)


def smaller(a: Expr, b: Expr) -> Expr:
    """Return the smaller of two numbers, NaN if one is NaN; see `larger`."""
    return tirx.Select(b >= least(b.ty.dtype), tirx.Select(a > b, b, a), b)


def is_float(dtype: str) -> bool:
    """Whether a dtype holds NaN and infinities."""
    return str(dtype).startswith(("float", "bfloat"))


def least(dtype: str) -> Expr:
    """Return what no number of a dtype is below."""
    return tirx.const(float("-inf"), dtype) if is_float(dtype) else tirx.min_value(dtype)


def greatest(dtype: str) -> Expr:
    """Return what no number of a dtype is above."""
    return tirx.const(float("inf"), dtype) if is_float(dtype) else tirx.max_value(dtype)


MAXIMUM: Final = te.comm_reducer(larger, least, name="maximum")
_MINIMUM: Final = te.comm_reducer(smaller, greatest, name="minimum")


def _reduction(name: str) -> Legalize:
    keeping, stock = {"max": (MAXIMUM, te.max), "min": (_MINIMUM, te.min)}[name]

    def legalize(bb: BlockBuilder, call: Call) -> Expr:
        x, shape = call.args[0], call.ty.shape.values
        axes = call.attrs.axis
        rank = int(x.ty.ndim)
        reduced = sorted({int(a) % rank for a in axes} if axes is not None else range(rank))
        keepdims = bool(call.attrs.keepdims)
        reduce = keeping if is_float(x.ty.dtype) else stock

        def extremum(x: te.Tensor) -> te.Tensor:
            ks = {a: te.reduce_axis((0, x.shape[a]), name=f"k{a}") for a in reduced}

            def element(*i: Expr) -> Expr:
                kept = iter([i[a] for a in range(rank) if a not in ks] if keepdims else i)
                return reduce(
                    x(*(ks[a].var if a in ks else next(kept) for a in range(rank))),
                    axis=list(ks.values()),
                )

            return te.compute(tuple(shape), element, name=name, tag="comm_reduce")

        return bb.call_te(extremum, x, primfunc_name_hint=name)

    return legalize


def _max_pool(bb: BlockBuilder, call: Call) -> Expr:
    """Pool any number of spatial axes, wherever the layout has them."""
    attrs, shape = call.attrs, call.ty.shape.values
    window, strides, dilation = (
        [int(n) for n in sizes] for sizes in (attrs.pool_size, attrs.strides, attrs.dilation)
    )
    padding = [int(n) for n in attrs.padding]
    spatial = [str(attrs.layout).index(letter) for letter in "DHW"[-len(window) :]]
    places = {axis: place for place, axis in enumerate(spatial)}

    def pool(x: te.Tensor, shape: Sequence[Expr]) -> te.Tensor:
        rank = len(x.shape)
        before, after = [0] * rank, [0] * rank
        for place, axis in enumerate(spatial):
            before[axis] = padding[place]
            reach = (shape[axis] - 1) * strides[place] + (window[place] - 1) * dilation[place] + 1
            # With ceil_mode the last window reaches further than the padding.
            beyond = reach - x.shape[axis] - padding[place]
            after[axis] = tirx.max(beyond, padding[len(window) + place])
        if any(padding) or attrs.ceil_mode:
            x = topi.nn.pad(x, before, after, least(x.dtype), name="pad_temp")
        ks = [te.reduce_axis((0, n), name=f"k{place}") for place, n in enumerate(window)]

        def element(*i: Expr) -> Expr:
            at = list(i)
            for axis, place in places.items():
                at[axis] = i[axis] * strides[place] + ks[place].var * dilation[place]
            return (MAXIMUM if is_float(x.dtype) else te.max)(x(*at), axis=ks)

        return te.compute(tuple(shape), element, name="pool_max", tag="pool_max")

    # As an operand, the shape has the sizes of `x` for its own.
    return bb.call_te(pool, call.args[0], list(shape), primfunc_name_hint="max_pool")


EXTREMA: Final[Mapping[str, Legalize]] = {
    "relax.max": _reduction("max"),
    "relax.min": _reduction("min"),
    **{f"relax.nn.max_pool{n}d": _max_pool for n in (1, 2, 3)},
}
