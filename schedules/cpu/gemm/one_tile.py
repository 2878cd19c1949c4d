"""One register tile: its sum, step by step, and its epilogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Bind, Buffer, ForKind, Stmt, Var

from tvmfuse.schedules.cpu.epilogue import finish, local_buffers
from tvmfuse.schedules.cpu.gemm.block_sums import BlockSums
from tvmfuse.schedules.cpu.gemm.dot_product import Dot
from tvmfuse.schedules.cpu.gemm.k_blocking import KBlock, partial_sums
from tvmfuse.schedules.cpu.gemm.k_unroll import sum_loops
from tvmfuse.schedules.cpu.gemm.packed_bytes import Place
from tvmfuse.schedules.cpu.gemm.pair_flags import PairFlag
from tvmfuse.schedules.cpu.gemm.pair_sums import PairSums
from tvmfuse.schedules.cpu.gemm.panel_copy import PackedPanel
from tvmfuse.schedules.cpu.gemm.panel_prefetch import PanelRequests
from tvmfuse.schedules.cpu.gemm.split_words import SplitWords
from tvmfuse.schedules.cpu.gemm.tile import Tile
from tvmfuse.schedules.cpu.gemm.tile_loops import TileLoops
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.local_buffers import STACK, LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.vector_accesses import Mask

Kept = Mapping[Buffer, Sequence[Buffer]]


@dataclass(frozen=True, eq=False)
class OneTile:
    """One tile of `rows` x `columns` elements, from `start` on.

    Attributes:
        builder: Of the function.
        loops: Around it.
        k_block: Which part of the sum it adds up.
        panel: The copied panel that it reads; None where it reads the operand itself.
        rows: Of the tile, no more than whole ones have.
        columns: Likewise.
        start: Its first element.
        requests: What is asked for ahead of its use.
        mask: Of its one vector; None for all lanes.
        flag: Whether its bytes can be clipped; None where nothing clips, or words are split.
        split: The words that it reads, which cannot be clipped; None where it reads the operand.
    """

    builder: LoopNestBuilder
    loops: TileLoops
    k_block: KBlock
    panel: PackedPanel | None
    rows: int
    columns: int
    start: Values
    requests: PanelRequests | None
    mask: Mask | None
    flag: PairFlag | None
    split: SplitWords | None

    def statement(self) -> Stmt | None:
        """Return its sum and its epilogue, with the tile allocated around them."""
        builder, group, k_block = self.builder, self.group, self.k_block
        kept = {b: self._buffers(b) for b in local_buffers(group)}
        initial = self._each(kept, self._initial)
        blocks = self._block_sums
        update = self._sum_by_blocks(kept, blocks) if blocks else self._sum(kept)
        end = self._end(kept)
        if k_block.count > 1:
            sums = partial_sums(group)
            assert sums is not None
            load = self._each(kept, lambda at, local: sums.load_partial(builder, at, local))
            store = self._each(kept, lambda at, local: sums.store_partial(builder, at, local))
            later = tirx.IfThenElse(k_block.is_first, tirx.Evaluate(0), load)
            end = sequence([later, tirx.IfThenElse(k_block.is_last, end, store)])
        buffers = [buffer for some in kept.values() for buffer in some]
        return builder.allocate(buffers, [*self._epilogue_requests(), initial, update, end])

    def _end(self, kept: Kept) -> Stmt | None:
        """Return the epilogue of all elements, and what stores them."""
        builder, packed, column = self.builder, self.loops.packed, self.tile.column_axis
        if packed is None or column is None or self.mask or self.columns % self.tile.lanes:
            return self._each(kept, lambda at, local: finish(builder, self.group, at, local))

        def together(places: Sequence[Place]) -> Stmt | None:
            def finished(nth: int, lane: Expr, whole: LocalElement | None) -> Stmt | None:
                row, first = places[nth]
                at, local = self._element(kept, *self._apart(row), first + lane)
                if whole is None:
                    return finish(builder, self.group, at, local)
                return finish(builder, packed.group, at, {**local, packed.whole: whole})

            at, _ = self._element(kept, *self._apart(places[0][0]), number(places[0][1]))
            return packed.written(builder, column, at, len(places), finished)

        return sequence([together(run) for run in packed.runs(self.rows, self.columns)])

    def _sum(self, kept: Kept) -> Stmt | None:
        dot, split = self.loops.dot, self.split
        if split is not None:
            rows = [self._listed(kept, split, row) for row in range(self.rows)]
            return sequence([self._sum_by(kept, split.main), *rows])
        if dot is not None and self.loops.row_pairs:
            pairs = self._pair_sums(kept, dot)
            return pairs.around(self._loops(self.group.head.reduction, pairs.step))
        if dot is None or self.flag is None:
            return self._sum_by(kept, dot)
        return self.flag.chosen(lambda words: self._sum_by(kept, replace(dot, together=words)))

    def _sum_by(self, kept: Kept, dot: Dot | None) -> Stmt | None:
        head = self.group.head
        values, sums = [store.value for store in head.stores], head.stores[0].buffer
        words = max(dot.together, 1) if dot else 1

        def step(k: Values) -> Stmt | None:
            if dot is None:
                return self._each(kept, lambda at, local: self._update(values, {**at, **k}, local))
            near = head.reduction[-1].var

            def update(
                at: Values, local: Mapping[Buffer, LocalElement], columns: int
            ) -> Stmt | None:
                places = [{**at, **k, near: k[near] + n} for n in range(words)]
                return dot.update(self.builder, places, local[sums], columns)

            return self._each(kept, update, dot.widths)

        return self._loops(head.reduction, step, words)

    def _pair_sums(self, kept: Kept, dot: Dot) -> PairSums:
        rows = [partial(self._element, kept, *self._apart(row)) for row in range(self.rows)]
        fitting, sums = self._fitting(dot.widths), self.group.head.stores[0].buffer
        return PairSums(self.builder, dot, sums, self._column, self.columns, fitting, rows)

    def _listed(self, kept: Kept, split: SplitWords, row: int) -> Stmt | None:
        """Return what adds the products of the words in a row's list."""
        (first, place), sums = self._apart(row), self.group.head.store.buffer

        def one(dot: Dot, here: Values) -> Stmt | None:
            def update(
                at: Values, local: Mapping[Buffer, LocalElement], columns: int
            ) -> Stmt | None:
                return dot.update(self.builder, [{**at, **here}], local[sums], columns)

            return self._vectors(kept, first, place, update, dot.widths)

        return split.listed(self.start[split.row.var] + row, one)

    def _sum_by_blocks(self, kept: Kept, blocks: BlockSums) -> Stmt | None:
        """Return the loops of a sum whose terms share a factor, block by block."""
        builder, sums = self.builder, self.group.head.store.buffer
        partial = self._buffers(sums)
        inside, both = {sums: partial}, {**kept, partial[0]: partial}

        def join(at: Values, local: Mapping[Buffer, LocalElement]) -> Stmt:
            whole, part = (builder.load_local(local[b]) for b in (sums, partial[0]))
            return builder.store_local(local[sums], whole + builder.value(blocks.factor, at) * part)

        def block(outer: Values) -> Stmt | None:
            def step(k: Values) -> Stmt | None:
                k = {**outer, **k}
                return self._each(
                    inside, lambda at, local: self._update([blocks.value], {**at, **k}, local)
                )

            initial = self._each(inside, self._initial)
            joined = self._each(both, lambda at, local: join({**at, **outer}, local))
            return sequence([initial, self._loops(blocks.inner, step), joined])

        return builder.allocate(partial, [builder.nest(blocks.outer, block)])

    def _loops(
        self, reduction: Sequence[Axis], step: Callable[[Values], Stmt | None], at_once: int = 1
    ) -> Stmt | None:
        unroll = self.loops.unrolled(self.rows * -(-self.columns // self.tile.lanes))
        k_block, requests = self.k_block, self.requests
        return sum_loops(self.builder, reduction, k_block, requests, unroll, step, at_once)

    @property
    def _block_sums(self) -> BlockSums | None:
        """How the sum comes in blocks whose terms share a factor; None for term by term."""
        loops = self.loops
        few = self.panel is None and self.rows <= loops.block_sum_rows
        return loops.block_sums if few else None

    @property
    def group(self) -> Group:
        """What is computed."""
        return self.loops.group

    @property
    def tile(self) -> Tile:
        """The tile that this is one of, or the ragged rest of."""
        return self.loops.tile

    def _epilogue_requests(self) -> list[Stmt]:
        prefetch = self.loops.epilogue_prefetch
        if prefetch is None:
            return []
        return prefetch.requests(self.builder, self.start, self.rows, self.columns)

    @property
    def _rows_together(self) -> int:
        """How many rows share a buffer that is small enough for the stack."""
        stores = [s for stage in self.group.stages for s in stage.stores]
        size: int = max((s.value.ty.dtype.bits + 7) // 8 for s in stores)
        return max(1, (STACK - 1) // (size * self.columns))

    def _buffers(self, buffer: Buffer) -> list[Buffer]:
        found = []
        for first in range(0, self.rows, self._rows_together):
            rows = min(self._rows_together, self.rows - first)
            size = number(rows * self.columns)
            found.append(self.builder.local_buffer(buffer.name, buffer.dtype, [size]))
        return found

    def _initial(self, at: Values, local: Mapping[Buffer, LocalElement]) -> Stmt | None:
        return sequence(
            [
                self.builder.store_local(local[s.buffer], self.builder.value(s.initial, at, local))
                for s in self.group.head.stores
                if s.initial is not None
            ]
        )

    def _update(
        self, values: Sequence[Expr], at: Values, local: Mapping[Buffer, LocalElement]
    ) -> Stmt | None:
        stores, keep = self.group.head.stores, self.builder.store_local
        if panel := self.panel:
            local = {**local, **panel.elements(self.builder, at)}
            values = [panel.copy.reading(value) for value in values]
        values = [self.builder.value(value, at, local) for value in values]
        if len(stores) == 1:
            return keep(local[stores[0].buffer], values[0])
        # A tuple: every value is computed before any is stored.
        bound = [Var(s.buffer.name, s.value.ty) for s in stores]
        binds = [Bind(var, value) for var, value in zip(bound, values, strict=True)]
        return sequence(
            [*binds, *(keep(local[s.buffer], v) for s, v in zip(stores, bound, strict=True))]
        )

    def _each(
        self,
        kept: Kept,
        body: Callable[..., Stmt | None],
        widths: Sequence[int] = (),
    ) -> Stmt | None:
        """Run a body for each element of the tile: unrolled rows of unrolled vectors.

        Where `widths` are given, the body is told how many elements it is for, and writes a vector.
        """
        together = self._rows_together

        def rows(first: int) -> Stmt | None:
            return self.builder.inner(
                self._row_var,
                min(together, self.rows - first),
                ForKind.UNROLLED,
                lambda row: self._vectors(kept, first, row, body, widths),
            )

        return sequence([rows(first) for first in range(0, self.rows, together)])

    @property
    def _row_var(self) -> Var:
        return self.tile.row_axis.var if self.tile.row_axis else Var("row", "int64")

    def _vectors(
        self,
        kept: Kept,
        first: int,
        row: Expr,
        body: Callable[..., Stmt | None],
        widths: Sequence[int],
    ) -> Stmt | None:
        """Run a body for each vector of a row; `row` counts from the `first` of its buffers."""
        var = self._column

        def element(column: Expr, *width: int) -> Stmt | None:
            return body(*self._element(kept, first, row, column), *width)

        if not widths:
            return self.builder.vectors(var, self.columns, self.tile.lanes, element, self.mask)

        def vectors(part: Segment) -> Stmt | None:
            def one(nth: Expr) -> Stmt | None:
                return element(part.begin + nth * part.width, part.width)

            return self.builder.inner(var, static(part.count) or 0, ForKind.UNROLLED, one)

        fitting = self._fitting(widths)
        return sequence([vectors(part) for part in segments(number(self.columns), *fitting)])

    def _fitting(self, widths: Sequence[int]) -> list[int]:
        return [width for width in widths if width <= self.tile.lanes]

    @property
    def _column(self) -> Var:
        return self.tile.column_axis.var if self.tile.column_axis else Var("column", "int64")

    def _apart(self, row: int) -> tuple[int, Expr]:
        """Return the first row of the buffers that a row is in, and its place there."""
        place = row % self._rows_together
        return row - place, number(place)

    def _element(
        self, kept: Kept, first: int, row: Expr, column: Expr
    ) -> tuple[Values, Mapping[Buffer, LocalElement]]:
        """Return an element of the tile, and where it is kept."""
        tile, at = self.tile, dict(self.start)
        if tile.row_axis:
            at[tile.row_axis.var] += row + first
        if tile.column_axis:
            at[tile.column_axis.var] += column
        offset = self.builder.simplify(row * self.columns + column)
        nth = first // self._rows_together
        return at, {b: LocalElement(some[nth], offset) for b, some in kept.items()}
