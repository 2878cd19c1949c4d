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

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Bind, Buffer, ForKind, Stmt, Var

from tvmfuse.schedules.cpu.epilogue import finish, held_buffers
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.nests import STACK, Held, Values, Writer, sequence


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
    writer: Writer, group: Group, tile: Tile, order: Sequence[Axis], *, threads: bool
) -> Stmt | None:
    """Write a reduction and its epilogue, tile by tile.

    Args:
        writer: Of the function that the loops are for.
        group: What to compute. Its head reduces.
        tile: Of the head's spatial axes.
        order: The head's spatial axes, those of the tile among them, from the outermost loop on.
        threads: Whether the loops over tiles run in threads.
    """
    return sequence(
        [
            _tiles(writer, group, tile, order, rows, columns, threads=threads)
            for columns in _cuts(tile.column_axis, tile.columns, tile.lanes)
            for rows in _cuts(tile.row_axis, tile.rows, 1)
        ]
    )


def _cuts(axis: Axis | None, width: int, unit: int) -> tuple[Segment, ...]:
    """Cut an axis into tiles; what is left is one narrower tile if its size is known."""
    if axis is None:
        return segments(tirx.const(1, "int64"), 1)
    return segments(axis.extent, *([width] if static(axis.extent) is not None else [width, unit]))


def _tiles(
    writer: Writer,
    group: Group,
    tile: Tile,
    order: Sequence[Axis],
    rows: Segment,
    columns: Segment,
    *,
    threads: bool,
) -> Stmt | None:
    cut = [(axis, s) for axis, s in ((tile.row_axis, rows), (tile.column_axis, columns)) if axis]
    counts = {axis: Axis(axis.var, s.count) for axis, s in cut}

    def one(at: Values) -> Stmt | None:
        starts = {axis.var: s.begin + at[axis.var] * s.width for axis, s in cut}
        part = _Part(writer, group, tile, rows.width, columns.width, {**at, **starts})
        return part.statement()

    return writer.nest([counts.get(axis, axis) for axis in order], one, parallel=threads)


@dataclass(frozen=True, eq=False)
class _Part:
    """One tile of `rows` x `columns` elements, from `start` on."""

    writer: Writer
    group: Group
    tile: Tile
    rows: int
    columns: int
    start: Values

    def statement(self) -> Stmt | None:
        kept = {b: self._buffers(b) for b in held_buffers(self.group)}
        initial = self._each(kept, self._initial)
        update = self.writer.nest(
            self.group.head.reduction,
            lambda k: self._each(kept, lambda at, held: self._update({**at, **k}, held)),
        )
        end = self._each(kept, lambda at, held: finish(self.writer, self.group, at, held))
        buffers = [part for parts in kept.values() for part in parts]
        return self.writer.allocate(buffers, [initial, update, end])

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
            size = tirx.const(rows * self.columns, "int64")
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
