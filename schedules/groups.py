"""Groups: a reduction, and the stages that finish each of its results while it is at hand.

A matrix product followed by a bias and an activation is one group: its accumulators need not be
stored and loaded again. A stage joins the group before it if it computes on single elements, and
reads each of the group's results only at the place that it belongs to itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tvm.ir import Expr, Var
from tvm.tirx import Buffer
from tvm_ffi import structural_equal

from tvmfuse.schedules.expressions import substitute
from tvmfuse.schedules.kernels import Axis, Kernel, Stage, analyzer


@dataclass(frozen=True, eq=False)
class Group:
    """Stages that are computed together, element by element.

    Attributes:
        head: A reduction, or a stage on its own.
        epilogue: The stages after it, over the same spatial axes as the head (the same variables).
        members: The kernel's stages that these are.
        stored: The buffers of the group that are read outside it, or are the kernel's outputs.
    """

    head: Stage
    epilogue: tuple[Stage, ...] = ()
    members: tuple[Stage, ...] = ()
    stored: frozenset[Buffer] = frozenset()

    @property
    def stages(self) -> tuple[Stage, ...]:
        """All stages, in order."""
        return (self.head, *self.epilogue)

    @property
    def buffers(self) -> set[Buffer]:
        """What the group writes."""
        return {b for stage in self.stages for b in stage.buffers}


def groups(kernel: Kernel) -> tuple[Group, ...]:
    """Put each of a kernel's stages into a group; the groups run in the order returned."""
    done: list[Group] = []
    opened: Group | None = None
    for stage in kernel.stages:
        joined = _join(kernel, opened, stage) if opened else None
        if joined:
            opened = joined
        elif stage.reduces or (opened and _reads(stage, opened)):
            done += [opened] if opened else []
            opened = Group(stage, members=(stage,)) if stage.reduces else None
            done += [] if stage.reduces else [Group(stage, members=(stage,))]
        else:
            # It does not need the group before it, which may need it.
            done.append(Group(stage, members=(stage,)))
    done += [opened] if opened else []
    return tuple(_with_stored(kernel, g) for g in done)


def _reads(stage: Stage, group: Group) -> bool:
    return any(load.source in group.buffers for load in stage.loads)


def _join(kernel: Kernel, group: Group, stage: Stage) -> Group | None:
    """Return the group with the stage, over the group's axes; None where it does not fit."""
    if stage.reduces or len(stage.stores) > 1 or not _reads(stage, group):
        return None
    if len(kernel.writers(stage.store.buffer)) > 1 or any(
        len(kernel.writers(b)) > 1 for b in group.buffers
    ):
        return None
    axes = _axes_of(group, stage)
    if axes is None:
        return None
    same = stage.map(lambda e: substitute(e, axes))
    same = replace(same, axes=tuple(a for a in group.head.axes if not a.reduces))
    written = {s.buffer: s.indices for g in group.stages for s in g.stores}
    for load in same.loads:
        own = written.get(load.source)
        if own is not None and not structural_equal(tuple(load.indices), own):
            return None
    return replace(group, epilogue=(*group.epilogue, same), members=(*group.members, stage))


def _axes_of(group: Group, stage: Stage) -> dict[Var, Expr] | None:
    """Return the group's axis for each axis of the stage, read off a load of the group's result."""
    spatial = {a.var: a for a in group.head.spatial}
    load = next(load for load in stage.loads if load.source in group.buffers)
    indices = next(
        s.indices for g in group.stages for s in g.stores if s.buffer.same_as(load.source)
    )
    found: dict[Var, Expr] = {}
    for own, other in zip(load.indices, indices, strict=True):
        if isinstance(own, Var) and other in spatial and own not in found:
            found[own] = other
        elif not structural_equal(own, other):
            return None
    if len(found) != len(stage.axes) or len(found) != len(spatial):
        return None
    if not all(_as_long(axis, spatial[found[axis.var]]) for axis in stage.axes):
        return None
    return found


def _as_long(a: Axis, b: Axis) -> bool:
    return bool(analyzer((a, b)).can_prove_equal(a.extent, b.extent))


def _with_stored(kernel: Kernel, group: Group) -> Group:
    stored = {
        buffer
        for buffer in group.buffers
        if buffer not in kernel.temporaries
        or any(reader not in group.members for reader in kernel.readers(buffer))
    }
    return replace(group, stored=frozenset(stored))
