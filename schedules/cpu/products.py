"""Sums of products: the axes that the register tile lies along, and the order of the loops."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tvm.tirx import Stmt

from tvmfuse.schedules.collapse import collapse
from tvmfuse.schedules.contraction import Contraction, contraction
from tvmfuse.schedules.cpu.accumulate import Tile, accumulate
from tvmfuse.schedules.cpu.isa import Isa
from tvmfuse.schedules.cpu.threads import worth_threads
from tvmfuse.schedules.cpu.tiles import LONG, best_tile
from tvmfuse.schedules.cpu.vectors import contiguous, lanes, steps
from tvmfuse.schedules.divide import divide
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.nests import Writer


@dataclass(frozen=True, eq=False)
class Plan:
    """How to run a sum of products.

    Attributes:
        group: The group, over the axes that the loops have.
        tile: What is accumulated in registers.
        order: The spatial axes, outermost first.
    """

    group: Group
    tile: Tile
    order: tuple[Axis, ...]


def plan(group: Group, isa: Isa) -> Plan | str:
    """Plan a register tile for a group; the reason in words where it has none."""
    if contraction(group.head) is None:
        return "its reduction is no sum of products"
    head, *epilogue = collapse(divide(group.stages))
    group = replace(group, head=head, epilogue=tuple(epilogue))
    column = column_axis(head)
    if column is None:
        return "its output has no axis for vectors"
    width = lanes(group.stages, column, isa)
    if width == 1:
        return "it branches, or calls what has no vector form, along the axis of its vectors"
    if not contiguous(head, column):
        return "an operand is not contiguous along the output's last axis"
    product = contraction(head)
    assert product is not None
    row, shared = _row(product, column)
    tile = best_tile(isa, width, row, column, shared=shared)
    return Plan(group, tile, _order(product, row, column))


def products(writer: Writer, plan: Plan, isa: Isa, *, threads: bool = True) -> Stmt | None:
    """Write the loops of a planned sum of products."""
    threads = threads and worth_threads(plan.group.stages, isa)
    return accumulate(writer, plan.group, plan.tile, plan.order, threads=threads)


def column_axis(stage: Stage) -> Axis | None:
    """Return the axis along which the stage's results lie side by side in memory."""
    return next((a for a in reversed(stage.spatial) if steps(stage, a)[-1] == 1), None)


def _row(product: Contraction, column: Axis) -> tuple[Axis | None, bool]:
    """Return the axis of the tile's rows, and whether all rows use the same vectors."""
    vectors = [o for o in product.operands if product.uses(o, column)]
    numbers = [o for o in product.operands if not product.uses(o, column)]
    others = [a for a in product.stage.spatial if a is not column]
    for same, shared in ((vectors, True), (numbers, False)):
        axes = [a for a in others if any(not product.uses(o, a) for o in same)]
        if axes:
            # Ties go to the last, whose rows are the closest in memory.
            return max(reversed(axes), key=_length), shared
    return None, True


def _length(axis: Axis) -> int:
    extent = static(axis.extent)
    return LONG if extent is None else extent


def _order(product: Contraction, row: Axis | None, column: Axis) -> tuple[Axis, ...]:
    """Keep the operand that is read again closest to the innermost loops.

    In a matrix product the rows are innermost: a few columns of the second matrix stay in the
    cache while all rows pass. Where axes other than the columns move only the vectors, as a
    convolution's height does, the rows are outside them: a few rows of the weights stay.
    """
    rest = [a for a in product.stage.spatial if a is not column and a is not row]
    if row is None:
        return (*rest, column)
    numbers = [o for o in product.operands if not product.uses(o, column)]
    moving = [a for a in rest if any(not product.uses(o, a) for o in numbers)]
    fixed = [a for a in rest if a not in moving]
    if moving:
        return (*fixed, row, *moving, column)
    return (*fixed, column, row)
