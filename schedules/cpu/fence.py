"""Sums of integers that are added up step by step, as they are written.

Integers may be added in any order, and LLVM's MachineCombiner takes one with more of them at once:
``(sum + a) + b`` becomes ``sum + (a + b)``, so that a short body of code waits for less. A register
tile waits for nothing, and has no registers for `a` beside its sums, which go to the stack.
"""

from __future__ import annotations

from typing import Final

from tvm import tirx
from tvm.ir import Expr

#: LLVM, "Language Reference Manual", llvm.arithmetic.fence: its operand, bit by bit, and no
#: instruction. What is added to it is not joined with what it is made of. It is one of floats.
FENCE: Final = "llvm.arithmetic.fence"


def fenced(sums: Expr) -> Expr:
    """Return a vector of int32 that nothing is joined with that it is made of."""
    floats = f"float32x{sums.ty.dtype.lanes}"
    kept = tirx.call_llvm_pure_intrin(floats, FENCE, tirx.reinterpret(floats, sums))
    return tirx.reinterpret(str(sums.ty.dtype), kept)
