"""Sums of products on the tiles of a matrix unit: what can be decided, the plan, and its loops.

::

    for each panel of columns, for each strip of rows:     in threads
        the registers get their sizes
        for some rows of the strip:
            sums = 0
            for k in the reduction axes, some words at a time:
                load tiles of rows and of columns; sums += rows . columns
            store the sums to memory that is near
            for each row: output = epilogue(sums)
        the rows that are left, in registers of fewer rows

A matrix unit does in a cycle what dot products of vectors take eight or more for. As a tile takes
any number of rows and always 16 columns, which panels are filled up to, nothing is left for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tvm import tirx
from tvm.ir import TensorLoad
from tvm.tirx import FloatImm, IntImm, Stmt

from tvmfuse.schedules.cpu.gemm import tile_registers as tiles
from tvmfuse.schedules.cpu.gemm.blocking import Blocking
from tvmfuse.schedules.cpu.gemm.channel_blocks import block_axis
from tvmfuse.schedules.cpu.gemm.contraction_nest import ContractionNest
from tvmfuse.schedules.cpu.gemm.dot_product import Dot
from tvmfuse.schedules.cpu.gemm.matrix_unit_strip import MatrixUnitStrip, TileProducts
from tvmfuse.schedules.cpu.gemm.tile import Tile, length
from tvmfuse.schedules.cpu.gemm.tile_registers import COLUMNS, ROWS, Registers
from tvmfuse.schedules.cpu.nest import Misfit, Nest, axis_names, in_order_of, order_misfit
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import coefficient, flat, number, static
from tvmfuse.schedules.kernels import Axis, Stage, analyzer
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import MatrixUnitPlan
from tvmfuse.target.register_tile import LONG

#: Words of a step of the sum, at least: of fewer a product does less than vectors would.
LEAST_WORDS: Final = 4

#: Tiles of rows, and of columns, whose sums are in registers at once: each that is loaded is used
#: twice.
DOWN: Final = 2
ACROSS: Final = 2

#: How often as many rows pass for some columns: 128 rows of 768 bytes are some of a second level.
STRIP_TILES: Final = 4

#: What a plan may ask for.
MAX_STRIP_TILES: Final = 1024


@dataclass(frozen=True, eq=False)
class MatrixUnitNest(Nest[MatrixUnitPlan]):
    """A sum of products that tiles of a matrix unit suit.

    Attributes:
        nest: The sum, as vectors would compute it.
        of: The sum, as tiles do.
    """

    plan_type = MatrixUnitPlan

    nest: ContractionNest
    of: TileProducts

    @classmethod
    def read(cls, nest: ContractionNest) -> MatrixUnitNest | str:
        """Read a sum of products; the reason in words where no matrix unit computes it."""
        dot, machine = nest.dot, nest.scope.machine
        if not machine.tiles:
            return "the machine has no matrix unit"
        if dot is None or dot.signed:
            return "it is no sum of dot products"
        product = machine.tile_product(dot.instruction)
        if product is None:
            return "the machine's matrix unit does not multiply such numbers"
        head, column = nest.group.head, nest.column
        initial, last = head.stores[0].initial, head.reduction[-1]
        if len(head.stores) > 1 or not isinstance(initial, IntImm | FloatImm) or initial.value != 0:
            return "its sums do not begin with zero"
        words = max(n for n in range(1, tiles.WORDS + 1) if (static(last.extent) or 1) % n == 0)
        if words < LEAST_WORDS:
            return f"no {LEAST_WORDS} to {tiles.WORDS} words divide the last axis of its sum"
        row, numbers, columns = _rows(nest, dot), dot.number.load, dot.vector.load
        if row is None:
            return "no axis has rows that are as far apart and share columns"
        down, panel = _step(head, numbers, row), _step(head, columns, last)
        side = [_step(head, *of) for of in ((numbers, last), (columns, column))]
        if not down or not panel or side != [1, 1]:
            return "its operands do not lie in rows of words"
        if panel % COLUMNS or (static(column.extent) or panel + 1) > panel:
            return f"its columns do not lie in panels of {COLUMNS}"
        blocks, word = block_axis(nest.product, column), tiles.WORD_BYTES
        intrinsic = product.intrinsic
        return cls(
            nest,
            TileProducts(
                *(nest.group, dot, row, column, blocks, nest.width, intrinsic, words),
                row_bytes=down * word,
                panel_bytes=panel * word,
            ),
        )

    def plan(self, *, parallel: bool = True) -> MatrixUnitPlan:
        of, nest, names = self.of, self.nest, self._names
        width = -(-(static(of.column.extent) or 1) // COLUMNS)
        down = 1 if (static(of.row.extent) or LONG) <= ROWS else DOWN
        several = width == 1 and self._count_of_blocks % ACROSS == 0
        tile = Tile(down * ROWS, COLUMNS // of.lanes, of.lanes, of.row, of.column)
        (vectors,), (numbers, *_) = nest.vector_operands, nest.broadcast_operands
        blocking = Blocking(nest.group, nest.product, tile, vectors, numbers, nest.scope)
        threads = parallel and should_parallelize(nest.group.stages, nest.scope.machine)
        return MatrixUnitPlan(
            mr=down * ROWS,
            nr=min(ACROSS, width) * COLUMNS,
            blocks=ACROSS if several else 1,
            strip_tiles=STRIP_TILES,
            row=names[of.row],
            column=names[of.column],
            order=tuple(names[axis] for axis in blocking.order),
            parallel=threads,
        )

    def misfits(self, plan: MatrixUnitPlan) -> Iterator[Misfit]:
        names, of, count = self._names, self.of, self._count_of_blocks
        for field, axis in (("row", of.row), ("column", of.column)):
            if getattr(plan, field) != names[axis]:
                yield Misfit(field, names[axis], getattr(plan, field))
        yield from order_misfit(plan.order, list(names))
        for field, unit in (("mr", ROWS), ("nr", COLUMNS)):
            if getattr(plan, field) % unit or getattr(plan, field) < unit:
                yield Misfit(field, f"a multiple of {unit}", getattr(plan, field))
        whole = static(of.column.extent) == plan.nr
        if plan.blocks < 1 or count % plan.blocks or (plan.blocks > 1 and not whole):
            words = f"a divisor of {count}, or 1 where a block is not {plan.nr} wide"
            yield Misfit("blocks", words, plan.blocks)
        if not Registers(plan.mr // ROWS, plan.blocks * (plan.nr // COLUMNS)).fit:
            words = f"sums, rows and columns in {tiles.REGISTERS} registers of 16 x 16"
            yield Misfit("mr", words, f"{plan.mr} x {plan.blocks * plan.nr}")
        if not 1 <= plan.strip_tiles <= MAX_STRIP_TILES:
            yield Misfit("strip_tiles", f"1 to {MAX_STRIP_TILES}", plan.strip_tiles)

    def emit(self, builder: LoopNestBuilder, plan: MatrixUnitPlan) -> Stmt | None:
        columns = segments(self.of.column.extent, plan.nr)
        loops = sequence([self._panels(builder, plan, segment) for segment in columns])
        return self.of.dot.bits.within(loops) if self.of.dot.bits else loops

    def _panels(
        self, builder: LoopNestBuilder, plan: MatrixUnitPlan, columns: Segment
    ) -> Stmt | None:
        """Return the loops over strips of panels that are so many columns wide."""
        row, column, blocks = self.of.row, self.of.column, self.of.blocks
        rows = plan.strip_tiles * plan.mr
        strips = builder.simplify(tirx.floordiv(row.extent + (rows - 1), rows))
        counts = {row: strips, column: columns.count}
        if blocks is not None:
            counts[blocks] = number(self._count_of_blocks // plan.blocks)
        order = in_order_of(plan.order, list(self._names))
        axes = [Axis(axis.var, counts.get(axis, axis.extent)) for axis in order]

        def strip(at: Values) -> Stmt | None:
            begin = builder.simplify(at[row.var] * rows)
            start = {**at, row.var: begin, column.var: columns.start(at[column.var])}
            if blocks is not None:
                start[blocks.var] = at[blocks.var] * plan.blocks
            left = builder.simplify(tirx.min(row.extent - begin, number(rows)))
            down = plan.mr // ROWS
            some = MatrixUnitStrip(self.of, builder, down, plan.blocks, columns.width, start)
            return some.loops(left)

        return builder.nest(axes, strip, parallel=plan.parallel)

    @property
    def _count_of_blocks(self) -> int:
        return 1 if self.of.blocks is None else static(self.of.blocks.extent) or 1

    @cached_property
    def _names(self) -> dict[Axis, str]:
        return axis_names(self.nest.product.stage.spatial)


def _rows(nest: ContractionNest, dot: Dot) -> Axis | None:
    """Return the longest axis along which numbers lie as far apart, and columns are the same."""
    fitting = [
        axis
        for axis in nest.product.stage.spatial
        if axis is not nest.column
        and _step(nest.group.head, dot.number.load, axis)
        and _step(nest.group.head, dot.vector.load, axis) == 0
    ]
    return max(fitting, key=length, default=None)


def _step(head: Stage, load: TensorLoad, axis: Axis) -> int | None:
    """Return how many words further an operand is read at the next value of an axis."""
    offset = analyzer(head.axes).simplify(flat(load.source.shape, load.indices))
    found = coefficient(offset, axis.var)
    return None if found is None else static(found)
