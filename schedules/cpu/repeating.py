"""Kernels that repeat some of their stages: recurrent cells, step after step.

::

    for t in range(steps):
        sums += h x weights        on the register tile, in threads where a step is long enough
        h = gates of the sums      in vectors

What a step makes is read by the next one, so that nothing moves across the loop, and no stage is
inlined. A step's products are those of any matrix product, with its panels and tiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tvm.tirx import Stmt

from tvmfuse.schedules.cpu.group_nest import group_nests
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope, misfits_of
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.work import Work, in_vectors, scope_of
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.groups import Group, groups
from tvmfuse.schedules.kernels import Axis, Kernel, Stage, UnreadableError
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import RepeatingPlan
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.schedules.repetition import Repetition, read_repeating


def repeating(subject: Subject) -> Work | Declined:
    """Schedule what a step computes, and let the loop around it be."""
    try:
        found = read_repeating(subject.function)
    except UnreadableError as error:
        return Declined(str(error))
    scope, steps, nests = scope_of(subject), frozenset[str](), list[Nest[Any]]()
    for part in found.parts:
        stages = part.stages if isinstance(part, Repetition) else (part,)
        kernel, taken = in_vectors(_alone(found.kernel, stages), scope)
        steps |= taken
        if isinstance(part, Repetition):
            nests.append(RepeatingNest(part.axis, _of_step(kernel, scope)))
        else:
            nests += [nest for group in groups(kernel) for nest in group_nests(group, scope)]
    return Work(found.kernel, tuple(nests), steps)


def _alone(kernel: Kernel, stages: tuple[Stage, ...]) -> Kernel:
    """Return a kernel with some of its stages; what the others touch is none of its temporaries."""
    others = [stage for stage in kernel.stages if stage not in stages]
    touched = {load.source for stage in others for load in stage.loads}
    touched |= {buffer for stage in others for buffer in stage.buffers}
    own = tuple(buffer for buffer in kernel.temporaries if buffer not in touched)
    return replace(kernel, stages=stages, temporaries=own)


def _of_step(kernel: Kernel, scope: Scope) -> tuple[StepNest, ...]:
    return tuple(
        StepNest(nest, _is_long(group, scope))
        for stages in _apart(kernel.stages)
        for group in groups(_alone(kernel, stages))
        for nest in group_nests(group, scope)
    )


def _apart(stages: tuple[Stage, ...]) -> list[tuple[Stage, ...]]:
    """Cut a step where a stage overwrites what one before it reads: the two are in no one group."""
    parts: list[tuple[Stage, ...]] = [()]
    for stage in stages:
        read = {load.source for before in parts[-1] for load in before.loads}
        if read & stage.buffers:
            parts.append(())
        parts[-1] = (*parts[-1], stage)
    return parts


def _is_long(group: Group, scope: Scope) -> bool:
    """Whether one step is worth handing out to threads, whatever the sizes known only later are.

    Elsewhere such a size counts as large; here threads would be called in each step.
    """
    known = [
        replace(stage, axes=tuple(a for a in stage.axes if static(a.extent) is not None))
        for stage in group.stages
    ]
    return should_parallelize(known, scope.machine)


@dataclass(frozen=True, eq=False)
class StepNest:
    """A nest of a step, and whether its loops may run in threads."""

    nest: Nest[Any]
    in_threads: bool


@dataclass(frozen=True, eq=False)
class RepeatingNest(Nest[RepeatingPlan]):
    """The loop over steps, and the nests of a step.

    Attributes:
        axis: The steps.
        nests: What a step computes, in order.
    """

    plan_type = RepeatingPlan

    axis: Axis
    nests: tuple[StepNest, ...]

    def plan(self, *, parallel: bool = True) -> RepeatingPlan:
        return RepeatingPlan(
            nests=tuple(n.nest.plan(parallel=parallel and n.in_threads) for n in self.nests)
        )

    def misfits(self, plan: RepeatingPlan) -> Iterator[Misfit]:
        if plan.parallel:
            yield Misfit("parallel", "false, as each step needs the one before", "true")
        yield from misfits_of([n.nest for n in self.nests], plan.nests)

    def emit(self, builder: LoopNestBuilder, plan: RepeatingPlan) -> Stmt | None:
        def step(at: Values) -> Stmt | None:
            with builder.scope(at):
                pairs = zip(self.nests, plan.nests, strict=True)
                return sequence([n.nest.emit(builder, one) for n, one in pairs])

        return builder.nest([self.axis], step)
