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

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Stmt, Var

from tvmfuse.schedules.cpu.gemm.k_blocking import KBlock
from tvmfuse.schedules.cpu.gemm.one_tile import OneTile
from tvmfuse.schedules.cpu.gemm.pair_flags import PairFlags
from tvmfuse.schedules.cpu.gemm.panel_copy import PackedPanel, PanelCopy
from tvmfuse.schedules.cpu.gemm.panel_prefetch import Cuts
from tvmfuse.schedules.cpu.gemm.row_steps import row_steps
from tvmfuse.schedules.cpu.gemm.split_words import SplitWords
from tvmfuse.schedules.cpu.gemm.tile_loops import TileLoops
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import number, product, static
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import (
    LoopNestBuilder,
    Values,
    sequence,
)
from tvmfuse.schedules.tasks import TASKS
from tvmfuse.schedules.vector_accesses import Mask

_ZERO: Final = number(0)


def accumulate(builder: LoopNestBuilder, loops: TileLoops) -> Stmt | None:
    """Write a reduction and its epilogue, tile by tile."""
    tile, order = loops.tile, loops.order
    cuts: dict[Axis, tuple[Segment, ...]] = {
        axis: (Segment(_ZERO, axis.extent, 1),) for axis in order
    }
    row, column, found = tile.row_axis, tile.column_axis, list[Stmt]()
    strip = loops.row_strip
    if row is not None:
        done = builder.simplify(_strips(loops) * strip)
        cuts[row], found = _rows(builder, done, row.extent, tile.rows)
    if column is not None:
        # What is left is one narrower tile if its size is known.
        known = static(column.extent) is not None
        cuts[column] = segments(column.extent, tile.columns) if known else loops.columns(column)
    block, nth = Var("k_block", "int64"), Var("strip", "int64")
    outer = 1 if loops.by_panel else loops.k_blocks

    def tiles(at: Values) -> Stmt | None:
        k_block, dot = KBlock(at[block], outer), loops.dot
        split, flags = SplitWords.of(builder, loops), None
        if dot and dot.clips and not dot.signed and not split:
            flags = PairFlags(builder, loops, cuts, k_block)
        written, before = _Tiles(builder, loops, k_block, flags, split), flags or split

        def over(cuts: Cuts) -> Stmt | None:
            return written.over(order, cuts, {}, threads=loops.parallel)

        def in_strip(at: Values) -> Stmt | None:
            rows = Segment(at[nth] * strip, number(strip // tile.rows), tile.rows)
            return over({**cuts, row: (rows,)} if row else cuts)

        rest = over(cuts) if row is None or cuts[row] else None
        if strip:
            rest = sequence([builder.nest([Axis(nth, _strips(loops))], in_strip), rest])
        return before.around(rest) if before else rest

    nest = builder.nest([Axis(block, number(outer))], tiles)
    if nest is None:
        return None
    return sequence([*found, loops.dot.around(nest) if loops.dot else nest])


def _strips(loops: TileLoops) -> Expr:
    """Return how many whole strips of rows there are."""
    row = loops.tile.row_axis
    return tirx.floordiv(row.extent, loops.row_strip) if row and loops.row_strip else _ZERO


def _rows(
    builder: LoopNestBuilder, begin: Expr, end: Expr, most: int
) -> tuple[tuple[Segment, ...], list[Stmt]]:
    """Cut rows into steps of at most `most`; return also what sets the variables of the steps."""
    left, found = builder.simplify(end - begin), list[Stmt]()
    steps = segments(left, most)
    if static(end) is None:
        steps, found = row_steps(builder, left, most)
    return tuple(replace(step, begin=builder.simplify(begin + step.begin)) for step in steps), found


@dataclass(frozen=True, eq=False)
class _Tiles:
    """The loops over tiles."""

    builder: LoopNestBuilder
    loops: TileLoops
    k_block: KBlock
    flags: PairFlags | None = None
    split: SplitWords | None = None
    panel: PackedPanel | None = None

    def over(
        self, left: tuple[Axis, ...], cuts: Cuts, outside: Values, *, threads: bool
    ) -> Stmt | None:
        """Return the loops over the axes that are left, at given values of those outside.

        Ragged tiles follow the whole ones inside the loops around them, so that what these tiles
        share is still near; but not where too few loops around are left for the threads.
        """
        copy = None if self.panel else self.loops.panel_copy
        by_panel = self.loops.by_panel if self.k_block.count < self.loops.k_blocks else ()
        together = copy.shared_by if copy else by_panel
        if copy and left == together:
            return self._over_copy(copy, cuts, outside)
        if together and left == together:
            return self._over_blocks(cuts, outside)
        first = next((i for i, axis in enumerate(left) if len(cuts[axis]) > 1), len(left))
        first = min(first, len(left) - len(together)) if together else first
        around, inside = left[:first], left[first:]
        counts = [Axis(axis.var, cuts[axis][0].count) for axis in around]
        if not inside:
            whole = partial(self._tile, cuts, outside)
            return self.builder.nest(counts, whole, parallel=threads)
        narrowed = [{**cuts, inside[0]: (segment,)} for segment in cuts[inside[0]]]
        if together and inside == together:
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

    def _over_blocks(self, cuts: Cuts, outside: Values) -> Stmt | None:
        """Return the loop over the blocks of one panel, around the tiles that read it."""
        axis = Axis(Var("k_block", "int64"), number(self.loops.k_blocks))

        def block(at: Values) -> Stmt | None:
            inside = replace(self, k_block=KBlock(at[axis.var], self.loops.k_blocks))
            return inside.over(self.loops.by_panel, cuts, outside, threads=False)

        return self.builder.nest([axis], block)

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
            by_panel = bool(self.loops.by_panel)
            requests = prefetch.requests(
                self.builder, cuts, at, starts, self.k_block, by_panel=by_panel
            )
        flag = self.flags.of(cuts, at, starts) if self.flags else None
        one = OneTile(
            self.builder, self.loops, self.k_block, self.panel, rows, columns, starts, requests,
            mask, flag, self.split,
        ).statement()  # fmt: skip
        return sequence([*found, flag.around(one) if flag else one])
