"""Kernels without reduction: chains of elementwise operators, broadcasts, copies, gathers."""

from __future__ import annotations

from tvmfuse.schedules.cpu.pointwise import pointwise_nests
from tvmfuse.schedules.cpu.work import Work, prepared, scope_of
from tvmfuse.schedules.protocol import Declined, Subject


def elementwise(subject: Subject) -> Work | Declined:
    """Return vectorized nests for each output."""
    found = prepared(subject)
    if isinstance(found, Declined):
        return found
    if any(stage.reduces for stage in found.kernel.stages):
        return Declined("it has a reduction")
    scope = scope_of(subject)
    nests = (nest for stage in found.kernel.stages for nest in pointwise_nests(stage, scope))
    return Work(found.kernel, tuple(nests), found.steps)
