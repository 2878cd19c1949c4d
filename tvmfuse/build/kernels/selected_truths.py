"""Truth values that become numbers: a choice of two constants, in place of a cast.

TVM's code generator asks for the range of each value that has a name. Of vectors of comparisons
that are cast, as in ``sign(x)`` before a root, it makes a range of scalars, and fails.
"""

from __future__ import annotations

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Cast, IntImm, PrimFunc, Select


def with_selected_truths(function: PrimFunc) -> PrimFunc:
    """Return a kernel that casts no truth values, constants aside."""
    body = tvm_ffi.structural_map(function.body, (Cast, _selected))
    return function if body.same_as(function.body) else function.with_body(body)


def _selected(cast: Cast) -> Expr:
    value, dtype = cast.value, cast.ty.dtype
    if not str(value.ty.dtype).startswith("bool") or isinstance(value, IntImm):
        return cast
    element, _, lanes = str(dtype).partition("x")
    one, zero = (tirx.const(n, element) for n in (1, 0))
    if lanes:
        one, zero = (tirx.Broadcast(n, int(lanes)) for n in (one, zero))
    return Select(value, one, zero)
