"""Vector instruction sets: how many numbers a register holds, and how many registers there are.

A schedule asks an `Isa` and never which one it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tvm.target import Target, codegen


@dataclass(frozen=True)
class Isa:
    """A vector instruction set.

    Attributes:
        name: ``avx512``, ``avx2``, or what a target without either was derived from.
        float_lanes: float32 numbers in a register.
        registers: Vector registers.

    >>> AVX512.float_lanes, AVX512.registers, AVX512.lanes(64), AVX2.lanes(8)
    (16, 32, 8, 32)
    """

    name: str
    float_lanes: int
    registers: int

    @classmethod
    def of(cls, target: Target) -> Isa:
        """Return the widest instruction set that code for an ``llvm`` target may use."""
        return _of(str(target))

    def lanes(self, bits: int) -> int:
        """Return how many numbers of `bits` bits a register holds.

        Sixteen-bit floats are computed as float32, so the callers ask for 32 there.
        """
        return max(1, self.float_lanes * 32 // bits)


AVX2: Final = Isa("avx2", float_lanes=8, registers=16)
AVX512: Final = Isa("avx512", float_lanes=16, registers=32)

#: The oldest x86-64.
SSE2: Final = Isa("sse2", float_lanes=4, registers=16)

#: All of AArch64, also where there are longer vectors, whose length is not known here.
NEON: Final = Isa("neon", float_lanes=4, registers=32)


@lru_cache(maxsize=64)
def _of(text: str) -> Isa:
    target = Target(text)
    # On x86 LLVM's own vector width is the widest that it knows, whatever the CPU has.
    for feature, isa in (("avx512f", AVX512), ("avx2", AVX2), ("sse2", SSE2)):
        if codegen.llvm_cpu_has_features(feature, target):
            return isa
    if codegen.llvm_cpu_has_features("neon", target):
        return NEON
    # Others: LLVM's width, and the 32 registers of RISC-V and POWER.
    lanes = max(codegen.llvm_get_vector_width(target), 32) // 32
    return Isa(f"{lanes * 32}-bit", lanes, registers=32)
