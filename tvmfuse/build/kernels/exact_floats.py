"""Differences and comparisons of floats that TVM would cancel out.

Its simplifier takes ``x - x`` for 0, ``(x + y) - y`` for x, and ``x == x`` for true. With NaN,
infinities, and sums that are rounded, none of it is so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import EQ, NE, Add, PrimFunc, Select, Sub

#: Of these TVM's code generator changes no bits, but widens them for each operation.
WIDENED: Final = "bfloat16"


def with_exact_floats(function: PrimFunc) -> PrimFunc:
    """Return a kernel in which TVM sees no two floats of one expression as equal.

    One of them is handed over as bits; for LLVM it is the number.
    """

    def kept(node: Sub | EQ | NE) -> Expr:
        if "float" not in str(node.a.ty.dtype) or not _may_cancel(node):
            return node
        return type(node)(node.a, _opaque(node.b))

    body = tvm_ffi.structural_map(function.body, [(Sub, kept), (EQ, kept), (NE, kept)])
    return function if body.same_as(function.body) else function.with_body(body)


def _may_cancel(node: Sub | EQ | NE) -> bool:
    pairs = _of_difference(node) if isinstance(node, Sub) else iter([(node.a, node.b)])
    return any(type(a) is type(b) and tvm_ffi.structural_equal(a, b) for a, b in pairs)


def _of_difference(node: Sub) -> Iterator[tuple[Expr, Expr]]:
    """Yield what has to differ, lest a difference be simplified."""
    a, b = node.a, node.b
    yield a, b
    if isinstance(a, Add):
        yield from ((a.a, b), (a.b, b))
    if isinstance(b, Add):
        yield from ((a, b.a), (a, b.b))
    if isinstance(a, Select):
        yield from ((a.true_value, b), (a.false_value, b))


def _opaque(x: Expr) -> Expr:
    dtype = str(x.ty.dtype)
    if dtype.startswith(WIDENED):
        wide = dtype.replace(WIDENED, "float32")
        return tirx.Cast(dtype, _opaque(tirx.Cast(wide, x)))
    return tirx.reinterpret(dtype, tirx.reinterpret(dtype.replace("float", "int"), x))
