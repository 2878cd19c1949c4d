"""The loops of one group, whatever it computes."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tvm.tirx import Stmt

from tvmfuse.schedules.collapse import collapse
from tvmfuse.schedules.cpu.gemm.accumulate import accumulate
from tvmfuse.schedules.cpu.gemm.contraction_plan import Plan, column_axis, plan, products
from tvmfuse.schedules.cpu.gemm.tile import Tile
from tvmfuse.schedules.cpu.horizontal import horizontal, horizontal_axis
from tvmfuse.schedules.cpu.pointwise import pointwise
from tvmfuse.schedules.cpu.threads import worth_threads
from tvmfuse.schedules.cpu.vectors import contiguous, lanes
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.loop_nests import Writer
from tvmfuse.target.machine import Machine

#: Vectors of results that accumulate side by side, so that an addition need not wait for the last.
VECTORS: Final = 4


def group_nest(
    writer: Writer, group: Group, machine: Machine, *, threads: bool = True
) -> Stmt | None:
    """Write the loops of one group.

    Args:
        writer: Of the function that the loops are for.
        group: What to compute.
        machine: The vectors.
        threads: Whether the loops may be parallel; not inside a loop that is.
    """
    if not group.head.reduces:
        return pointwise(writer, group.head, machine, threads=threads)
    planned = plan(group, machine)
    if isinstance(planned, Plan):
        return products(writer, planned, machine, threads=threads)
    return reduction_nest(writer, group, machine, threads=threads)


def reduction_nest(writer: Writer, group: Group, machine: Machine, *, threads: bool) -> Stmt | None:
    """Write the loops of a group that reduces, with vectors of results, of terms, or none."""
    head, *epilogue = collapse(group.stages)
    group = replace(group, head=head, epilogue=tuple(epilogue))
    threads = threads and worth_threads(group.stages, machine)
    column = column_axis(head)
    width = lanes(group.stages, column, machine) if column and len(head.stores) == 1 else 1
    terms = horizontal_axis(head, machine)
    if column and width > 1:
        extent = static(column.extent)
        side_by_side = contiguous(head, column) and (extent is None or 2 * extent >= width)
        if side_by_side or terms is None:
            vectors = VECTORS if extent is None else min(VECTORS, -(-extent // width))
            tile = Tile(1, vectors, width, None, column)
            order = [*(a for a in head.spatial if a is not column), column]
            return accumulate(writer, group, tile, order, machine, threads=threads)
    if terms:
        return horizontal(writer, group, terms, machine, threads=threads)
    tile = Tile(1, 1, 1, None, None)
    return accumulate(writer, group, tile, head.spatial, machine, threads=threads)
