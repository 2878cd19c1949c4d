"""Kernels without reduction: chains of elementwise operators, broadcasts, copies, gathers."""

from __future__ import annotations

from tvmfuse.schedules.cpu.pointwise import pointwise_nests
from tvmfuse.schedules.cpu.rows import RowsNest, shared_rows
from tvmfuse.schedules.cpu.words import with_words
from tvmfuse.schedules.cpu.work import Work, prepared, scope_of
from tvmfuse.schedules.inline import interpolates
from tvmfuse.schedules.kernels import Kernel
from tvmfuse.schedules.protocol import Declined, Subject


def elementwise(subject: Subject) -> Work | Declined:
    """Return vectorized nests for each output."""
    found = prepared(subject)
    if isinstance(found, Declined):
        return found
    if any(stage.reduces for stage in found.kernel.stages):
        return Declined("it has a reduction")
    scope = scope_of(subject)
    rows = shared_rows(found.kernel, inner=1) if _interpolates(found.kernel) else 0
    if rows:
        return Work(found.kernel, (RowsNest(found.kernel, rows, scope),), found.steps)
    kernel = with_words(found.kernel, scope)
    nests = (nest for stage in kernel.stages for nest in pointwise_nests(stage, scope))
    return Work(kernel, tuple(nests), found.steps)


def _interpolates(kernel: Kernel) -> bool:
    """Return whether a stage reads another's results at places that a table holds."""
    stages = kernel.stages
    return any(interpolates(reader, stage) for reader in stages for stage in stages)
