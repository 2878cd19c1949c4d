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
from dataclasses import dataclass
from functools import partial
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Bind, Buffer, ForKind, Stmt, Var

from tvmfuse.schedules.cpu.epilogue import finish, held_buffers
from tvmfuse.schedules.cpu.prefetch import Ahead, Cuts, Ends, Panel
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import number, product, static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.nests import STACK, TASKS, Held, Values, Writer, sequence

_ZERO: Final = number(0)

#: Steps of a sum for each turn of its loop, while a turn has at most so many multiply-adds. A tile
#: of 4 x 24 takes 19 instructions for 12 multiply-adds, and one step for each turn 3 more: where
#: another thread shares the core, more than it decodes in the time of the multiply-adds. Longer
#: turns gain nothing, and LLVM loads so far ahead in them that accumulators are spilled.
STEPS: Final = 4
LONGEST: Final = 48


@dataclass(frozen=True, eq=False)
class Tile:
    """How much of the output one inner loop accumulates.

    Attributes:
        rows: Elements along `row_axis`.
        vectors: Whole vectors along `column_axis`.
        lanes: Elements of a vector.
        row_axis: None for a tile of one row.
        column_axis: None for a tile of one element.
    """

    rows: int
    vectors: int
    lanes: int
    row_axis: Axis | None
    column_axis: Axis | None

    @property
    def columns(self) -> int:
        """Elements along `column_axis`."""
        return self.vectors * self.lanes


def accumulate(
    writer: Writer,
    group: Group,
    tile: Tile,
    order: Sequence[Axis],
    *,
    threads: bool,
    panel: Panel | None = None,
    ends: Ends | None = None,
) -> Stmt | None:
    """Write a reduction and its epilogue, tile by tile.

    Args:
        writer: Of the function that the loops are for.
        group: What to compute. Its head reduces.
        tile: Of the head's spatial axes.
        order: The head's spatial axes, those of the tile among them, from the outermost loop on.
        threads: Whether the loops over tiles run in threads.
        panel: What to ask for ahead of its use.
        ends: What to ask for before each tile's sum.
    """
    cuts: dict[Axis, tuple[Segment, ...]] = {
        axis: (Segment(_ZERO, axis.extent, 1),) for axis in order
    }
    for axis, width, unit in (
        (tile.row_axis, tile.rows, 1),
        (tile.column_axis, tile.columns, tile.lanes),
    ):
        if axis is not None:
            # What is left is one narrower tile if its size is known.
            widths = [width] if static(axis.extent) is not None else [width, unit]
            cuts[axis] = segments(axis.extent, *widths)
    tiles = _Tiles(writer, group, tile, tuple(order), panel, ends)
    return tiles.loops(tiles.order, cuts, {}, threads=threads)


@dataclass(frozen=True, eq=False)
class _Tiles:
    """The loops over tiles."""

    writer: Writer
    group: Group
    tile: Tile
    order: tuple[Axis, ...]
    panel: Panel | None
    ends: Ends | None

    def loops(
        self, left: tuple[Axis, ...], cuts: Cuts, outside: Values, *, threads: bool
    ) -> Stmt | None:
        """Return the loops over the axes that are left, at given values of those outside.

        Ragged tiles follow the whole ones inside the loops around them, so that what these tiles
        share is still near; but not where too few loops around are left for the threads.
        """
        ragged = next((i for i, axis in enumerate(left) if len(cuts[axis]) > 1), len(left))
        around, inside = left[:ragged], left[ragged:]
        counts = [Axis(axis.var, cuts[axis][0].count) for axis in around]
        if not inside:
            whole = partial(self._tile, cuts, outside)
            return self.writer.nest(counts, whole, parallel=threads)
        narrowed = [{**cuts, inside[0]: (segment,)} for segment in cuts[inside[0]]]
        if threads and (static(product([a.extent for a in counts])) or 0) < TASKS // 2:
            return sequence([self.loops(left, cut, outside, threads=threads) for cut in narrowed])
        return self.writer.nest(
            counts,
            lambda at: sequence(
                [self.loops(inside, cut, {**outside, **at}, threads=False) for cut in narrowed]
            ),
            parallel=threads,
        )

    def _tile(self, cuts: Cuts, outside: Values, at: Values) -> Stmt | None:
        tile, at = self.tile, {**outside, **at}
        segment = {axis.var: cuts[axis][0] for axis in self.order}
        starts = {var: s.begin + at[var] * s.width for var, s in segment.items()}
        rows, columns = (
            segment[axis.var].width if axis else 1 for axis in (tile.row_axis, tile.column_axis)
        )
        ahead = self.panel.ahead(self.writer, cuts, at, starts) if self.panel else None
        part = _Part(self.writer, self.group, tile, rows, columns, starts, ahead, self.ends)
        return part.statement()


