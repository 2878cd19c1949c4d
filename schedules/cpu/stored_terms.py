"""A stage whose elements a reduction joins: each vector of them is stored and joined at once.

::

    Before::  for i: y[i] = exp(x[i] - m)
              for k: s = s + y[k]
    After::   for k: y[k] = exp(x[k] - m);  s = s + y[k]

That saves a pass over the row, and additions need not wait for each other.
"""

from __future__ import annotations

from typing import Final

from tvm_ffi import structural_equal

from tvmfuse.schedules.cpu.horizontal import horizontal_axes
from tvmfuse.schedules.cpu.vectors import contiguous, lanes
from tvmfuse.schedules.expressions import substitute
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Stage, analyzer
from tvmfuse.target.machine import Machine

#: Vector registers for the constants of a function beside partial results: with 16, those of
#: AVX2, a softmax of 128 columns takes 1.07 of the time.
ENOUGH_REGISTERS: Final = 32


def stored_terms(before: Group, group: Group, machine: Machine) -> Stage | None:
    """Return the stage of a group if the next group joins its elements along its one axis.

    None also where vectors of both are not of as many lanes, or the machine has few registers.
    """
    stage, head = before.head, group.head
    if machine.isa.registers < ENOUGH_REGISTERS:
        return None
    if before.stages != (stage,) or stage.reduces or len(stage.axes) != 1:
        return None
    if head.spatial or len(head.reduction) != 1:
        return None
    (axis,), (own,) = head.reduction, stage.axes
    width = horizontal_axes(head, machine).get(axis)
    if width is None or lanes([stage], own, machine) != width or not contiguous(stage, own):
        return None
    if not analyzer((axis, own)).can_prove_equal(axis.extent, own.extent):
        return None
    place = [substitute(index, {own.var: axis.var}) for index in stage.store.indices]
    read = [list(load.indices) for load in head.loads if load.source.same_as(stage.store.buffer)]
    return stage if read and all(structural_equal(place, other) for other in read) else None
