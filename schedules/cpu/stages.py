"""CPU schedules see a kernel's stages and an instruction set, instead of TIR and a target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tvm.tirx import PrimFunc

from tvmfuse.schedules.conditions import without_branches
from tvmfuse.schedules.cpu.vector_math import elementary
from tvmfuse.schedules.kernels import Kernel, Stage, UnreadableError, read
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.target.machine import Machine


@dataclass(frozen=True, eq=False)
class Named:
    """A kernel and its stages by their names."""

    kernel: Kernel
    stages: Mapping[str, Stage]


@dataclass(frozen=True)
class StageSchedule:
    """A schedule of kernels that can be read as stages."""

    name: str
    nests: Callable[[Kernel, Machine], PrimFunc | Declined]

    def __call__(self, subject: Subject) -> PrimFunc | Declined:
        """Return the function scheduled, or the reason why this schedule is not for it."""
        try:
            kernel = subject.kernel
        except UnreadableError as error:
            return Declined(str(error))
        stages = tuple(without_branches(stage.map(elementary)) for stage in kernel.stages)
        return self.nests(replace(kernel, stages=stages), Machine.of(subject.target))


def named_stages(subject: Subject, names: Sequence[str], what: str) -> Named | Declined:
    """Read a kernel whose schedule knows its stages by their names; they are left as written.

    Args:
        subject: The kernel.
        names: Those that it has to have.
        what: What it is then, for the reason.
    """
    try:
        kernel = read(subject.function)
    except UnreadableError as error:
        return Declined(str(error))
    stages = {stage.name: stage for stage in kernel.stages}
    if not set(names) <= set(stages):
        return Declined(f"it is no {what}")
    return Named(kernel, stages)
