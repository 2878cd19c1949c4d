"""Averages over windows, whose numbers of elements are products of floats.

TVM multiplies the lines and the columns of a window that are there as integers of 64 bits, in each
element of a vector, and then makes a float of them. As floats, whose product is exact as well, the
columns' number is the same for all lines, and is found once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import tvm_ffi
from tvm import te, tirx
from tvm.ir import Call, Expr, Var
from tvm.relax import BlockBuilder
from tvm.tirx import Cast

from tvmfuse._tvm import STOCK_LOWERINGS
from tvmfuse.ops.lowering.half import Legalize


def with_float_counts(legalize: Legalize) -> Legalize:
    """Let a lowering of an average pool count in floats.

    Args:
        legalize: Calls nothing of its builder but `call_te`, with a compute that returns the pool.
    """

    def lowering(bb: BlockBuilder, call: Call) -> Expr:
        return legalize(_Counting(bb), call)

    return lowering


class _Counting:
    """A builder of average pools that count in floats."""

    def __init__(self, builder: BlockBuilder) -> None:
        self._builder = builder

    def call_te(self, compute: Callable[..., te.Tensor], *args: Any, **options: Any) -> Expr:
        def counting(*args: Any, **options: Any) -> te.Tensor:
            return _in_floats(compute(*args, **options))

        return self._builder.call_te(counting, *args, **options)


def _in_floats(pool: te.Tensor) -> te.Tensor:
    (value,) = pool.op.body
    counted = tvm_ffi.structural_map(value, (Cast, _product_of_floats))

    def element(*place: Expr) -> Expr:
        axes = (axis.var for axis in pool.op.axis)
        values = dict(zip(axes, place, strict=True))
        return tvm_ffi.structural_map(counted, (Var, lambda var: values.get(var, var)))

    return te.compute(pool.shape, element, name=pool.op.name, tag=pool.op.tag)


def _product_of_floats(count: Cast) -> Expr:
    """Return ``float(a * b)`` as ``float(a) * float(b)``; of ``max(a * b, 1)`` each is 1 at least.

    Where a window has no elements, one factor is 0, and its sum is 0, whatever it is divided by.
    """
    value, least = count.value, None
    if isinstance(value, tirx.Max):
        value, least = value.a, value.b
    if not isinstance(value, tirx.Mul):
        return count
    product: Expr | None = None
    for factor in _factors(value):
        found = Cast(count.ty.dtype, factor if least is None else tirx.max(factor, least))
        product = found if product is None else product * found
    assert product is not None
    return product


def _factors(expr: Expr) -> list[Expr]:
    return [*_factors(expr.a), *_factors(expr.b)] if isinstance(expr, tirx.Mul) else [expr]


AVERAGE_POOLS: Final[Mapping[str, Legalize]] = {
    name: with_float_counts(STOCK_LOWERINGS[name])
    for name in (f"relax.nn.avg_pool{n}d" for n in (1, 2, 3))
}
