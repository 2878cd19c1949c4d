"""Sums of products: the axes that the register tile lies along, and the loops around it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tvm.ir import Expr
from tvm.tirx import Stmt

from tvmfuse.schedules.collapse import collapse
from tvmfuse.schedules.contraction import Contraction, contraction
from tvmfuse.schedules.cpu.gemm.accumulate import accumulate
from tvmfuse.schedules.cpu.gemm.blocking import Blocking
from tvmfuse.schedules.cpu.gemm.panel_copy import PanelCopy
from tvmfuse.schedules.cpu.gemm.prefetch import Ends, Panel, ends, panel
from tvmfuse.schedules.cpu.gemm.tile import Tile, best_tile, length
from tvmfuse.schedules.cpu.threads import worth_threads
from tvmfuse.schedules.cpu.vectors import contiguous, lanes, steps
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.loop_nests import Writer
from tvmfuse.schedules.split_axis import divide
from tvmfuse.target.machine import Machine

#: Rows that are better than a number of rows that is not known.
FEW: Final = 4


@dataclass(frozen=True, eq=False)
class Plan:
    """How to run a sum of products.

    Attributes:
        group: The group, over the axes that the loops have.
        tile: What is accumulated in registers.
        order: The spatial axes, outermost first.
        panel: The operand to ask for ahead of its use.
        ends: What to ask for before each sum.
        parts: How many parts the sum is cut into.
        copy: The operand to copy panel by panel.
    """

    group: Group
    tile: Tile
    order: tuple[Axis, ...]
    panel: Panel | None
    ends: Ends | None
    parts: int = 1
    copy: PanelCopy | None = None


def plan(group: Group, machine: Machine) -> Plan | str:
    """Plan a register tile for a group; the reason in words where it has none."""
    if contraction(group.head) is None:
        return "its reduction is no sum of products"
    head, *epilogue = collapse(divide(group.stages))
    group = replace(group, head=head, epilogue=tuple(epilogue))
    column = column_axis(head)
    if column is None:
        return "its output has no axis for vectors"
    width = lanes(group.stages, column, machine)
    if width == 1:
        return "it branches, or calls what has no vector form, along the axis of its vectors"
    if not contiguous(head, column):
        return "an operand is not contiguous along the output's last axis"
    product = contraction(head)
    assert product is not None
    row, shared = _row(product, column)
    tile = best_tile(machine, width, row, column, shared=shared)
    vectors, numbers = _operands(product, column)
    after = ends(group, row, column, machine)
    if len(vectors) > 1:
        rest = [a for a in head.spatial if a is not column and a is not row]
        return Plan(group, tile, (*rest, column, *([row] if row else [])), None, after)
    blocking = Blocking(group, product, tile, vectors[0], numbers[0], machine)
    weights = panel(head, vectors[0], tile.columns, blocking.order, machine)
    return Plan(group, tile, blocking.order, weights, after, blocking.parts, blocking.copy)


def products(writer: Writer, plan: Plan, machine: Machine, *, threads: bool = True) -> Stmt | None:
    """Write the loops of a planned sum of products."""
    threads = threads and worth_threads(plan.group.stages, machine)
    return accumulate(
        writer,
        plan.group,
        plan.tile,
        plan.order,
        machine,
        threads=threads,
        panel=plan.panel,
        ends=plan.ends,
        parts=plan.parts,
        copy=plan.copy,
    )


def column_axis(stage: Stage) -> Axis | None:
    """Return the axis along which the stage's results lie side by side in memory."""
    return next((a for a in reversed(stage.spatial) if steps(stage, a)[-1] == 1), None)


def _row(product: Contraction, column: Axis) -> tuple[Axis | None, bool]:
    """Return the axis of the tile's rows, and whether all rows use the same vectors."""
    vectors, numbers = _operands(product, column)
    others = [a for a in product.stage.spatial if a is not column]
    for same, shared in ((vectors, True), (numbers, False)):
        axes = [a for a in others if any(not product.uses(o, a) for o in same)]
        if axes:
            # Ties go to the last, whose rows are the closest in memory.
            return max(reversed(axes), key=_as_rows), shared
    return None, True


def _as_rows(axis: Axis) -> tuple[bool, int]:
    """Rank an axis: a size known only later, as a batch's, may turn out to be 1."""
    extent = static(axis.extent)
    return extent is not None and extent >= FEW, length(axis)


def _operands(product: Contraction, column: Axis) -> tuple[list[Expr], list[Expr]]:
    """Return the operands that vectors are loaded from, and those that give single numbers."""
    vectors = [o for o in product.operands if product.uses(o, column)]
    return vectors, [o for o in product.operands if not product.uses(o, column)]
