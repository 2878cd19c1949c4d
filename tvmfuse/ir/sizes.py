"""Sizes of symbolic dimensions, as the manifest writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import tvm
from tvm import tirx
from tvm.ir import Expr

from tvmfuse.tensor_spec import Size

_SIGNS: Final[Mapping[type[Expr], str]] = {
    tirx.Add: "+",
    tirx.Sub: "-",
    tirx.Mul: "*",
    tirx.FloorDiv: "//",
    tirx.FloorMod: "%",
    tirx.Min: "min",
    tirx.Max: "max",
}


LARGEST: Final = 2**31 - 1
"""No dimension is as large."""


def size_of(dim: Expr | int) -> Size | None:
    """Return a dimension as the manifest writes it, or None if it has no way to."""
    if isinstance(dim, int):
        return dim
    if isinstance(dim, tirx.IntImm):
        return int(dim.value)
    if isinstance(dim, tirx.Var):
        return str(dim.name)
    sign = _SIGNS.get(type(dim))
    if sign is None:
        return None
    expr: Any = dim
    left, right = size_of(expr.a), size_of(expr.b)
    return None if left is None or right is None else (sign, left, right)


def proven(proof: Callable[[], bool]) -> bool:
    """Return what TVM's analysis says; where it divides by 0 for some sizes, it proves nothing."""
    try:
        return bool(proof())
    except tvm.error.InternalError:
        return False


def int64_range(begin: int, end: int) -> tvm.ir.Range:
    """Return a range as TVM's analysis takes it: the end is no part of it.

    As plain integers the bounds would be of 32 bits, and so would what is computed of them.
    """
    return tvm.ir.Range(tirx.const(begin, "int64"), tirx.const(end, "int64"))
