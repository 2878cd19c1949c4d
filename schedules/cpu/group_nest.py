"""The nests of one group, whatever it computes."""

from __future__ import annotations

from typing import Any

from tvm.tirx import Stmt

from tvmfuse.schedules.cpu.gemm.blocks_nest import tiled
from tvmfuse.schedules.cpu.nest import Nest, Scope
from tvmfuse.schedules.cpu.pointwise import pointwise_nests
from tvmfuse.schedules.cpu.reduction_nest import ReductionNest
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.loop_nests import LoopNestBuilder, sequence
from tvmfuse.schedules.split_axis import whole_and_rest


def group_nests(group: Group, scope: Scope) -> tuple[Nest[Any], ...]:
    """Return the nests of a group, in the order in which they run."""
    if not group.head.reduces:
        return pointwise_nests(group.head, scope)
    return tuple(_reducing_nest(part, scope) for part in whole_and_rest(group))


def _reducing_nest(group: Group, scope: Scope) -> Nest[Any]:
    nest = tiled(group, scope)
    return ReductionNest.of(group, scope) if isinstance(nest, str) else nest


def inner_nest(builder: LoopNestBuilder, group: Group, scope: Scope) -> Stmt | None:
    """Return the loops of a group inside another loop, each with its own best plan."""
    nests = group_nests(group, scope)
    return sequence([nest.emit(builder, nest.plan(parallel=False)) for nest in nests])
