"""CPU schedules: each finds the loop nests of a kernel, and the rest is the same for all.

A schedule is a function from a subject to its `Work`, the nests that are to be written, or to a
`Declined` in words. Their plans are the kernel's plan; their loops are its code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tvm.tirx import PrimFunc

from tvmfuse.schedules.conditions import without_branches
from tvmfuse.schedules.cpu.group_nest import group_nests
from tvmfuse.schedules.cpu.kept_values import with_kept_values
from tvmfuse.schedules.cpu.narrow import narrowed_lanes, with_functions
from tvmfuse.schedules.cpu.nest import Nest, Scope, misfits_of
from tvmfuse.schedules.cpu.vector_math import vector_math
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.kernels import Kernel, Stage
from tvmfuse.schedules.loop_nests import LoopNestBuilder
from tvmfuse.schedules.protocol import Declined, Subject


@dataclass(frozen=True, eq=False)
class Work:
    """What a schedule makes of a kernel.

    Attributes:
        kernel: The function's inputs, outputs and temporaries.
        nests: The loop nests that are to be written, in the order in which they run.
        steps: The steps that the kernel's stages have taken already, as packing is one.
    """

    kernel: Kernel
    nests: tuple[Nest[Any], ...]
    steps: frozenset[str] = frozenset()


@dataclass(frozen=True)
class NestSchedule:
    """A schedule of a CPU.

    Attributes:
        name: In the report and in plans.
        work: Finds a kernel's nests.
    """

    name: str
    work: Callable[[Subject], Work | Declined]

    def plan(self, subject: Subject) -> KernelPlan | Declined:
        """Return how the kernel shall run, or the reason why this schedule is not for it."""
        work = subject.once(self.work)
        if isinstance(work, Declined):
            return work
        threads = scope_of(subject).takes("Threads")
        plans = tuple(nest.plan(parallel=threads) for nest in work.nests)
        return KernelPlan.of(self.name, work.steps, plans)

    def misfit(self, subject: Subject, plan: KernelPlan) -> str | None:
        """Say what of another plan does not fit a kernel that `plan` takes; None where it fits."""
        found = next(misfits_of(self._work(subject).nests, plan.nests), None)
        return None if found is None else str(found)

    def emit(self, subject: Subject, plan: KernelPlan) -> PrimFunc:
        """Return the function scheduled as a plan that fits says."""
        work = self._work(subject)
        builder = LoopNestBuilder(work.kernel, narrowed_lanes(subject.machine))
        pairs = zip(work.nests, plan.nests, strict=True)
        loops = (with_kept_values(nest.emit(builder, one)) for nest, one in pairs)
        return builder.function([with_functions(nest, subject.machine) for nest in loops])

    def _work(self, subject: Subject) -> Work:
        work = subject.once(self.work)
        assert not isinstance(work, Declined)
        return work


@dataclass(frozen=True, eq=False)
class Prepared:
    """A kernel whose stages are ready for loops.

    Attributes:
        kernel: Inlined, with functions and branches that vectors can do, as far as there are any.
        steps: The steps that this took.
    """

    kernel: Kernel
    steps: frozenset[str]

    def by_groups(self, scope: Scope) -> Work:
        """Return one nest for each group, or several for a stage in pieces."""
        nests = (nest for group in groups(self.kernel) for nest in group_nests(group, scope))
        return Work(self.kernel, tuple(nests), self.steps)


def prepared(subject: Subject) -> Prepared | Declined:
    """Return the kernel of a subject ready for loops; or why it cannot be read."""
    return subject.once(_prepare)


def _prepare(subject: Subject) -> Prepared | Declined:
    kernel = subject.kernel
    if isinstance(kernel, Declined):
        return kernel
    kernel, steps = in_vectors(kernel, scope_of(subject))
    return Prepared(kernel, steps)


def in_vectors(kernel: Kernel, scope: Scope) -> tuple[Kernel, frozenset[str]]:
    """Write functions and branches so that vectors can do them; return what step that took."""
    if not scope.takes("VectorMath"):
        stages = tuple(map(without_branches, kernel.stages))
        return replace(kernel, stages=stages), frozenset()
    math = partial(vector_math, fused=scope.machine.isa.fused)
    written = tuple(stage.map(math) for stage in kernel.stages)
    changed = any(
        not old.same_as(new)
        for before, after in zip(kernel.stages, written, strict=True)
        for old, new in zip(before.parts, after.parts, strict=True)
    )
    steps = frozenset({"VectorMath"} if changed else ())
    return replace(kernel, stages=tuple(map(without_branches, written))), steps


def scope_of(subject: Subject) -> Scope:
    """Return the machine and the steps that a subject may take."""
    return Scope(subject.machine, subject.settings.disabled_steps)


def named_stages(
    subject: Subject, names: Sequence[str], what: str
) -> tuple[Kernel, Mapping[str, Stage]] | Declined:
    """Return a kernel as it is written, and its stages by the names that its operator gave them.

    Args:
        subject: The kernel.
        names: Those that it has to have.
        what: What it is then, for the reason.
    """
    kernel = subject.parsed
    if isinstance(kernel, Declined):
        return kernel
    stages = {stage.name: stage for stage in kernel.stages}
    if not set(names) <= set(stages):
        return Declined(f"it is no {what}")
    return kernel, stages
