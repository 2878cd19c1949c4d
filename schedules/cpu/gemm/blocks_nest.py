"""A sum of products whose register tile may be several blocks of channels wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tvm.tirx import Stmt

from tvmfuse.schedules.cpu.gemm.channel_blocks import block_axis, block_counts
from tvmfuse.schedules.cpu.gemm.contraction_nest import MAX_VECTORS, ContractionNest
from tvmfuse.schedules.cpu.gemm.tile import length
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.loop_nests import LoopNestBuilder
from tvmfuse.schedules.plans import ContractionPlan
from tvmfuse.target.register_tile import tile_cycles


@dataclass(frozen=True, eq=False)
class BlocksNest(Nest[ContractionPlan]):
    """The nests of the same results, by how many blocks of channels are one axis of columns."""

    plan_type = ContractionPlan

    nests: Mapping[int, ContractionNest]

    def plan(self, *, parallel: bool = True) -> ContractionPlan:
        scope = self.nests[1].scope
        most = scope.machine.tuning.tile_blocks if scope.takes("RegisterTiling") else 1
        fitting = (nest for blocks, nest in self.nests.items() if blocks <= most)
        return min(fitting, key=_cycles_of_column).plan(parallel=parallel)

    def misfits(self, plan: ContractionPlan) -> Iterator[Misfit]:
        if plan.blocks in self.nests:
            yield from self.nests[plan.blocks].misfits(plan)
        else:
            yield Misfit("blocks", f"one of {', '.join(map(str, self.nests))}", plan.blocks)

    def emit(self, builder: LoopNestBuilder, plan: ContractionPlan) -> Stmt | None:
        return self.nests[plan.blocks].emit(builder, plan)


def tiled(group: Group, scope: Scope) -> Nest[ContractionPlan] | str:
    """Read a group as a sum of products; the reason in words where no register tile suits it."""
    nest = ContractionNest.of(group, scope)
    if isinstance(nest, str):
        return nest
    blocks, whole = block_axis(nest.product, nest.column), static(nest.column.extent)
    if blocks is None or not whole or whole % nest.width or not nest.rows()[1]:
        return nest
    if nest.dot and nest.dot.clips:
        return nest  # Which bytes may be clipped is found out for one block.
    most = MAX_VECTORS * nest.width // whole
    beside = (n for n in block_counts(blocks, most) if n > 1)
    return BlocksNest({1: nest, **{n: nest.beside(blocks, n) for n in beside}})


def _cycles_of_column(nest: ContractionNest) -> float:
    """Return the cycles that the fastest tile takes for a column and a step of its sum."""
    (row, shared), columns = nest.rows(), length(nest.column)
    rows, whole = length(row) if row else 1, nest.blocks > 1
    cycles = tile_cycles(nest.machine, rows, columns, nest.width, shared=shared, whole=whole)
    return cycles / columns
