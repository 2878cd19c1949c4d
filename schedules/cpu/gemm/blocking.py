"""What of a sum of products stays near: the order of the loops, and the parts of the sum.

A register tile reads a panel of one operand and some rows of the other. One of the two stays, while
all of the other one passes; what passes comes again for each tile of the first, from beyond the
second-level cache if it is larger than that. Where a panel is too large to stay, the sum comes in
parts (`parts`), each of which has a panel that is not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Buffer

from tvmfuse.schedules.contraction import Contraction
from tvmfuse.schedules.cpu.gemm.k_blocking import waiting_room
from tvmfuse.schedules.cpu.gemm.panel_copy import PanelCopy
from tvmfuse.schedules.cpu.gemm.prefetch import in_panels
from tvmfuse.schedules.cpu.gemm.tile import Tile, length
from tvmfuse.schedules.expressions import coefficient, flat, loads, static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, analyzer
from tvmfuse.target.machine import Machine
from tvmfuse.target.register_tile import LONG

#: Tiles that have to read a panel for it to be worth keeping, and to be worth a copy.
SHARED: Final = 4
REUSED: Final = 8

#: Vectors between two steps of a sum; panels are no wider, and need no copy.
WIDE: Final = 6

#: Panels that there have to be for copies, so that threads have some each.
TASKS_LEAST: Final = 8


@dataclass(frozen=True, eq=False)
class Blocking:
    """The loops around a register tile.

    Attributes:
        group: The group.
        product: Its head.
        tile: The register tile.
        of_vectors: The operand that vectors are loaded from.
        of_numbers: The operand that gives single numbers.
        machine: The caches.
    """

    group: Group
    product: Contraction
    tile: Tile
    of_vectors: Expr
    of_numbers: Expr
    machine: Machine

    @cached_property
    def parts(self) -> int:
        """How many parts the sum comes in.

        A panel of at most half the second-level cache stays there, and streams from there as fast
        as tiles are computed. Where the other operand comes in pieces, as pixels in blocks of
        channels do, the panel's parts shall stay in the first cache; that pays from a quarter on.
        """
        reduction = self.product.stage.reduction
        panel = self._panel_bytes()
        pieces = len(reduction) > 1
        most = self.machine.tuning.l2_budget // (4 if pieces else 2)
        if panel is None or panel <= most or self._tiles(self._axes[2]) < SHARED:
            return 1
        fit = self.machine.tuning.l1_budget // 2 if pieces else most
        steps = static(reduction[0].extent) or 1
        unit = 1 if pieces else self.machine.tuning.prefetch_steps
        counts = [n for n in range(1, steps + 1) if steps % n == 0 and steps // n % unit == 0]
        return next((n for n in counts if panel <= n * fit), max(counts, default=1))

    @cached_property
    def copy(self) -> PanelCopy | None:
        """The operand of vectors, where its panels are copied as they are used."""
        stage, load, tile = self.product.stage, self.of_vectors, self.tile
        both, vectors, numbers = self._axes
        if not isinstance(load, TensorLoad) or not self._far_apart(load):
            return None
        if self.product.windows or tile.column_axis is None or tile.row_axis not in numbers:
            return None
        if not all(isinstance(a.extent, Var) or static(a.extent) for a in stage.reduction):
            return None  # it may follow from a loop around, where TVM allocates nothing
        readers = [x for x in stage.loads if x.source.same_as(load.source)]
        elements = math.prod(length(a) for a in (*vectors, *stage.reduction))
        pays = (
            elements * load.ty.dtype.bits // 8 > self.machine.tuning.l1_budget
            and self._tiles(numbers) >= REUSED
            and self._tiles([*both, *vectors]) >= TASKS_LEAST
        )
        if not pays or len(readers) > 1:
            return None
        return PanelCopy(load, stage.reduction, tile.column_axis, tile.lanes, tuple(numbers))

    @cached_property
    def order(self) -> tuple[Axis, ...]:
        """The spatial axes, outermost first: in this order the fewest bytes move."""
        both, vectors, numbers = self._axes
        if self.copy:
            return (*both, *vectors, *numbers)
        near = {
            (*both, *vectors, *numbers): self._numbers(vectors) + self._vectors([]),
            (*both, *numbers, *vectors): self._vectors(numbers) + self._numbers([]),
        }
        if len(numbers) > 1:
            # Image by image, all weights for each.
            image, *rest = numbers
            slices = self._numbers(vectors, slices=[image]) + self._vectors([image])
            near[*both, image, *vectors, *rest] = slices
        return min(near, key=near.__getitem__)

    @cached_property
    def _axes(self) -> tuple[list[Axis], list[Axis], list[Axis]]:
        """The spatial axes of both operands, of the vectors and of the numbers.

        Those of the tile are the last of their group.
        """
        product, axes = self.product, self.product.stage.spatial
        operands = self.of_vectors, self.of_numbers
        both = [a for a in axes if all(product.uses(o, a) for o in operands)]
        vectors, numbers = (
            [a for a in axes if product.uses(o, a) and a not in both] for o in operands
        )
        vectors.sort(key=lambda a: a is self.tile.column_axis)
        numbers.sort(key=lambda a: a is self.tile.row_axis)
        return both, vectors, numbers

    def _far_apart(self, load: TensorLoad) -> bool:
        """Whether the elements that two steps of the sum read are not in one panel."""
        stage = self.product.stage
        offset = analyzer(stage.axes).simplify(flat(load.source.shape, load.indices))
        found = coefficient(offset, stage.reduction[-1].var) if stage.reduction else None
        step = static(found) if found is not None else None
        return found is not None and (step is None or step > WIDE * self.tile.lanes)

    def _panel_bytes(self) -> int | None:
        """Return the size of a panel; None where there are none, or a sum cannot wait."""
        stage, columns = self.product.stage, self.tile.columns
        panels = self.copy is not None or in_panels(stage, self.of_vectors, columns)
        if waiting_room(self.group) is None or not panels:
            return None
        steps = math.prod(static(axis.extent) or 1 for axis in stage.reduction)
        size: int = steps * columns * self.of_vectors.ty.dtype.bits // 8
        return size

    def _vectors(self, again: Sequence[Axis]) -> float:
        return self._cost(self.of_vectors, again, [])

    def _numbers(self, again: Sequence[Axis], slices: Sequence[Axis] = ()) -> float:
        """Return the cost of an operand that may pass in slices, one after the other."""
        return self._cost(self.of_numbers, again, slices)

    def _cost(self, operand: Expr, again: Sequence[Axis], slices: Sequence[Axis]) -> float:
        """Return the cost of an operand that passes once for each tile of some axes.

        In bytes from the second-level cache.
        """
        tuning = self.machine.tuning
        size = 4 * sum(_elements(source) for source in {load.source for load in loads(operand)})
        outside = math.prod(length(a) for a in (*self._axes[0], *slices))
        part = size / self.parts / outside
        if part <= tuning.l1_budget:
            return 0
        far = tuning.memory_byte_cost
        if part <= tuning.l2_budget:
            far = tuning.l2_byte_cost
        elif part <= tuning.l3_budget:
            far = tuning.l3_byte_cost
        return size * far * self._tiles(again)

    def _tiles(self, axes: Sequence[Axis]) -> int:
        """Return how many tiles there are along some axes."""
        widths = {self.tile.row_axis: self.tile.rows, self.tile.column_axis: self.tile.columns}
        return math.prod(-(-length(a) // widths.get(a, 1)) for a in axes)


def _elements(buffer: Buffer) -> int:
    """Return how many elements a buffer has; unknown sizes, of which batches are, count once."""
    sizes = [static(d) for d in buffer.shape]
    return math.prod(s for s in sizes if s is not None) * (LONG if None in sizes else 1)
