"""Dot products of bfloat16 as functions in LLVM's own language.

TVM widens vectors of bfloat16 to float32 wherever they are computed with, operands of an intrinsic
among them. So the pairs go as words to a function that is imported, and inlined by LLVM.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tvm import tirx
from tvm.ir import Expr, StringImm, TensorLoad
from tvm.tirx import AttrStmt, Buffer, BufferLoad, DeclBuffer, Stmt

from tvmfuse.schedules.expressions import number
from tvmfuse.schedules.loop_nests import sequence
from tvmfuse.target.isa import DotProduct

BITS: Final = "uint16"
FUNCTION: Final = """
declare <{n} x float> @{intrinsic}(<{n} x float>, <{pairs} x bfloat>, <{pairs} x bfloat>)
define <{n} x float> @{name}(<{n} x float> %sums, <{n} x i32> %a, <{n} x i32> %b) #0 {{
  %left = bitcast <{n} x i32> %a to <{pairs} x bfloat>
  %right = bitcast <{n} x i32> %b to <{pairs} x bfloat>
  %all = call <{n} x float> @{intrinsic}(<{n} x float> %sums, <{pairs} x bfloat> %left,
    <{pairs} x bfloat> %right)
  ret <{n} x float> %all
}}
"""


@dataclass(frozen=True, eq=False)
class Bits:
    """Memory of bfloat16, read as bits.

    Attributes:
        declared: For each buffer of bfloat16 that is read so, the same memory's of uint16.
    """

    declared: dict[Buffer, Buffer] = field(default_factory=dict)

    def of(self, load: TensorLoad) -> TensorLoad:
        """Return a vector of bfloat16 as it lies in memory, uint16."""
        view = load.source
        if view not in self.declared:
            bits = tirx.decl_buffer(view.shape, BITS, f"{view.name}_bits", data=view.data)
            self.declared[view] = bits
        return BufferLoad(self.declared[view], load.indices)

    def within(self, loops: Stmt | None) -> Stmt | None:
        """Return loops that read bits, with the memory that they read."""
        declared = [DeclBuffer(bits, data=view.data) for view, bits in self.declared.items()]
        return loops and sequence([*declared, loops])

    def around(self, loops: Stmt, *instructions: DotProduct) -> Stmt:
        """Return loops that read bits, and call the functions of instructions of one feature."""
        text = StringImm(_functions(*instructions))
        loops = AttrStmt(number(0), "pragma_import_llvm", text, loops)
        return self.within(loops) or loops


def call_with_words(instruction: DotProduct, sums: Expr, a: Expr, b: Expr, columns: int) -> Expr:
    """Return sums to which dot products are added.

    Args:
        instruction: What adds them.
        sums: A vector of float32.
        a: As many words of two bfloat16 each, int32.
        b: Likewise.
        columns: How many.
    """
    return tirx.call_extern(f"float32x{columns}", _name(instruction, columns), sums, a, b)


def _functions(*instructions: DotProduct) -> str:
    functions = "".join(
        FUNCTION.format(n=n, pairs=2 * n, intrinsic=intrinsic, name=_name(one, n))
        for one in instructions
        for n, (intrinsic,) in one.intrinsics
    )
    features = ",".join(f"+{name}" for name in instructions[0].feature.split(","))
    return f'{functions}attributes #0 = {{ alwaysinline "target-features"="{features}" }}\n'


def _name(instruction: DotProduct, columns: int) -> str:
    what = "dot" if instruction.half is None else "two_rows"
    return f"tvmfuse_bfloat16_{what}_{columns}"
