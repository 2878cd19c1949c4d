"""CPU schedules see a kernel's stages and an instruction set, instead of TIR and a target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tvm.tirx import PrimFunc

from tvmfuse.schedules.conditions import without_branches
from tvmfuse.schedules.cpu.elementary import elementary
from tvmfuse.schedules.cpu.isa import Isa
from tvmfuse.schedules.kernels import Kernel, UnreadableError
from tvmfuse.schedules.protocol import Declined, Subject


@dataclass(frozen=True)
class StageSchedule:
    """A schedule of kernels that can be read as stages."""

    name: str
    nests: Callable[[Kernel, Isa], PrimFunc | Declined]

    def __call__(self, subject: Subject) -> PrimFunc | Declined:
        """Return the function scheduled, or the reason why this schedule is not for it."""
        try:
            kernel = subject.kernel
        except UnreadableError as error:
            return Declined(str(error))
        stages = tuple(without_branches(stage.map(elementary)) for stage in kernel.stages)
        return self.nests(replace(kernel, stages=stages), Isa.of(subject.target))
