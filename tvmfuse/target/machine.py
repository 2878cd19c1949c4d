"""Machines: an instruction set, the core that runs it, and what code for it reckons with.

All numbers of a machine that a schedule or a layout pass reckons with come from here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tvm.target import Target

from tvmfuse.target import isa as sets
from tvmfuse.target.core import MIB, Core, Tuning
from tvmfuse.target.isa import Isa


@dataclass(frozen=True)
class Machine:
    """What kernels are made for.

    Attributes:
        name: The instruction set's, or the microarchitecture's.
        mcpu: The oldest CPU that LLVM knows to be one; empty where the target names its own.
        isa: The vector instructions.
        core: The facts of one core.
        tuning: The parameters of the reckoning.
    """

    name: str
    mcpu: str
    isa: Isa
    core: Core = field(default_factory=Core)
    tuning: Tuning = field(default_factory=Tuning)

    @classmethod
    def of(cls, target: Target) -> Machine:
        """Return the smallest machine that has what code for an ``llvm`` target may use."""
        isa = Isa.of(target)
        known = {machine.isa: machine for machine in (AVX512, AVX2, SSE2)}
        return known.get(isa) or Machine(isa.name, "", isa)

    @property
    def target(self) -> Target:
        """The TVM target that makes LLVM use this instruction set."""
        return Target({"kind": "llvm", **({"mcpu": self.mcpu} if self.mcpu else {})})


#: Haswell (2013).
AVX2: Final = Machine("avx2", "core-avx2", sets.AVX2)

#: Skylake-SP (2017).
AVX512: Final = Machine(
    "avx512", "skylake-avx512", sets.AVX512, Core(l2_bytes=MIB), Tuning(l2_budget=MIB)
)

#: The oldest x86-64.
SSE2: Final = Machine("sse2", "x86-64", sets.SSE2)
