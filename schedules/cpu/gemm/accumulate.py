"""Reductions that keep a tile of their results in registers.

::

    for each tile of rows x columns:           the outer loops
        tile = initial
        for k in the reduction axes:
            tile[r, c] = tile[r, c] + ...      rows and vectors unrolled, lanes vectorized
        output = epilogue(tile)

The tile is a small buffer on the stack whose offsets are all constants once the loops over it are
unrolled, so LLVM keeps it in registers. Every result is stored once, after its epilogue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Bind, Buffer, ForKind, Stmt, Var

from tvmfuse.schedules.cpu.epilogue import finish, local_buffers
from tvmfuse.schedules.cpu.gemm.block_sums import BlockSums
from tvmfuse.schedules.cpu.gemm.dot_product import Dot
from tvmfuse.schedules.cpu.gemm.k_blocking import KBlock, partial_sums
from tvmfuse.schedules.cpu.gemm.k_unroll import sum_loops
from tvmfuse.schedules.cpu.gemm.pair_flags import PairFlag, PairFlags
from tvmfuse.schedules.cpu.gemm.panel_copy import PackedPanel, PanelCopy
from tvmfuse.schedules.cpu.gemm.panel_prefetch import Cuts, PanelRequests
from tvmfuse.schedules.cpu.gemm.row_steps import row_steps
from tvmfuse.schedules.cpu.gemm.tile import Tile
from tvmfuse.schedules.cpu.gemm.tile_loops import TileLoops
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import number, product, static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.local_buffers import STACK, LocalElement
from tvmfuse.schedules.loop_nests import (
    LoopNestBuilder,
    Values,
    sequence,
)
from tvmfuse.schedules.tasks import TASKS
from tvmfuse.schedules.vector_accesses import Mask

Kept = Mapping[Buffer, Sequence[Buffer]]

_ZERO: Final = number(0)


def accumulate(builder: LoopNestBuilder, loops: TileLoops) -> Stmt | None:
    """Write a reduction and its epilogue, tile by tile."""
    tile, order = loops.tile, loops.order
    cuts: dict[Axis, tuple[Segment, ...]] = {
        axis: (Segment(_ZERO, axis.extent, 1),) for axis in order
    }
    row, column, found = tile.row_axis, tile.column_axis, list[Stmt]()
    if row is not None:
        cuts[row] = segments(row.extent, tile.rows)
        if static(row.extent) is None:
            cuts[row], found = row_steps(builder, row.extent, tile.rows)
    if column is not None:
        # What is left is one narrower tile if its size is known.
        known = static(column.extent) is not None
        cuts[column] = segments(column.extent, tile.columns) if known else loops.columns(column)
    block = Var("k_block", "int64")

    def tiles(at: Values) -> Stmt | None:
        k_block, dot = KBlock(at[block], loops.k_blocks), loops.dot
        flags = PairFlags(builder, loops, cuts, k_block) if dot and dot.clips else None
        written = _Tiles(builder, loops, k_block, flags)
        over = written.over(order, cuts, {}, threads=loops.parallel)
        return flags.around(over) if flags else over

    nest = builder.nest([Axis(block, number(loops.k_blocks))], tiles)
    if nest is None:
        return None
    return sequence([*found, loops.dot.around(nest) if loops.dot else nest])


@dataclass(frozen=True, eq=False)
class _Tiles:
    """The loops over tiles."""

    builder: LoopNestBuilder
    loops: TileLoops
    k_block: KBlock
    flags: PairFlags | None = None
    panel: PackedPanel | None = None

    def over(
        self, left: tuple[Axis, ...], cuts: Cuts, outside: Values, *, threads: bool
    ) -> Stmt | None:
        """Return the loops over the axes that are left, at given values of those outside.

        Ragged tiles follow the whole ones inside the loops around them, so that what these tiles
        share is still near; but not where too few loops around are left for the threads.
        """
        copy = None if self.panel else self.loops.panel_copy
        if copy and left == copy.shared_by:
            return self._over_copy(copy, cuts, outside)
        first = next((i for i, axis in enumerate(left) if len(cuts[axis]) > 1), len(left))
        first = min(first, len(left) - len(copy.shared_by)) if copy else first
        around, inside = left[:first], left[first:]
        counts = [Axis(axis.var, cuts[axis][0].count) for axis in around]
        if not inside:
            whole = partial(self._tile, cuts, outside)
            return self.builder.nest(counts, whole, parallel=threads)
        narrowed = [{**cuts, inside[0]: (segment,)} for segment in cuts[inside[0]]]
        if copy and inside == copy.shared_by:
            narrowed = [dict(cuts)]
        if (
            len(narrowed) > 1
            and threads
            and (static(product([a.extent for a in counts])) or 0) < TASKS // 2
        ):
            return sequence([self.over(left, cut, outside, threads=threads) for cut in narrowed])
        return self.builder.nest(
            counts,
            lambda at: sequence(
                [self.over(inside, cut, {**outside, **at}, threads=False) for cut in narrowed]
            ),
            parallel=threads,
        )

    def _over_copy(self, copy: PanelCopy, cuts: Cuts, outside: Values) -> Stmt | None:
        """Return a copy, and the loops over the tiles that read it."""
        start, found = self._starts(cuts, outside)
        panel = copy.packed(self.builder, self.k_block, start, cuts[copy.column][0].width)
        reading = replace(self, panel=panel)
        tiles = reading.over(copy.shared_by, cuts, outside, threads=False)
        return self.builder.allocate([panel.buffer], [*found, panel.nest(self.builder), tiles])

    def _starts(self, cuts: Cuts, at: Values) -> tuple[dict[Var, Expr], list[Stmt]]:
        """Return where the steps along some axes begin, and the statements that find it."""
        starts, found = dict[Var, Expr](), list[Stmt]()
        for axis in self.loops.order:
            segment = cuts[axis][0]
            if axis.var in at:
                value = segment.start(at[axis.var])
                starts[axis.var], bound = self.builder.start(value, named=segment.last is not None)
                found += bound
        return starts, found

    def _tile(self, cuts: Cuts, outside: Values, at: Values) -> Stmt | None:
        tile, prefetch, at = self.loops.tile, self.loops.panel_prefetch, {**outside, **at}
        segment = {axis.var: cuts[axis][0] for axis in self.loops.order}
        known = self.panel.start if self.panel else {}
        others, found = self._starts(cuts, {v: x for v, x in at.items() if v not in known})
        starts = {**known, **others}
        rows, columns = (
            segment[axis.var].width if axis else 1 for axis in (tile.row_axis, tile.column_axis)
        )
        mask = None
        if tile.column_axis is not None:
            column = tile.column_axis.var
            if (end := segment[column].end) is not None:
                mask, counted = Mask.of(self.builder.simplify(end - starts[column]), columns)
                found.append(counted)
        requests = None
        if prefetch is not None:
            requests = prefetch.requests(self.builder, cuts, at, starts, self.k_block)
        flag = self.flags.of(cuts, at, starts) if self.flags else None
        one = _OneTile(self, rows, columns, starts, requests, mask, flag).statement()
        return sequence([*found, flag.around(one) if flag else one])


@dataclass(frozen=True, eq=False)
class _OneTile:
    """One tile of `rows` x `columns` elements, from `start` on."""

    tiles: _Tiles
    rows: int
    columns: int
    start: Values
    requests: PanelRequests | None
    mask: Mask | None
    flag: PairFlag | None

    def statement(self) -> Stmt | None:
        """Return its sum and its epilogue, with the tile allocated around them."""
        builder, group, k_block = self.builder, self.group, self.tiles.k_block
        kept = {b: self._buffers(b) for b in local_buffers(group)}
        initial = self._each(kept, self._initial)
        blocks = self._block_sums
        update = self._sum_by_blocks(kept, blocks) if blocks else self._sum(kept)
        end = self._each(kept, lambda at, local: finish(builder, group, at, local))
        if k_block.count > 1:
            sums = partial_sums(group)
            assert sums is not None
            load = self._each(kept, lambda at, local: sums.load_partial(builder, at, local))
            store = self._each(kept, lambda at, local: sums.store_partial(builder, at, local))
            later = tirx.IfThenElse(k_block.is_first, tirx.Evaluate(0), load)
            end = sequence([later, tirx.IfThenElse(k_block.is_last, end, store)])
        buffers = [buffer for some in kept.values() for buffer in some]
        return builder.allocate(buffers, [*self._epilogue_requests(), initial, update, end])

    def _sum(self, kept: Kept) -> Stmt | None:
        dot = self.tiles.loops.dot
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
        unroll = self.tiles.loops.unrolled(self.rows * -(-self.columns // self.tile.lanes))
        k_block, requests = self.tiles.k_block, self.requests
        return sum_loops(self.builder, reduction, k_block, requests, unroll, step, at_once)

    @property
    def _block_sums(self) -> BlockSums | None:
        """How the sum comes in blocks whose terms share a factor; None for term by term."""
        loops = self.tiles.loops
        few = self.tiles.panel is None and self.rows <= loops.block_sum_rows
        return loops.block_sums if few else None

    @property
    def builder(self) -> LoopNestBuilder:
        """Of the function."""
        return self.tiles.builder

    @property
    def group(self) -> Group:
        """What is computed."""
        return self.tiles.loops.group

    @property
    def tile(self) -> Tile:
        """The tile that this is one of, or the ragged rest of."""
        return self.tiles.loops.tile

    def _epilogue_requests(self) -> list[Stmt]:
        prefetch = self.tiles.loops.epilogue_prefetch
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
        if panel := self.tiles.panel:
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
        tile = self.tile
        var = tile.column_axis.var if tile.column_axis else Var("column", "int64")

        def element(column: Expr, *width: int) -> Stmt | None:
            at = dict(self.start)
            if tile.row_axis:
                at[tile.row_axis.var] += row + first
            if tile.column_axis:
                at[var] += column
            offset = self.builder.simplify(row * self.columns + column)
            nth = first // self._rows_together
            places = {b: LocalElement(some[nth], offset) for b, some in kept.items()}
            return body(at, places, *width)

        if not widths:
            return self.builder.vectors(var, self.columns, tile.lanes, element, self.mask)

        def vectors(part: Segment) -> Stmt | None:
            def one(nth: Expr) -> Stmt | None:
                return element(part.begin + nth * part.width, part.width)

            return self.builder.inner(var, static(part.count) or 0, ForKind.UNROLLED, one)

        fitting = [width for width in widths if width <= tile.lanes]
        return sequence([vectors(part) for part in segments(number(self.columns), *fitting)])
