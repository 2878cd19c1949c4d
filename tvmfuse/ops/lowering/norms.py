"""Normalizations of rows: layer norm and RMS norm, alone or after the sum that they normalize.

The stages of a kernel all run over the same rows, so that its schedule computes it row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from tvm import te, tirx
from tvm.ir import Call, Expr, Op
from tvm.relax import BlockBuilder

from tvmfuse.ops.lowering.half import Legalize, in_float32


@dataclass(frozen=True)
class Sums:
    """A tensor that takes no memory: its elements are added up wherever they are read.

    A normalization reads them three times, of rows that are near; that is cheaper than to store
    them.

    Attributes:
        shape: Its own.
        dtype: Its own.
        element: What stands at the given indices.
    """

    shape: Sequence[Expr]
    dtype: str
    element: Callable[..., Expr]

    def __call__(self, *at: Expr) -> Expr:
        """Return an element, as tensors do."""
        return self.element(*at)


def layer_norm(
    x: te.Tensor | Sums, gamma: te.Tensor, beta: te.Tensor, *, epsilon: float
) -> te.Tensor:
    """Normalize over the last dimensions, which are those of `gamma` and `beta`."""
    outer = len(x.shape) - len(gamma.shape)
    normal = normalize(x, len(gamma.shape), epsilon=epsilon)
    return te.compute(
        x.shape,
        lambda *i: normal(*i) * gamma(*i[outer:]) + beta(*i[outer:]),
        name="layer_norm",
    )


def normalize(x: te.Tensor | Sums, inner: int, *, epsilon: float) -> Callable[..., Expr]:
    """Return what stands at given indices where each row has the mean 0 and the variance 1.

    The variance is the mean square of what the mean leaves: a difference of two large means would
    lose its digits.

    Args:
        x: Of any shape.
        inner: How many of its last dimensions are a row.
        epsilon: Added to each row's variance.
    """
    outer, over, size = _rows(x, inner)
    totals = te.compute(outer, lambda *i: te.sum(x(*i, *over), axis=over), name="totals")
    means = te.compute(outer, lambda *i: totals(*i) / size, name="means")

    def centered(*i: Expr) -> Expr:
        return x(*i) - means(*i[: len(outer)])

    factors = _factors(x, inner, lambda *i: centered(*i) * centered(*i), epsilon)
    return lambda *i: centered(*i) * factors(*i[: len(outer)])


def rms_norm(x: te.Tensor | Sums, gamma: te.Tensor, *, epsilon: float) -> te.Tensor:
    """Divide by the root of the mean square over the last dimensions, which are `gamma`'s."""
    inner = len(gamma.shape)
    outer = len(x.shape) - inner
    factors = _factors(x, inner, lambda *i: x(*i) * x(*i), epsilon)
    return te.compute(
        x.shape,
        lambda *i: x(*i) * factors(*i[:outer]) * gamma(*i[outer:]),
        name="rms_norm",
    )


def _factors(
    x: te.Tensor | Sums, inner: int, square: Callable[..., Expr], epsilon: float
) -> te.Tensor:
    """Return what each row is multiplied by: one over the root of its mean square."""
    outer, over, size = _rows(x, inner)
    squares = te.compute(outer, lambda *i: te.sum(square(*i, *over), axis=over), name="squares")
    return te.compute(
        outer,
        lambda *i: tirx.rsqrt(squares(*i) / size + tirx.const(epsilon, x.dtype)),
        name="factors",
    )


def _rows(x: te.Tensor | Sums, inner: int) -> tuple[list[Expr], list[tirx.IterVar], Expr]:
    """Return the shape of all rows, the axes within one, and the number of its elements."""
    outer, sizes = list(x.shape[:-inner]), list(x.shape[-inner:])
    over = [te.reduce_axis((0, size), name=f"k{d}") for d, size in enumerate(sizes)]
    # Of rows without elements nothing is stored, but 0 / 0 is refused.
    return outer, over, tirx.Cast(x.dtype, tirx.max(prod(sizes), 1))


def _at_the_end(name: str, compute: Callable[..., te.Tensor]) -> Legalize:
    """Lower norms over the last dimensions; others, which ONNX does not have, are TVM's."""
    stock: Legalize = Op.get(name).get_attr("FLegalize")

    def norm(bb: BlockBuilder, call: Call) -> Expr:
        hint, epsilon = name.rpartition(".")[2], float(call.attrs.epsilon)
        return bb.call_te(compute, *call.args, epsilon=epsilon, primfunc_name_hint=hint)

    def lowering(bb: BlockBuilder, call: Call) -> Expr:
        rank = call.ty.ndim
        axes = [int(a) % rank for a in call.attrs.axes]
        last = axes == list(range(rank - len(axes), rank))
        return (in_float32(norm) if last else stock)(bb, call)

    return lowering


NORMS: Final[Mapping[str, Legalize]] = {
    "relax.nn.layer_norm": _at_the_end("relax.nn.layer_norm", layer_norm),
    "relax.nn.rms_norm": _at_the_end("relax.nn.rms_norm", rms_norm),
}
