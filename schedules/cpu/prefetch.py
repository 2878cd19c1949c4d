"""Asking for what the next tile needs while this one is computed.

In a model each kernel reads what another has just written, and weights that nobody has read since
the last run: both come from beyond the second-level cache, too late for the first multiply-add
that waits for them. There are three things to ask for:

- The next panel of weights. A panel is what one column of register tiles reads: all tiles below
  each other read the same, and the next panel lies behind it in memory. Each tile asks for a part.
- The rows that the tile below reads, where they come in pieces, as pixels in blocks of channels do,
  and the whole operand does not stay near.
- Before the sum, what the epilogue reads and writes after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, Stmt

from tvmfuse.schedules.cpu.isa import Isa
from tvmfuse.schedules.cpu.vectors import Segment
from tvmfuse.schedules.expressions import coefficient, flat, number, product, static, variables
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage, analyzer
from tvmfuse.schedules.nests import (
    READ_LEVEL_2,
    READ_NEAR,
    WRITE_NEAR,
    Hint,
    Values,
    Writer,
)

#: Bytes of a line of the caches.
LINE: Final = 64

#: Bytes after which addresses have the same place in the first cache.
PAGE: Final = 4096

#: Steps of the sum between two times that it asks: a line of a row has so many.
MOST: Final = 16

#: Tiles below each other where their number is known only later.
USUAL: Final = 16

Cuts = Mapping[Axis, tuple[Segment, ...]]

Place = tuple[Buffer, Sequence[Expr], Hint]


@dataclass(frozen=True, eq=False)
class Rows:
    """An operand of which each tile reads other rows.

    Attributes:
        load: The operand.
        axis: The axis of the rows.
        step: Elements from one row to the next.
    """

    load: TensorLoad
    axis: Axis
    step: int

    def requests(self, writer: Writer, at: Values, count: int) -> list[Stmt]:
        """Return the requests for the rows that follow `count` rows, at some step of the sum."""
        load, below = self.load, number(self.step * count)

        def request(row: int) -> Stmt:
            place = {**at, self.axis.var: at[self.axis.var] + row}
            return writer.prefetch(load.source, load.indices, place, below, READ_NEAR)

        return [request(row) for row in range(count)]


@dataclass(frozen=True, eq=False)
class Panel:
    """An operand in panels.

    Attributes:
        load: The operand.
        reduction: The axes of the sum; the panel's elements follow each other along them.
        columns: Elements of each step of the sum.
        inside: The axes whose tiles read the same panel, the outermost loop first.
        rows: The other operand, where its rows come from far away.
    """

    load: TensorLoad
    reduction: tuple[Axis, ...]
    columns: int
    inside: tuple[Axis, ...]
    rows: Rows | None

    def ahead(self, writer: Writer, cuts: Cuts, at: Values, starts: Values) -> Ahead | None:
        """Return what one tile asks for; None where there are too few tiles to share the work."""
        counts = [cuts[axis][0].count for axis in self.inside]
        tiles = static(product(counts))
        tiles = USUAL if tiles is None else tiles
        steps, last = _steps(self.reduction), static(self.reduction[-1].extent) or 1
        every, lines = MOST, 1
        while last % every:
            every //= 2
        while lines < every and self._parts(every // lines) > tiles:
            lines *= 2
        if lines == every:
            return None
        apart = every // lines
        tile: Expr = number(0)
        for axis, count in zip(self.inside, counts, strict=True):
            tile = tile * count + at[axis.var]
        part = tirx.min(tile, self._parts(apart) - 1)
        begin = {a.var: tirx.const(0, a.var.ty.dtype) for a in self.reduction}
        first = steps * self.columns + part * (steps // apart * self.line)
        height = cuts[self.rows.axis][0].width if self.rows else 0
        return Ahead(writer, self, every, lines, {**starts, **begin}, first, height)

    @property
    def line(self) -> int:
        """Elements of a line of the caches."""
        elements: int = LINE * 8 // self.load.source.dtype.bits
        return elements

    def _parts(self, every: int) -> int:
        """Return how many tiles it takes to ask for a panel, one line in so many steps."""
        return -(-every * self.columns // self.line)


@dataclass(frozen=True, eq=False)
class Ahead:
    """The part of the next panel that one tile asks for.

    Attributes:
        writer: Of the function.
        panel: The operand.
        every: Steps of the sum between two times.
        lines: How many lines of the panel it asks for each time.
        start: Where the tile's own panel begins.
        first: Elements from there to the part.
        height: Rows of the tile.
    """

    writer: Writer
    panel: Panel
    every: int
    lines: int
    start: Values
    first: Expr
    height: int

    def requests(self, at: Values) -> list[Stmt]:
        """Return the requests before the next steps; `at` counts those of the last axis."""
        *outer, last = self.panel.reduction
        step: Expr = number(0)
        for axis in outer:
            step = step * axis.extent + at.get(axis.var, 0)
        step = step * tirx.floordiv(last.extent, self.every) + at.get(last.var, 0)
        load, line = self.panel.load, self.panel.line
        first = self.first + step * (self.lines * line)
        weights = [
            self.writer.prefetch(
                load.source, load.indices, self.start, first + n * line, READ_LEVEL_2
            )
            for n in range(self.lines)
        ]
        if self.panel.rows is None:
            return weights
        here = {**self.start, **at, last.var: at[last.var] * self.every}
        return [*weights, *self.panel.rows.requests(self.writer, here, self.height)]


def panel(
    stage: Stage, load: Expr, numbers: Expr, columns: int, order: Sequence[Axis], isa: Isa
) -> Panel | None:
    """Return an operand as panels; None where its elements do not follow each other.

    Args:
        stage: A sum of products.
        load: The operand along whose elements vectors lie.
        numbers: The other one.
        columns: Of the register tile.
        order: The loops over tiles.
        isa: The caches.
    """
    if not isinstance(load, TensorLoad) or not stage.reduction:
        return None
    sizes = [static(a.extent) for a in stage.reduction]
    if None in sizes:
        return None
    known = analyzer(stage.axes)
    offset = known.simplify(flat(load.source.shape, load.indices))
    step = columns
    for axis, size in zip(reversed(stage.reduction), reversed(sizes), strict=True):
        found = coefficient(offset, axis.var)
        if found is None or static(found) != step:
            return None
        step *= size or 1
    used = [i for i, axis in enumerate(order) if axis.var in variables(*load.indices)]
    inside = tuple(order[max(used, default=-1) + 1 :])
    rows = _rows(stage, numbers, inside[-1], isa) if inside else None
    return Panel(load, stage.reduction, columns, inside, rows)


def _rows(stage: Stage, load: Expr, axis: Axis, isa: Isa) -> Rows | None:
    """Return an operand as rows; None where they are near, or no line has several steps of one.

    None, too, where each lies in one piece, which the core's own prefetcher follows; and where they
    are whole pages apart: all compete for a few places in the first cache, and those asked for
    would push out those in use.
    """
    in_pieces = len(stage.reduction) > 1
    if not isinstance(load, TensorLoad) or not in_pieces or not far(load.source, isa):
        return None
    offset = analyzer(stage.axes).simplify(flat(load.source.shape, load.indices))
    last, step = stage.reduction[-1], coefficient(offset, axis.var)
    along, height = coefficient(offset, last.var), static(step) if step is not None else None
    if not height or along is None or static(along) != 1:
        return None
    apart = height * load.source.dtype.bits // 8
    return None if apart % PAGE == 0 else Rows(load, axis, height)


def far(buffer: Buffer, isa: Isa) -> bool:
    """Whether a buffer is too large to be in the second-level cache with what else is there."""
    elements = static(product(buffer.shape))
    return elements is None or elements * buffer.dtype.bits // 8 > isa.l2_bytes // 2


@dataclass(frozen=True, eq=False)
class Ends:
    """What the tiles of a group read and write after their sums, far away.

    Attributes:
        places: The buffer, the element of the tile's first result, and the hint of each request.
        row: The axis of the tiles' rows.
        column: That of their columns, which lie side by side.
    """

    places: tuple[Place, ...]
    row: Axis
    column: Axis

    def requests(self, writer: Writer, start: Values, rows: int, columns: int) -> list[Stmt]:
        """Return the requests of one tile, which come before its sum."""
        return [
            self._request(writer, start, place, row, column)
            for place in self.places
            for row in range(rows)
            for column in range(0, columns, LINE * 8 // place[0].dtype.bits)
        ]

    def _request(
        self, writer: Writer, start: Values, place: Place, row: int, column: int
    ) -> Stmt:
        (buffer, indices, hint), at = place, dict(start)
        at[self.row.var] += row
        at[self.column.var] += column
        return writer.prefetch(buffer, indices, at, number(0), hint)


def ends(group: Group, row: Axis | None, column: Axis, isa: Isa) -> Ends | None:
    """Return what the tiles of a group read and write after their sums, far away."""
    if row is None:
        return None
    reads = [(x.source, x.indices, READ_NEAR) for stage in group.epilogue for x in stage.loads]
    stores = [store for stage in group.stages for store in stage.stores]
    writes = [(s.buffer, s.indices, WRITE_NEAR) for s in stores if s.buffer in group.stored]
    found = [(b, i, hint) for b, i, hint in reads if b not in group.buffers] + writes
    places = [
        (buffer, indices, hint)
        for buffer, indices, hint in found
        if {row.var, column.var} <= variables(*indices) and far(buffer, isa)
    ]
    return Ends(tuple(places), row, column) if places else None


def _steps(axes: Sequence[Axis]) -> int:
    return static(product([a.extent for a in axes])) or 1
