"""Some rows of a panel on a matrix unit: the registers' sizes, the sums, and their epilogue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Buffer, IfThenElse, Stmt

from tvmfuse.schedules.cpu.epilogue import finish, local_buffers
from tvmfuse.schedules.cpu.gemm import tile_registers as tiles
from tvmfuse.schedules.cpu.gemm.dot_product import Dot
from tvmfuse.schedules.cpu.gemm.tile_registers import COLUMNS, ROWS, Configuration, Registers
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence

Kept = dict[Buffer, Buffer]


@dataclass(frozen=True, eq=False)
class TileProducts:
    """A sum of products, as a matrix unit computes it.

    Attributes:
        group: The sum and its epilogue.
        dot: Its operands, in words.
        row: The axis of rows.
        column: The axis of columns.
        blocks: The axis of blocks of channels; None where there are none.
        lanes: Elements of a vector of the epilogue.
        intrinsic: The instruction, by LLVM's name.
        words: How many words of the sum it takes.
        row_bytes: From one row of numbers to the next.
        panel_bytes: From one word of the columns to the next.
    """

    group: Group
    dot: Dot
    row: Axis
    column: Axis
    blocks: Axis | None
    lanes: int
    intrinsic: str
    words: int
    row_bytes: int
    panel_bytes: int


@dataclass(frozen=True, eq=False)
class MatrixUnitStrip:
    """Some rows of one panel, or of one panel of each of some blocks.

    Attributes:
        of: What is computed.
        builder: Of the function.
        down: How many tiles of rows are computed together.
        blocks: How many blocks of channels are.
        columns: Of the panel.
        start: Its first element.
    """

    of: TileProducts
    builder: LoopNestBuilder
    down: int
    blocks: int
    columns: int
    start: Values

    def loops(self, rows: Expr) -> Stmt | None:
        """Return the loops over so many rows."""
        builder, mr = self.builder, self.down * ROWS
        sizes, sums = Configuration.of(builder), self._local(self._sum, mr)
        others = {b: self._local(b) for b in local_buffers(self.of.group)[1:]}
        kept: Kept = {self._sum: sums, **others}
        rows, found = self._named("rows", rows)
        left, _left = self._named("left", tirx.floormod(rows, mr))
        few, _few = self._named("few", tirx.floormod(rows, ROWS))
        step = Axis(Var("tile", "int64"), builder.simplify(tirx.floordiv(rows, mr)))
        full = number(ROWS)

        def whole(at: Values) -> Stmt | None:
            return self._tile(kept, at[step.var] * mr, self.down, full)

        def behind(down: int) -> Stmt | None:
            there = tirx.EQ(tirx.floordiv(left, ROWS), number(down))
            return self._where(there, [self._tile(kept, rows - left, down, full)])

        last = [*sizes.loaded(self._sizes(few)), self._tile(kept, rows - few, 1, few)]
        body = [
            *(*found, *_left, *_few),
            *sizes.loaded(self._sizes(full)),
            builder.nest([step], whole),
            *(behind(down) for down in range(1, self.down)),
            self._where(few > 0, last),
            tiles.released(),
        ]
        return builder.allocate([sizes.memory, *kept.values()], body)

    def _named(self, name: str, value: Expr) -> tuple[Expr, list[Stmt]]:
        """Return a number of rows, as a variable that is set where it is not known."""
        value = self.builder.simplify(value)
        return (value, []) if static(value) is not None else self.builder.sealed(name, value)

    def _where(self, condition: Expr, body: Sequence[Stmt | None]) -> Stmt | None:
        """Return a body that is left out where a condition cannot hold, or asked for one."""
        known, inner = self.builder.simplify(condition), sequence(body)
        if isinstance(known, tirx.IntImm):
            return inner if int(known) else None
        return inner and IfThenElse(known, inner, None)

    def _tile(self, kept: Kept, first: Expr, down: int, rows: Expr) -> Stmt | None:
        """Return the sums of some tiles of so many rows each, and their epilogue."""
        builder, of, registers = self.builder, self.of, self._registers
        start = {**self.start, of.row.var: self.start[of.row.var] + first}
        every = [(r, c) for c in range(self._across) for r in range(down)]
        *outer, last = of.group.head.reduction
        steps = Axis(last.var, tirx.floordiv(last.extent, of.words))

        def step(k: Values) -> Stmt | None:
            at, done = {**start, **k, last.var: k[last.var] * of.words}, list[Stmt]()
            for r in range(down):
                numbers = self._element(of.dot.number.first, self._below(at, r))
                done.append(tiles.loaded(registers.rows(r), numbers, of.row_bytes))
            for r, c in every:
                if r == 0:
                    columns = self._element(of.dot.vector.first, self._beside(at, c))
                    done.append(tiles.loaded(registers.columns(c), columns, of.panel_bytes))
                operands = registers.sums(r, c), registers.rows(r), registers.columns(c)
                done.append(tiles.multiplied(of.intrinsic, *operands))
            return sequence(done)

        def row(at: Values) -> Stmt | None:
            return self._row(kept, start, at[of.row.var])

        return sequence(
            [
                *(tiles.cleared(registers.sums(r, c)) for r, c in every),
                builder.nest([*outer, steps], step),
                *(self._stored(kept, r, c) for r, c in every),
                builder.nest([Axis(of.row.var, builder.simplify(rows * down))], row),
            ]
        )

    def _stored(self, kept: Kept, r: int, c: int) -> Stmt:
        """Return the store of a tile of sums to the memory that they are kept in."""
        first = LocalElement(kept[self._sum], number(r * ROWS * self._width + c * COLUMNS))
        register, row_bytes = self._registers.sums(r, c), self._width * tiles.WORD_BYTES
        return tiles.stored(register, self.builder.load_local(first), row_bytes)

    def _row(self, kept: Kept, start: Values, row: Expr) -> Stmt | None:
        """Return the epilogue of one row of sums, counted from the tile's first."""
        of, column = self.of, self.of.column.var

        def block(nth: int) -> Stmt | None:
            def element(c: Expr) -> Stmt | None:
                place = c + nth * self.columns
                local = {b: LocalElement(own, place) for b, own in kept.items()}
                local[self._sum] = LocalElement(kept[self._sum], row * self._width + place)
                at = {**start, of.row.var: start[of.row.var] + row, column: start[column] + c}
                if of.blocks is not None and self.blocks > 1:
                    at[of.blocks.var] = at[of.blocks.var] + nth
                return finish(self.builder, of.group, at, local)

            return self.builder.vectors(column, self.columns, of.lanes, element)

        return sequence([block(nth) for nth in range(self.blocks)])

    @property
    def _sum(self) -> Buffer:
        return self.of.group.head.store.buffer

    @property
    def _across(self) -> int:
        """How many tiles of sums lie side by side."""
        return self.blocks * -(-self.columns // COLUMNS)

    @property
    def _width(self) -> int:
        return self._across * COLUMNS

    @property
    def _registers(self) -> Registers:
        return Registers(self.down, self._across)

    def _sizes(self, rows: Expr) -> list[tuple[int, Expr]]:
        return self._registers.sizes(self.of.words, rows)

    def _local(self, buffer: Buffer, rows: int = 1) -> Buffer:
        elements = number(rows * self._width)
        return self.builder.local_buffer(buffer.name, buffer.dtype, [elements])

    def _below(self, at: Values, tile: int) -> Values:
        row = self.of.row.var
        return {**at, row: at[row] + tile * ROWS}

    def _beside(self, at: Values, tile: int) -> Values:
        """Return where a tile of columns begins: in the panel, or in another block's."""
        blocks, column = self.of.blocks, self.of.column.var
        if self.blocks > 1 and blocks is not None:
            each = self._across // self.blocks
            block, tile = divmod(tile, each)
            at = {**at, blocks.var: at[blocks.var] + block}
        return {**at, column: at[column] + tile * COLUMNS}

    def _element(self, load: TensorLoad, at: Values) -> TensorLoad:
        bits, element = self.of.dot.bits, self.builder.element(load, at)
        return bits.of(element) if bits else element
