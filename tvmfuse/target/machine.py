"""Machines: an instruction set, and the core that runs it.

All numbers of a machine that a schedule or a layout pass reckons with stand here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tvm.target import Target

from tvmfuse.target import isa as sets
from tvmfuse.target.isa import Isa


@dataclass(frozen=True)
class Core:
    """One core.

    Attributes:
        starts_per_cycle: Multiply-adds that begin in one cycle, and likewise loads.
        decoded_per_cycle: Instructions that are decoded in one cycle while another thread shares
            the core.
        fma_latency: Cycles from a multiply-add to the next one on the same accumulator.
        l1_bytes: Size of the first-level data cache, in bytes.
        l2_bytes: Size of the second-level cache, in bytes.
        l3_bytes: What a core may expect of the last-level cache that it shares, in bytes.
    """

    starts_per_cycle: int = 2
    decoded_per_cycle: int = 3
    fma_latency: int = 4
    l1_bytes: int = 32 << 10
    l2_bytes: int = 256 << 10
    l3_bytes: int = 2 << 20


@dataclass(frozen=True)
class Machine:
    """What kernels are made for.

    Attributes:
        name: The instruction set's, or the microarchitecture's.
        mcpu: The oldest CPU that LLVM knows to be one; empty where the target names its own.
        isa: The vector instructions.
        core: The numbers of one core.
    """

    name: str
    mcpu: str
    isa: Isa
    core: Core = field(default_factory=Core)

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


# Haswell (2013) and Skylake-SP (2017).
AVX2: Final = Machine("avx2", "core-avx2", sets.AVX2)
AVX512: Final = Machine("avx512", "skylake-avx512", sets.AVX512, Core(l2_bytes=1 << 20))

#: The oldest x86-64.
SSE2: Final = Machine("sse2", "x86-64", sets.SSE2)
