"""Elementary functions of float32 as arithmetic, so that they are computed in vectors.

TVM lowers them to calls of the C library, one for each lane. Here they are polynomials over the
whole range; NaN, infinities, overflow and denormal results come out as the C library's do. No call
of it is left in a kernel of float32. rsqrt and tests for NaN, which have no vector form, get one,
and what is rounded and clipped to be an integer is converted once, and not divided before.

Each reaches its limits exactly, and does not turn back near them. `python -m bench.ulp` compares
them with the exact values of all numbers of float32; docs/numbers.md has the errors, and says which
rule holds where a result has no obvious value.

The powers 3 and 4 are products: 1.3 and 1.9. Other dtypes' functions stay the C library's, and so
do the powers of integers, which are taken in float64; so do all in the few kernels that cannot be
read as stages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from tvm import tirx
from tvm.ir import Call, Expr

from tvmfuse._tvm import mapped
from tvmfuse.schedules.cpu.vector_math.exponentials import (
    cosh,
    erf,
    exp,
    exp_nonpositive,
    sigmoid,
    sinh,
    tanh,
)
from tvmfuse.schedules.cpu.vector_math.logarithms import acosh, asinh, atanh, log
from tvmfuse.schedules.cpu.vector_math.polynomials import bound, const
from tvmfuse.schedules.cpu.vector_math.powers import power
from tvmfuse.schedules.cpu.vector_math.rounding import rounding
from tvmfuse.schedules.cpu.vector_math.trigonometry import acos, asin, atan, cos, sin, tan
from tvmfuse.schedules.expressions import callee, has_parts


def vector_math(
    expr: Expr,
    others: Mapping[str, Callable[[Expr], Expr]] | None = None,
    *,
    fused: bool = False,
) -> Expr:
    """Return an expression with these functions written out.

    Args:
        expr: The expression.
        others: What takes the place of some functions, for arguments known to lie in a range.
        fused: Whether the CPU multiplies and adds in one instruction, rounding once.
    """
    if not has_parts(expr):
        return expr
    functions = {**FUNCTIONS, **(others or {})}

    def written(call: Call) -> Expr:
        if str(call.ty.dtype) == "float64" and callee(call) in LOST_BY_TVM:
            return tirx.call_pure_extern("float64", callee(call), *call.args)
        if str(call.ty.dtype) != "float32":
            return call
        if callee(call) == "pow":
            return power(*call.args)
        function = functions.get(callee(call))
        return call if function is None else bound(call.args[0], function)

    others_written = (tirx.Select, _without_isnan), (tirx.Cast, partial(rounding, fused=fused))
    found: Expr = mapped(expr, (Call, written), *others_written)
    return found


def _without_isnan(select: tirx.Select) -> Expr:
    condition = select.condition
    if not isinstance(condition, Call) or callee(condition) != "isnan":
        return select
    # TVM simplifies x != x to false, and not (a <= b) to b < a: both lose NaN.
    x = condition.args[0]
    ordered = tirx.abs(x) <= tirx.const(math.inf, x.ty.dtype)
    return tirx.Select(ordered, select.false_value, select.true_value)


def _rsqrt(x: Expr) -> Expr:
    return const(1.0) / tirx.sqrt(x)


FUNCTIONS: Final[Mapping[str, Callable[[Expr], Expr]]] = {
    "acos": acos,
    "acosh": acosh,
    "asin": asin,
    "asinh": asinh,
    "atan": atan,
    "atanh": atanh,
    "cos": cos,
    "cosh": cosh,
    "erf": erf,
    "exp": exp,
    "log": log,
    "rsqrt": _rsqrt,
    "sigmoid": sigmoid,
    "sin": sin,
    "sinh": sinh,
    "tan": tan,
    "tanh": tanh,
}
"""Of one number."""

LOST_BY_TVM: Final = ("atanh", "tanh")
"""TVM writes these out in float64, by formulas that lose small numbers; the C library does not."""

EXP_NONPOSITIVE: Final[Mapping[str, Callable[[Expr], Expr]]] = {"exp": exp_nonpositive}
"""Of one number that is not above zero."""
