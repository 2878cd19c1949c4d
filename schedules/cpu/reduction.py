"""Reductions and the elementwise stages around them: softmax, normalization, pooling, means.

A padded copy is made strip by strip, as a convolution's is: of a pool on blocks of channels, say.
The stages of a softmax all run over the same rows. One loop over the rows then computes all of
them, row by row, and what they pass on stays in the cache, in buffers of one row's size.
"""

from __future__ import annotations

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.cpu.conv.fused_padding import fused_padding
from tvmfuse.schedules.cpu.rows import RowsNest, shared_rows
from tvmfuse.schedules.cpu.window_nest import window_nest
from tvmfuse.schedules.cpu.work import Work, prepared, scope_of
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.kernels import Stage
from tvmfuse.schedules.protocol import Declined, Subject


def reduction(subject: Subject) -> Work | Declined:
    """One nest over the rows that all stages share; one for each group where they share none."""
    found = prepared(subject)
    if isinstance(found, Declined):
        return found
    kernel, scope = found.kernel, scope_of(subject)
    if not any(stage.reduces for stage in kernel.stages):
        return Declined("it has no reduction")
    if any(stage.reduces and _multiplies_matrices(stage) for stage in kernel.stages):
        return Declined("it holds a product of matrices")
    parts = groups(kernel)
    if nest := window_nest(parts, scope):
        return Work(kernel, (nest,), found.steps)
    if scope.takes("FusedPadding") and (fused := fused_padding(kernel, parts, scope)):
        return Work(kernel, (fused,), found.steps)
    rows = shared_rows(kernel) if len(parts) > 1 else 0
    if not rows:
        return found.by_groups(scope)
    return Work(kernel, (RowsNest(kernel, rows, scope),), found.steps)


def _multiplies_matrices(stage: Stage) -> bool:
    """Return whether elements of an operand are used again along an axis, unlike in a variance."""
    found = contraction(stage)
    return found is not None and any(
        not operand.uses(axis) for operand in found.operands for axis in stage.spatial
    )
