"""Vectors that LLVM takes as they are, whatever they are made of.

Sums of integers are added up step by step, as they are written, where a fence is around each.

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


def fenced(vector: Expr) -> Expr:
    """Return a vector of int32 that nothing is joined with that it is made of."""
    floats = f"float32x{vector.ty.dtype.lanes}"
    kept = tirx.call_llvm_pure_intrin(floats, FENCE, tirx.reinterpret(floats, vector))
    return tirx.reinterpret(str(vector.ty.dtype), kept)
