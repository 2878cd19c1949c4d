"""Prefetching what an epilogue reads and writes, before the sum that comes first.

In a model each kernel reads what another has just written: what is too large for the second-level
cache comes from beyond it, too late for the epilogue that waits for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tvm.ir import Expr
from tvm.tirx import Buffer, Stmt

from tvmfuse.schedules.cpu.gemm.panel_prefetch import line_elements
from tvmfuse.schedules.expressions import coefficient, flat, number, product, static, variables
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, analyzer
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values
from tvmfuse.schedules.prefetch_hints import READ_NEAR, WRITE_NEAR, Hint
from tvmfuse.target.machine import Machine

Place = tuple[Buffer, Sequence[Expr], Hint, int]
"""A buffer, the element of a tile's first result, the request's hint, and the rows of a line."""


def out_of_l2(buffer: Buffer, machine: Machine) -> bool:
    """Whether a buffer is too large to be in the second-level cache with what else is there."""
    elements = static(product(buffer.shape))
    return elements is None or elements * buffer.dtype.bits // 8 > machine.tuning.l2_budget // 2


@dataclass(frozen=True, eq=False)
class EpiloguePrefetch:
    """What the tiles of a group read and write after their sums, out of the second-level cache.

    Attributes:
        places: What is asked for, of each tile.
        row: The axis of the tiles' rows.
        column: That of their columns, which lie side by side.
        machine: Its lines.
    """

    places: tuple[Place, ...]
    row: Axis
    column: Axis
    machine: Machine

    def requests(
        self, builder: LoopNestBuilder, start: Values, rows: int, columns: int
    ) -> list[Stmt]:
        """Return the requests of one tile, which come before its sum."""
        return [
            self._request(builder, start, place, row, column)
            for place in self.places
            for row in range(0, rows, place[3])
            for column in range(0, columns, line_elements(place[0], self.machine))
        ]

    def _request(
        self, builder: LoopNestBuilder, start: Values, place: Place, row: int, column: int
    ) -> Stmt:
        (buffer, indices, hint, _), at = place, dict(start)
        at[self.row.var] += row
        at[self.column.var] += column
        return builder.prefetch(buffer, indices, at, number(0), hint)


def epilogue_prefetch(
    group: Group, row: Axis | None, column: Axis, machine: Machine
) -> EpiloguePrefetch | None:
    """Return what tiles read and write after their sums, out of the second-level cache."""
    if row is None:
        return None
    reads = [(x.source, x.indices, READ_NEAR) for stage in group.epilogue for x in stage.loads]
    stores = [store for stage in group.stages for store in stage.stores]
    writes = [(s.buffer, s.indices, WRITE_NEAR) for s in stores if s.buffer in group.stored]
    found = [(b, i, hint) for b, i, hint in reads if b not in group.buffers] + writes
    known = analyzer(group.head.spatial)

    def rows_of_a_line(buffer: Buffer, indices: Sequence[Expr]) -> int:
        step = coefficient(known.simplify(flat(buffer.shape, indices)), row.var)
        apart = None if step is None else static(step)
        return max(1, line_elements(buffer, machine) // apart) if apart else 1

    places = [
        (buffer, indices, hint, rows_of_a_line(buffer, indices))
        for buffer, indices, hint in found
        if {row.var, column.var} <= variables(*indices) and out_of_l2(buffer, machine)
    ]
    return EpiloguePrefetch(tuple(places), row, column, machine) if places else None
