"""Reductions that keep a tile of their results in registers.

::

    for each tile of rows x columns:           the outer loops
        tile = initial
        for k in the reduction axes:
            tile[r, c] = tile[r, c] + ...      rows and vectors unrolled, lanes vectorized
        output = epilogue(tile)

The tile is a small local buffer whose offsets are all constants once the loops over it are
unrolled, so LLVM keeps it in registers. Every result is stored once, after its epilogue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Bind, Buffer, ForKind, Stmt, Var

from tvmfuse.schedules.cpu.epilogue import finish, held_buffers, keep
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.nests import Held, Values, Writer, local, sequence


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
            for rows in _cuts(tile.row_axis, tile.rows)
        ]
    )


def _cuts(axis: Axis | None, *widths: int) -> tuple[Segment, ...]:
    one = tirx.const(1, "int64")
    return segments(axis.extent if axis else one, *widths)


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
        size = self.rows * self.columns
        locals_ = {b: local(b.name, b.dtype, size) for b in held_buffers(self.group)}
        initial = self._each(locals_, lambda at, held: self._initial(at, held))
        update = self.writer.nest(
            self.group.head.reduction,
            lambda k: self._each(locals_, lambda at, held: self._update({**at, **k}, held)),
        )
        end = self._each(locals_, lambda at, held: finish(self.writer, self.group, at, held))
        return self.writer.allocate(tuple(locals_.values()), [initial, update, end])

    def _initial(self, at: Values, held: Mapping[Buffer, Held]) -> Stmt | None:
        return sequence(
            [
                keep(held[s.buffer], self.writer.value(s.initial, at, held))
                for s in self.group.head.stores
                if s.initial is not None
            ]
        )

    def _update(self, at: Values, held: Mapping[Buffer, Held]) -> Stmt | None:
        stores = self.group.head.stores
        values = [self.writer.value(s.value, at, held) for s in stores]
        if len(stores) == 1:
            return keep(held[stores[0].buffer], values[0])
        # A tuple: every value is computed before any is stored.
        bound = [Var(s.buffer.name, s.value.ty) for s in stores]
        binds = [Bind(var, value) for var, value in zip(bound, values, strict=True)]
        kept = [keep(held[s.buffer], var) for s, var in zip(stores, bound, strict=True)]
        return sequence([*binds, *kept])

    def _each(
        self,
        locals_: Mapping[Buffer, Buffer],
        body: Callable[[Values, Mapping[Buffer, Held]], Stmt | None],
    ) -> Stmt | None:
        """Run a body for each element of the tile: unrolled vectors."""
        writer, tile = self.writer, self.tile
        row_var = tile.row_axis.var if tile.row_axis else Var("row", "int64")
        column_var = tile.column_axis.var if tile.column_axis else Var("column", "int64")

        def element(row: Expr, column: Expr) -> Stmt | None:
            at = dict(self.start)
            if tile.row_axis:
                at[row_var] = at[row_var] + row
            if tile.column_axis:
                at[column_var] = at[column_var] + column
            offset = writer.simplify(row * self.columns + column)
            return body(at, {b: Held(buffer, offset) for b, buffer in locals_.items()})

        def vectors(row: Expr, first: int, count: int, lanes: int) -> Stmt | None:
            return writer.inner(
                column_var,
                count,
                ForKind.UNROLLED,
                lambda v: writer.inner(
                    column_var,
                    lanes,
                    ForKind.VECTORIZED,
                    lambda lane: element(row, v * lanes + lane + first),
                ),
            )

        whole, rest = divmod(self.columns, tile.lanes)
        return writer.inner(
            row_var,
            self.rows,
            ForKind.UNROLLED,
            lambda row: sequence(
                [
                    vectors(row, 0, whole, tile.lanes) if whole else None,
                    vectors(row, whole * tile.lanes, 1, rest) if rest else None,
                ]
            ),
        )

