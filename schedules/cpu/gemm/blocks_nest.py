"""A sum of products whose register tile may be several blocks of channels wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tvm.tirx import Stmt

from tvmfuse.schedules.cpu.gemm.channel_blocks import block_axis, block_counts
from tvmfuse.schedules.cpu.gemm.contraction_nest import MAX_VECTORS, ContractionNest
from tvmfuse.schedules.cpu.gemm.matrix_unit_nest import MatrixUnitNest
from tvmfuse.schedules.cpu.gemm.tile import length
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import LoopNestBuilder
from tvmfuse.schedules.plans import ContractionPlan
from tvmfuse.target.register_tile import tile_cycles


@dataclass(frozen=True, eq=False)
class BlocksNest(Nest[ContractionPlan]):
    """The nests of the same results, by how many blocks of channels are one axis of columns.

    Attributes:
        one: That of one block.
        blocks: The axis of blocks.
        counts: How many of them may be side by side.
    """

    plan_type = ContractionPlan

    one: ContractionNest
    blocks: Axis
    counts: Sequence[int]
    _made: dict[int, ContractionNest] = field(default_factory=dict, init=False)

    def plan(self, *, parallel: bool = True) -> ContractionPlan:
        scope = self.one.scope
        most = scope.machine.tuning.tile_blocks if scope.takes("RegisterTiling") else 1
        fitting = (self._beside(count) for count in self.counts if count <= most)
        return min(fitting, key=_cycles_of_column).plan(parallel=parallel)

    def misfits(self, plan: ContractionPlan) -> Iterator[Misfit]:
        if plan.blocks in self.counts:
            yield from self._beside(plan.blocks).misfits(plan)
        else:
            yield Misfit("blocks", f"one of {', '.join(map(str, self.counts))}", plan.blocks)

    def emit(self, builder: LoopNestBuilder, plan: ContractionPlan) -> Stmt | None:
        return self._beside(plan.blocks).emit(builder, plan)

    def _beside(self, count: int) -> ContractionNest:
        """Return the nest of so many blocks side by side, made when it is first asked for."""
        if count not in self._made:
            self._made[count] = self.one if count == 1 else self.one.beside(self.blocks, count)
        return self._made[count]


def tiled(group: Group, scope: Scope) -> Nest[Any] | str:
    """Read a group as a sum of products; the reason in words where no register tile suits it.

    It runs on the machine's matrix unit where that computes it.
    """
    nest = ContractionNest.of(group, scope)
    if isinstance(nest, str):
        return nest
    if scope.takes("MatrixUnit") and not isinstance(unit := MatrixUnitNest.read(nest), str):
        return unit
    blocks, whole = block_axis(nest.product, nest.column), static(nest.column.extent)
    if blocks is None or not whole or whole % nest.width or not nest.rows()[1]:
        return nest
    if nest.dot and nest.dot.clips:
        return nest  # Which bytes may be clipped is found out for one block.
    most = MAX_VECTORS * nest.width // whole
    return BlocksNest(nest, blocks, block_counts(blocks, most))


def _cycles_of_column(nest: ContractionNest) -> float:
    """Return the cycles that the fastest tile takes for a column and a step of its sum."""
    (row, shared), columns = nest.rows(), length(nest.column)
    rows, whole = length(row) if row else 1, nest.blocks > 1
    cycles = tile_cycles(nest.machine, rows, columns, nest.width, shared=shared, whole=whole)
    return cycles / columns