@dataclass(frozen=True, eq=False)
class _Part:
    """One tile of `rows` x `columns` elements, from `start` on."""

    writer: Writer
    group: Group
    tile: Tile
    rows: int
    columns: int
    start: Values
    ahead: Ahead | None
    ends: Ends | None

    def statement(self) -> Stmt | None:
        kept = {b: self._buffers(b) for b in held_buffers(self.group)}
        initial = self._each(kept, self._initial)
        update = self._sum(
            lambda k: self._each(kept, lambda at, held: self._update({**at, **k}, held))
        )
        end = self._each(kept, lambda at, held: finish(self.writer, self.group, at, held))
        buffers = [part for parts in kept.values() for part in parts]
        return self.writer.allocate(buffers, [*self._requests(), initial, update, end])

    def _requests(self) -> list[Stmt]:
        if self.ends is None:
            return []
        return self.ends.requests(self.writer, self.start, self.rows, self.columns)

    def _sum(self, step: Callable[[Values], Stmt | None]) -> Stmt | None:
        """Return the loops of the reduction, which ask for the next panel on the way."""
        axes, ahead = self.group.head.reduction, self.ahead
        if not axes:
            return step({})
        *outer, last = axes
        if ahead is None:
            return self.writer.nest(
                outer, lambda at: self._steps(last, _ZERO, last.extent, lambda k: step({**at, **k}))
            )
        every = number(ahead.every)
        count = Axis(last.var, tirx.floordiv(last.extent, every))

        def several(at: Values) -> Stmt | None:
            first = at[last.var] * every
            some = self._steps(last, first, every, lambda k: step({**at, **k}))
            return sequence([*ahead.requests(at), some])

        return self.writer.nest([*outer, count], several)

    def _steps(
        self, axis: Axis, begin: Expr, extent: Expr, step: Callable[[Values], Stmt | None]
    ) -> Stmt | None:
        """Run steps of the reduction's last axis, some for each turn of the loop."""
        var, vectors = axis.var, -(-self.columns // self.tile.lanes)
        some = STEPS
        while some > 1 and some * self.rows * vectors > LONGEST:
            some //= 2

        def turn(first: Expr, width: int) -> Stmt | None:
            return self.writer.inner(
                var, width, ForKind.UNROLLED, lambda k: step({var: first + k})
            )

        def turns(part: Segment) -> Stmt | None:
            return self.writer.nest(
                [Axis(var, part.count)],
                lambda at: turn(begin + part.begin + at[var] * part.width, part.width),
            )

        return sequence([turns(part) for part in segments(extent, some)])

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
            found.append(self.writer.inside(buffer.name, buffer.dtype, [size]))
        return found

    def _initial(self, at: Values, held: Mapping[Buffer, Held]) -> Stmt | None:
        return sequence(
            [
                self.writer.keep(held[s.buffer], self.writer.value(s.initial, at, held))
                for s in self.group.head.stores
                if s.initial is not None
            ]
        )

    def _update(self, at: Values, held: Mapping[Buffer, Held]) -> Stmt | None:
        stores, keep = self.group.head.stores, self.writer.keep
        values = [self.writer.value(s.value, at, held) for s in stores]
        if len(stores) == 1:
            return keep(held[stores[0].buffer], values[0])
        # A tuple: every value is computed before any is stored.
        bound = [Var(s.buffer.name, s.value.ty) for s in stores]
        binds = [Bind(var, value) for var, value in zip(bound, values, strict=True)]
        return sequence(
            [*binds, *(keep(held[s.buffer], v) for s, v in zip(stores, bound, strict=True))]
        )

    def _each(
        self,
        kept: Mapping[Buffer, Sequence[Buffer]],
        body: Callable[[Values, Mapping[Buffer, Held]], Stmt | None],
    ) -> Stmt | None:
        """Run a body for each element of the tile: unrolled rows of unrolled vectors."""
        together = self._rows_together

        def rows(first: int) -> Stmt | None:
            return self.writer.inner(
                self._row_var,
                min(together, self.rows - first),
                ForKind.UNROLLED,
                lambda row: self._vectors(kept, first, row, body),
            )

        return sequence([rows(first) for first in range(0, self.rows, together)])

    @property
    def _row_var(self) -> Var:
        return self.tile.row_axis.var if self.tile.row_axis else Var("row", "int64")

    def _vectors(
        self,
        kept: Mapping[Buffer, Sequence[Buffer]],
        first: int,
        row: Expr,
        body: Callable[[Values, Mapping[Buffer, Held]], Stmt | None],
    ) -> Stmt | None:
        """Run a body for each vector of a row; `row` counts from the `first` of its buffers."""
        tile, inner = self.tile, self.writer.inner
        var = tile.column_axis.var if tile.column_axis else Var("column", "int64")

        def element(column: Expr) -> Stmt | None:
            at = dict(self.start)
            if tile.row_axis:
                at[tile.row_axis.var] += row + first
            if tile.column_axis:
                at[var] += column
            offset = self.writer.simplify(row * self.columns + column)
            part = first // self._rows_together
            return body(at, {b: Held(parts[part], offset) for b, parts in kept.items()})

        def vectors(start: int, count: int, lanes: int) -> Stmt | None:
            return inner(
                var,
                count,
                ForKind.UNROLLED,
                lambda v: inner(
                    var,
                    lanes,
                    ForKind.VECTORIZED,
                    lambda lane: element(v * lanes + lane + start),
                ),
            )

        whole, rest = divmod(self.columns, tile.lanes)
        return sequence(
            [
                vectors(0, whole, tile.lanes) if whole else None,
                vectors(whole * tile.lanes, 1, rest) if rest else None,
            ]
        )
