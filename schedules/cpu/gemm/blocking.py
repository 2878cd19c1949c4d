"""Cache blocking of a sum of products: the order of the loops, and the blocks of the sum.

A register tile reads a panel of one operand and some rows of the other. One of the two stays in a
cache, while all of the other one passes over it; what passes comes again for each tile of the
first, from beyond the second-level cache if it is larger than that. Where a panel is too large to
stay, the sum comes in blocks of k (`k_blocks`), each of which has a panel that is not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

from tvm import sym
from tvm.ir import TensorLoad
from tvm.tirx import Buffer

from tvmfuse.schedules.contraction import Contraction, Operand
from tvmfuse.schedules.cpu.gemm.k_blocking import partial_sums
from tvmfuse.schedules.cpu.gemm.panel_copy import PanelCopy, copyable
from tvmfuse.schedules.cpu.gemm.panel_prefetch import in_panels
from tvmfuse.schedules.cpu.gemm.tile import Tile
from tvmfuse.schedules.cpu.nest import Scope
from tvmfuse.schedules.expressions import coefficient, flat, loads, static, variables
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, analyzer
from tvmfuse.target.core import Tuning
from tvmfuse.target.register_tile import LONG

#: Vectors between two steps of a sum; panels are no wider, and need no copy.
MAX_PANEL_VECTORS: Final = 6

#: Panels that there have to be for copies, so that threads have some each.
MIN_PANELS_COPIED: Final = 8

#: Tiles of a strip of rows, at least.
MIN_STRIP_TILES: Final = 4

#: Sizes that one which is known only later may have.
LENGTHS: Final = (64, 1024, 16384)


class Blocked(NamedTuple):
    """The loops over tiles, and the blocks in which they run; see `ContractionPlan`."""

    order: tuple[Axis, ...]
    k_blocks: int = 1
    by_panel: bool = False
    row_strip: int = 0
    panel_copy: bool = False


@dataclass(frozen=True, eq=False)
class Blocking:
    """The loops around a register tile.

    Attributes:
        group: The group.
        product: Its head.
        tile: The register tile.
        vector_operand: The operand that vectors are loaded from.
        broadcast_operand: The operand that gives single numbers.
        scope: The caches, and the steps that may be taken.
        unknown: What a size that is known only later is taken to be.
    """

    group: Group
    product: Contraction
    tile: Tile
    vector_operand: Operand
    broadcast_operand: Operand
    scope: Scope
    unknown: int = LONG

    @property
    def chosen(self) -> Blocked:
        """All that is decided here."""
        copied = self.panel_copy is not None
        return Blocked(self.order, self.k_blocks, self.by_panel, self.row_strip, copied)

    @cached_property
    def k_blocks(self) -> int:
        """How many blocks the sum comes in.

        A panel of at most half the second-level cache stays there, and streams from there as fast
        as tiles are computed; on some machines only a smaller one does (`panel_budget`). Where the
        other operand comes in pieces, as pixels in blocks of channels do, the panel's blocks shall
        stay in the first cache; that pays from a quarter on. What is computed panel by panel is
        read from where it was written.
        """
        if not self.scope.takes("KBlocking"):
            return 1
        reduction = self.product.stage.reduction
        panel = self._panel_bytes()
        computed = self.vector_operand.costly and self.panel_copy is not None
        pieces = len(reduction) > 1
        tuning = self._tuning
        near = tuning.l2_budget // (4 if pieces else 2)
        most = near if pieces else min(near, tuning.panel_budget)
        tiles = self._tiles(self._axes[2])
        few = tiles < self._tuning.tiles_per_panel and not computed
        if panel is None or panel <= most or few:
            return 1
        fit = self._tuning.l1_budget // 2 if pieces and not computed else most
        steps = static(reduction[0].extent) or 1
        unit = 1 if pieces else self._tuning.prefetch_steps
        counts = [n for n in range(1, steps + 1) if steps % n == 0 and steps // n % unit == 0]
        return next((n for n in counts if panel <= n * fit), max(counts, default=1))

    @property
    def by_panel(self) -> bool:
        """Whether all blocks of a panel come before the next panel.

        Threads then need not wait for each other after each block. What the tiles read beside the
        panel has to be near as a whole, and threads share panels then, of which one is too few.
        """
        if self.k_blocks == 1 or self.panel_copy:
            return False
        both, vectors, numbers = self._axes
        near = self._bytes(self.broadcast_operand) <= self._tuning.l2_budget // 2
        several = self._tiles([*both, *vectors]) > 1
        return near and several and self.order == (*both, *vectors, *numbers)

    @cached_property
    def panel_copy(self) -> PanelCopy | None:
        """The operand of vectors, where its panels are copied as they are used."""
        both, vectors, shared = self._axes
        load, stage = self.vector_operand.load, self.product.stage
        if not self.scope.takes("PanelCopy"):
            return None
        if load is None:
            again = self.vector_operand.costly and self._tiles(shared) > 1
            return copyable(self.product, self.vector_operand, self.tile, shared) if again else None
        if not self._far_apart(load):
            return None
        copy = copyable(self.product, self.vector_operand, self.tile, shared)
        elements = self._elements([*vectors, *stage.reduction])
        pays = (
            elements * load.ty.dtype.bits // 8 > self._tuning.l1_budget
            and self._tiles(shared) >= self._tuning.tiles_per_copy
            and self._tiles([*both, *vectors]) >= MIN_PANELS_COPIED
        )
        return copy if pays else None

    @cached_property
    def row_strip(self) -> int:
        """Rows of a strip, whose numbers stay in the second-level cache for all panels; 0 for all.

        It pays where all of a matrix's numbers, or a signal's, would come from memory, again and
        again; of an image, lines are strips. A matrix of so many rows that are known only later is
        rare, and a signal is not.
        """
        both, vectors, numbers = self._axes
        row, tuning, operand = self.tile.row_axis, self._tuning, self.broadcast_operand
        if not self.scope.takes("RowStrips") or row is None or row not in numbers:
            return 0
        outer, rows = numbers[:-1], self._length(row)
        if static(row.extent) is None and not self.product.windows:
            return 0
        if not all(map(self._one_after_the_other, outer)):
            return 0
        size = self._bytes(operand) / self._elements([*both, *outer])
        strip = int(tuning.l2_budget / 2 / size * rows) // self.tile.rows * self.tile.rows
        fits = MIN_STRIP_TILES * self.tile.rows <= strip < rows
        if not fits or size <= tuning.l3_budget or self.panel_copy or self.k_blocks > 1:
            return 0
        passes = -(-rows // strip) * self._elements(outer)
        cost = self._passes(operand, 1, []) + self._passes(self.vector_operand, passes, [])
        order = min(self.costs, key=self.costs.__getitem__)
        again = order in {(*both, *vectors, *numbers), (*both, *outer, *vectors, row)}
        return strip if again and 2 * cost < self.costs[order] else 0

    @cached_property
    def order(self) -> tuple[Axis, ...]:
        """The spatial axes, outermost first: in this order the fewest bytes move.

        For each row, where their number is known only later.
        """
        both, vectors, numbers = self._axes
        if self.panel_copy:
            return (*both, *vectors, *numbers)
        if self.row_strip:
            return (*both, *numbers[:-1], *vectors, *numbers[-1:])
        unknown = any(static(axis.extent) is None for axis in self.product.stage.spatial)
        lengths = LENGTHS if unknown else (self.unknown,)
        costs = [replace(self, unknown=length).costs for length in lengths]
        return min(
            costs[0],
            key=lambda order: sum(
                cost[order] / length for cost, length in zip(costs, lengths, strict=True)
            ),
        )

    @cached_property
    def costs(self) -> dict[tuple[Axis, ...], float]:
        """The cost of each order."""
        both, vectors, numbers = self._axes
        costs = {
            (*both, *vectors, *numbers): self._numbers(vectors) + self._vectors([]),
            (*both, *numbers, *vectors): self._vectors(numbers) + self._numbers([]),
        }
        if len(numbers) > 1:
            # Image by image, all weights for each.
            image, *rest = numbers
            slices = self._numbers(vectors, slices=[image]) + self._vectors([image])
            costs[*both, image, *vectors, *rest] = slices
        return costs

    @property
    def _tuning(self) -> Tuning:
        return self.scope.machine.tuning

    @cached_property
    def _axes(self) -> tuple[list[Axis], list[Axis], list[Axis]]:
        """The spatial axes of both operands, of the vectors and of the numbers.

        Those of the tile are the last of their group.
        """
        axes, operands = self.product.stage.spatial, (self.vector_operand, self.broadcast_operand)
        both = [a for a in axes if all(o.uses(a) for o in operands)]
        vectors, numbers = ([a for a in axes if o.uses(a) and a not in both] for o in operands)
        vectors.sort(key=lambda a: a is self.tile.column_axis)
        numbers.sort(key=lambda a: a is self.tile.row_axis)
        return both, vectors, numbers

    def _far_apart(self, load: TensorLoad) -> bool:
        """Whether the elements that two steps of the sum read are not in one panel."""
        stage = self.product.stage
        offset = analyzer(stage.axes).simplify(flat(load.source.shape, load.indices))
        found = coefficient(offset, stage.reduction[-1].var) if stage.reduction else None
        step = static(found) if found is not None else None
        return found is not None and (step is None or step > MAX_PANEL_VECTORS * self.tile.lanes)

    def _one_after_the_other(self, axis: Axis) -> bool:
        """Whether all numbers of one sum lie between two steps of an axis, as images lie.

        The lines of one do not: those of another channel are between them and far away.
        """
        load, stage = self.broadcast_operand.load, self.product.stage
        if load is None:
            return False
        known = analyzer(stage.axes)
        offset = known.simplify(flat(load.source.shape, load.indices))
        step, *others = (coefficient(offset, a.var) for a in (axis, *stage.reduction))
        some = sym.Analyzer()  # where a size is 0 there is nothing
        for size in variables(*load.source.shape):
            some.update(size, sym.ConstIntBound(1, sym.ConstIntBound.POS_INF))
        return step is not None and all(
            other is not None and some.can_prove(step >= other) for other in others
        )

    def _panel_bytes(self) -> int | None:
        """Return the size of a panel; None where there are none, or no place for partial sums."""
        stage, columns, load = self.product.stage, self.tile.columns, self.vector_operand.load
        if partial_sums(self.group) is None:
            return None
        if self.panel_copy is None and (
            load is None or not in_panels(stage, load, self.tile.panel)
        ):
            return None
        steps = math.prod(static(axis.extent) or 1 for axis in stage.reduction)
        element = self.vector_operand.factor if load is None else load
        size: int = steps * columns * element.ty.dtype.bits // 8
        return size

    def _vectors(self, passes_over: Sequence[Axis]) -> float:
        return self._cost(self.vector_operand, passes_over, [])

    def _numbers(self, passes_over: Sequence[Axis], slices: Sequence[Axis] = ()) -> float:
        """Return the cost of an operand that may pass in slices, one after the other."""
        return self._cost(self.broadcast_operand, passes_over, slices)

    def _cost(self, operand: Operand, passes_over: Sequence[Axis], slices: Sequence[Axis]) -> float:
        """Return the cost of an operand that passes once for each tile of some axes."""
        return self._passes(operand, self._tiles(passes_over), slices)

    def _passes(self, operand: Operand, times: int, slices: Sequence[Axis]) -> float:
        """Return the cost of an operand that passes some times.

        In bytes from the second-level cache.
        """
        tuning, size = self._tuning, self._bytes(operand)
        outside = self._elements([*self._axes[0], *slices])
        part = size / self.k_blocks / outside
        if part <= tuning.l1_budget:
            return 0
        byte_cost = tuning.memory_byte_cost
        if part <= tuning.l2_budget:
            byte_cost = tuning.l2_byte_cost
        elif part <= tuning.l3_budget:
            byte_cost = tuning.l3_byte_cost
        return size * byte_cost * times

    def _bytes(self, operand: Operand) -> int:
        sources = {load.source for load in loads(operand.factor)}
        return sum(_nbytes(source, self.unknown) for source in sources)

    def _tiles(self, axes: Sequence[Axis]) -> int:
        """Return how many tiles there are along some axes."""
        widths = {self.tile.row_axis: self.tile.rows, self.tile.column_axis: self.tile.columns}
        return math.prod(-(-self._length(a) // widths.get(a, 1)) for a in axes)

    def _elements(self, axes: Sequence[Axis]) -> int:
        return math.prod(self._length(a) for a in axes)

    def _length(self, axis: Axis) -> int:
        """Return an axis's extent; of several that are known only later, one is long."""
        known = static(axis.extent)
        if known is not None:
            return known
        tile = [a for a in (self.tile.row_axis, self.tile.column_axis) if a is not None]
        longer = axis not in tile and any(static(a.extent) is None for a in tile)
        return 1 if longer else self.unknown


def _nbytes(buffer: Buffer, unknown: int) -> int:
    """Return how many bytes a buffer has; unknown sizes, of which batches are, count once."""
    sizes = [static(d) for d in buffer.shape]
    elements = math.prod(s for s in sizes if s is not None) * (unknown if None in sizes else 1)
    return elements * int(buffer.dtype.bits) // 8
