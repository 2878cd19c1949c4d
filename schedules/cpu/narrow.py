"""Rounding float32 to bfloat16 by one instruction, where a sum of products is stored.

TVM rounds by integer arithmetic, four operations for a vector; and before that, what a model casts
is rounded by a dozen more, for NaN's sake (`tvmfuse/ir/bfloat16.py`). ``tirx.narrow`` is a named
call in place of both, which becomes a function in LLVM's own language, as dot products are.

They round to nearest, ties to even; NaN stays NaN, an infinity itself. What is smaller than the
smallest normal number, 1.18e-38, becomes 0 on x86 (VCVTNEPS2BF16), which in a sum of products of
bfloat16 every denormal operand is, too. So only such sums are rounded by it, and no other cast of a
model. Source: Intel, "64 and IA-32 Architectures Software Developer's Manual", volume 2.
"""

from __future__ import annotations

from typing import Final

import tvm_ffi
from tvm import tirx
from tvm.ir import Call, Expr, Op, StringImm
from tvm.tirx import AttrStmt, Cast, Stmt

from tvmfuse.ir.bfloat16 import BFLOAT16, ROUND, nearest
from tvmfuse.ir.intrinsics import register_intrinsic
from tvmfuse.schedules.expressions import callee, number
from tvmfuse.schedules.loop_nests import LoopNestBuilder
from tvmfuse.target.isa import BFCVTN, VCVTNEPS2BF16, Narrowing
from tvmfuse.target.machine import Machine

BITS: Final = "uint16"
NARROW: Final = "narrow"
LANES: Final = frozenset(n for one in (VCVTNEPS2BF16, BFCVTN) for n in one.lanes)
DECLARATION: Final = "declare <{n} x bfloat> @{intrinsic}(<{n} x float>)"
FUNCTION: Final = """
define <{n} x i16> @tvmfuse_narrow_{n}(<{n} x float> %x) #0 {{
  %half = {half}
  %all = bitcast <{n} x bfloat> %half to <{n} x i16>
  ret <{n} x i16> %all
}}
"""


def narrowed_lanes(machine: Machine) -> tuple[int, ...]:
    """Return of how many float32 a machine has vectors that one instruction narrows."""
    return machine.narrowing.lanes if machine.narrowing else ()


def narrowed(value: Expr) -> Expr:
    """Return a number that is cast to bfloat16 as a named call of its float32; others as is."""
    if not isinstance(value, Cast) or str(value.ty.dtype) != BFLOAT16:
        return value
    wide = value.value
    if isinstance(wide, Call) and callee(wide) == ROUND:
        (wide,) = wide.args
    if str(wide.ty.dtype) != "float32":
        return value
    narrow = Call(Op.get(f"tirx.{NARROW}"), [wide], ret_ty=tirx.const(0, BITS).ty)
    return tirx.reinterpret(BFLOAT16, narrow)


def rounded(builder: LoopNestBuilder, value: Expr) -> Expr:
    """Return a sum of products, `narrowed` where what is being written is a vector of such."""
    return narrowed(value) if builder.lanes in builder.narrowed_lanes else value


def with_functions(loops: Stmt | None, machine: Machine) -> Stmt | None:
    """Return loops with the functions that their named calls become on a machine."""
    found = list[Call]()
    if loops is not None:
        tvm_ffi.structural_walk(loops, (Call, found.append))
    if loops is None or not any(callee(call) == NARROW for call in found):
        return loops
    assert machine.narrowing is not None
    return AttrStmt(
        number(0), "pragma_import_llvm", StringImm(_functions(machine.narrowing)), loops
    )


def _functions(narrowing: Narrowing) -> str:
    """Return a function for each width, in LLVM's language."""
    found = []
    for n in narrowing.lanes:
        half = f"fptrunc <{n} x float> %x to <{n} x bfloat>"
        if narrowing.intrinsic is not None:
            intrinsic = narrowing.intrinsic.format(bits=32 * n)
            found.append(DECLARATION.format(n=n, intrinsic=intrinsic))
            half = f"call <{n} x bfloat> @{intrinsic}(<{n} x float> %x)"
        found.append(FUNCTION.format(n=n, half=half))
    features = ",".join(f"+{name}" for name in narrowing.feature.split(","))
    return "\n".join([
        *found, f'attributes #0 = {{ alwaysinline "target-features"="{features}" }}\n'
    ])  # fmt: skip


def _by_function(call: Call) -> Expr:
    (x,) = call.args
    lanes = x.ty.dtype.lanes
    if lanes in LANES:
        return tirx.call_extern(f"{BITS}x{lanes}", f"tvmfuse_{NARROW}_{lanes}", x)
    words = tirx.reinterpret("uint32" if lanes == 1 else f"uint32x{lanes}", nearest(call))
    sixteen = tirx.const(16, "uint32")
    upper = tirx.shift_right(words, sixteen if lanes == 1 else tirx.Broadcast(sixteen, lanes))
    return tirx.Cast(call.ty.dtype, upper)


register_intrinsic(NARROW, "the bits of the bfloat16 nearest to a float32", {"llvm": _by_function})
