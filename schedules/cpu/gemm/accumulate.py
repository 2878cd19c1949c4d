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

from tvmfuse.schedules.cpu.epilogue import finish, held_buffers
from tvmfuse.schedules.cpu.gemm.k_blocking import Part, waiting_room
from tvmfuse.schedules.cpu.gemm.k_unroll import turns
from tvmfuse.schedules.cpu.gemm.panel_copy import Copied, PanelCopy
from tvmfuse.schedules.cpu.gemm.prefetch import Ahead, Cuts, Ends, Panel
from tvmfuse.schedules.cpu.gemm.tile import Tile
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import number, product, static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import STACK, TASKS, Held, Values, Writer, sequence
from tvmfuse.target.machine import Machine

_ZERO: Final = number(0)


def accumulate(
    writer: Writer,
    group: Group,
    tile: Tile,
    order: Sequence[Axis],
    machine: Machine,
    *,
    threads: bool,
    panel: Panel | None = None,
    ends: Ends | None = None,
    parts: int = 1,
    copy: PanelCopy | None = None,
) -> Stmt | None:
    """Write a reduction and its epilogue, tile by tile.

    Args:
        writer: Of the function that the loops are for.
        group: What to compute. Its head reduces.
        tile: Of the head's spatial axes.
        order: The head's spatial axes, those of the tile among them, from the outermost loop on.
        machine: How many steps of the sum one turn of the innermost loop takes.
        threads: Whether the loops over tiles run in threads.
        panel: What to ask for ahead of its use.
        ends: What to ask for before each tile's sum.
        parts: How many parts the first axis of the reduction is cut into; a divisor of its extent.
            All tiles' sums over one part come before those over the next, and wait in
            `parts.waiting_room(group)`.
        copy: What to copy panel by panel. Its `inside` are the last axes of the order.
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
    part = Var("part", "int64")

    def tiles(at: Values) -> Stmt | None:
        one = Part(at[part], parts)
        loops = _Tiles(writer, group, tile, tuple(order), machine, panel, ends, one, copy)
        return loops.loops(loops.order, cuts, {}, threads=threads)

    return writer.nest([Axis(part, number(parts))], tiles)


@dataclass(frozen=True, eq=False)
class _Tiles:
    """The loops over tiles."""

    writer: Writer
    group: Group
    tile: Tile
    order: tuple[Axis, ...]
    machine: Machine
    panel: Panel | None
    ends: Ends | None
    part: Part
    copy: PanelCopy | None
    copied: Copied | None = None

    def loops(
        self, left: tuple[Axis, ...], cuts: Cuts, outside: Values, *, threads: bool
    ) -> Stmt | None:
        """Return the loops over the axes that are left, at given values of those outside.

        Ragged tiles follow the whole ones inside the loops around them, so that what these tiles
        share is still near; but not where too few loops around are left for the threads.
        """
        if self.copy and left == self.copy.inside:
            return self._over_copy(self.copy, cuts, outside)
        first = next((i for i, axis in enumerate(left) if len(cuts[axis]) > 1), len(left))
        first = min(first, len(left) - len(self.copy.inside)) if self.copy else first
        around, inside = left[:first], left[first:]
        counts = [Axis(axis.var, cuts[axis][0].count) for axis in around]
        if not inside:
            whole = partial(self._tile, cuts, outside)
            return self.writer.nest(counts, whole, parallel=threads)
        narrowed = [{**cuts, inside[0]: (segment,)} for segment in cuts[inside[0]]]
        if self.copy and inside == self.copy.inside:
            narrowed = [dict(cuts)]
        if (
            len(narrowed) > 1
            and threads
            and (static(product([a.extent for a in counts])) or 0) < TASKS // 2
        ):
            return sequence([self.loops(left, cut, outside, threads=threads) for cut in narrowed])
        return self.writer.nest(
            counts,
            lambda at: sequence(
                [self.loops(inside, cut, {**outside, **at}, threads=False) for cut in narrowed]
            ),
            parallel=threads,
        )

    def _over_copy(self, copy: PanelCopy, cuts: Cuts, outside: Values) -> Stmt | None:
        """Return a copy, and the loops over the tiles that read it."""
        segment = {axis.var: cuts[axis][0] for axis in self.order}
        start = {v: segment[v].begin + value * segment[v].width for v, value in outside.items()}
        copied = copy.copied(self.writer, self.part, start, cuts[copy.column][0].width)
        reading = replace(self, copy=None, copied=copied)
        tiles = reading.loops(copy.inside, cuts, outside, threads=False)
        return self.writer.allocate([copied.buffer], [copied.nest(self.writer), tiles])

    def _tile(self, cuts: Cuts, outside: Values, at: Values) -> Stmt | None:
        tile, at = self.tile, {**outside, **at}
        segment = {axis.var: cuts[axis][0] for axis in self.order}
        starts = {var: s.begin + at[var] * s.width for var, s in segment.items()}
        rows, columns = (
            segment[axis.var].width if axis else 1 for axis in (tile.row_axis, tile.column_axis)
        )
        ahead = self.panel.ahead(self.writer, cuts, at, starts, self.part) if self.panel else None
        return _OneTile(self, rows, columns, starts, ahead).statement()


@dataclass(frozen=True, eq=False)
class _OneTile:
    """One tile of `rows` x `columns` elements, from `start` on."""

    loops: _Tiles
    rows: int
    columns: int
    start: Values
    ahead: Ahead | None

    def statement(self) -> Stmt | None:
        """Return its sum and its epilogue, with the tile allocated around them."""
        writer, group, part = self.writer, self.group, self.loops.part
        kept = {b: self._buffers(b) for b in held_buffers(group)}
        initial = self._each(kept, self._initial)
        update = turns(
            writer,
            group.head.reduction,
            part,
            self.ahead,
            self.rows * -(-self.columns // self.tile.lanes),
            self.loops.machine.tuning,
            lambda k: self._each(kept, lambda at, held: self._update({**at, **k}, held)),
        )
        end = self._each(kept, lambda at, held: finish(writer, group, at, held))
        if part.count > 1:
            room = waiting_room(group)
            assert room is not None
            add = self._each(kept, lambda at, held: room.add(writer, at, held))
            wait = self._each(kept, lambda at, held: room.wait(writer, at, held))
            later = tirx.IfThenElse(part.is_first, tirx.Evaluate(0), add)
            end = sequence([later, tirx.IfThenElse(part.is_last, end, wait)])
        buffers = [buffer for some in kept.values() for buffer in some]
        return writer.allocate(buffers, [*self._requests(), initial, update, end])

    @property
    def writer(self) -> Writer:
        """Of the function."""
        return self.loops.writer

    @property
    def group(self) -> Group:
        """What is computed."""
        return self.loops.group

    @property
    def tile(self) -> Tile:
        """The tile that this is one of, or the ragged rest of."""
        return self.loops.tile

    def _requests(self) -> list[Stmt]:
        ends = self.loops.ends
        return ends.requests(self.writer, self.start, self.rows, self.columns) if ends else []

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
        if self.loops.copied:
            held = {**held, **self.loops.copied.held(self.writer, at)}
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
        tile = self.tile
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

        return self.writer.vectors(var, self.columns, self.tile.lanes, element)
