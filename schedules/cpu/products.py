"""Sums of products: the axes that the register tile lies along, and the order of the loops."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tvm.ir import Expr
from tvm.tirx import Buffer, Stmt

from tvmfuse.schedules.collapse import collapse
from tvmfuse.schedules.contraction import Contraction, contraction
from tvmfuse.schedules.cpu.accumulate import Tile, accumulate
from tvmfuse.schedules.cpu.isa import Isa
from tvmfuse.schedules.cpu.prefetch import Ends, Panel, ends, panel
from tvmfuse.schedules.cpu.threads import worth_threads
from tvmfuse.schedules.cpu.tiles import LONG, best_tile
from tvmfuse.schedules.cpu.vectors import contiguous, lanes, steps
from tvmfuse.schedules.divide import divide
from tvmfuse.schedules.expressions import loads, static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.nests import Writer

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
    """

    group: Group
    tile: Tile
    order: tuple[Axis, ...]
    panel: Panel | None
    ends: Ends | None


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
    vectors, numbers = _operands(product, column)
    after = ends(group, row, column, isa)
    if len(vectors) > 1:
        rest = [a for a in head.spatial if a is not column and a is not row]
        return Plan(group, tile, (*rest, column, *([row] if row else [])), None, after)
    order = _order(product, tile, vectors[0], numbers[0], isa)
    weights = panel(head, vectors[0], numbers[0], tile.columns, order, isa)
    return Plan(group, tile, order, weights, after)


def products(writer: Writer, plan: Plan, isa: Isa, *, threads: bool = True) -> Stmt | None:
    """Write the loops of a planned sum of products."""
    threads = threads and worth_threads(plan.group.stages, isa)
    return accumulate(
        writer,
        plan.group,
        plan.tile,
        plan.order,
        threads=threads,
        panel=plan.panel,
        ends=plan.ends,
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
    return extent is not None and extent >= FEW, _length(axis)


def _length(axis: Axis) -> int:
    extent = static(axis.extent)
    return LONG if extent is None else extent


def _operands(product: Contraction, column: Axis) -> tuple[list[Expr], list[Expr]]:
    """Return the operands that vectors are loaded from, and those that give single numbers."""
    vectors = [o for o in product.operands if product.uses(o, column)]
    return vectors, [o for o in product.operands if not product.uses(o, column)]


def _order(
    product: Contraction, tile: Tile, vectors: Expr, numbers: Expr, isa: Isa
) -> tuple[Axis, ...]:
    """Keep near what one operand gives to a tile, while all of the other one passes.

    The operand that passes comes again for each tile of the first, from beyond the second-level
    cache if it is larger than that. The order taken moves fewer bytes so.
    """
    axes = product.stage.spatial
    both = [a for a in axes if product.uses(vectors, a) and product.uses(numbers, a)]
    of_vectors, of_numbers = (
        [a for a in axes if product.uses(operand, a) and a not in both]
        for operand in (vectors, numbers)
    )
    # The axes of the tile inside their groups.
    of_vectors.sort(key=lambda a: a is tile.column_axis)
    of_numbers.sort(key=lambda a: a is tile.row_axis)
    passing = _Passing(product, tile, vectors, numbers, isa)
    near = {
        (*both, *of_vectors, *of_numbers): passing.numbers(of_vectors) + passing.vectors([]),
        (*both, *of_numbers, *of_vectors): passing.vectors(of_numbers) + passing.numbers([]),
    }
    if len(of_numbers) > 1:
        # Image by image, all weights for each.
        image, *rest = of_numbers
        slices = passing.numbers(of_vectors, parts=[image]) + passing.vectors([image])
        near[*both, image, *of_vectors, *rest] = slices
    return min(near, key=near.__getitem__)


@dataclass(frozen=True, eq=False)
class _Passing:
    """What the operands cost that pass once for each tile of some axes.

    In bytes from the second-level cache; those from the last level count four times, those that
    are too many for it twelve times.
    """

    product: Contraction
    tile: Tile
    of_vectors: Expr
    of_numbers: Expr
    isa: Isa

    def vectors(self, again: Sequence[Axis]) -> float:
        """Return the cost of the operand that vectors are loaded from."""
        return self._cost(self.of_vectors, again, [])

    def numbers(self, again: Sequence[Axis], parts: Sequence[Axis] = ()) -> float:
        """Return the cost of the other operand, which may pass in parts, one after the other."""
        return self._cost(self.of_numbers, again, parts)

    def _cost(self, operand: Expr, again: Sequence[Axis], parts: Sequence[Axis]) -> float:
        sources = {load.source for load in loads(operand)}
        size = 4 * sum(_elements(source) for source in sources)
        part = size / math.prod(_length(a) for a in parts)
        if part <= self.isa.l1_bytes:
            return 0
        far = 1 if part <= self.isa.l2_bytes else 4 if part <= self.isa.l3_bytes else 12
        widths = {self.tile.row_axis: self.tile.rows, self.tile.column_axis: self.tile.columns}
        return size * far * math.prod(-(-_length(a) // widths.get(a, 1)) for a in again)


def _elements(buffer: Buffer) -> int:
    """Return how many elements a buffer has; unknown sizes, of which batches are, count once."""
    sizes = [static(d) for d in buffer.shape]
    return math.prod(s for s in sizes if s is not None) * (LONG if None in sizes else 1)
