"""Asking for what the next tile needs while this one is computed.

In a model each kernel reads what another has just written, and weights that nobody has read since
the last run: both come from beyond the second-level cache, too late for the first multiply-add
that waits for them. There are two things to ask for:

- The next panel of weights. A panel is what one column of register tiles reads: all tiles below
  each other read the same, and the next panel lies behind it in memory. Each tile asks for a part.
- Before the sum, what the epilogue reads and writes after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeGuard

from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, Stmt

from tvmfuse.schedules.cpu.gemm.k_blocking import Part
from tvmfuse.schedules.cpu.vectors import Segment
from tvmfuse.schedules.expressions import coefficient, flat, number, product, static, variables
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage, analyzer
from tvmfuse.schedules.loop_nests import READ_LEVEL_2, READ_NEAR, WRITE_NEAR, Hint, Values, Writer
from tvmfuse.target.machine import Machine

#: Tiles below each other where their number is known only later.
USUAL: Final = 16

Cuts = Mapping[Axis, tuple[Segment, ...]]

Place = tuple[Buffer, Sequence[Expr], Hint]


@dataclass(frozen=True, eq=False)
class Panel:
    """An operand in panels.

    Attributes:
        load: The operand.
        reduction: The axes of the sum; the panel's elements follow each other along them.
        columns: Elements of each step of the sum.
        machine: Its lines, and how often it is asked.
        inside: The axes whose tiles read the same panel, the outermost loop first.
    """

    load: TensorLoad
    reduction: tuple[Axis, ...]
    columns: int
    machine: Machine
    inside: tuple[Axis, ...]

    def ahead(
        self, writer: Writer, cuts: Cuts, at: Values, starts: Values, part: Part
    ) -> Ahead | None:
        """Return what one tile asks for; None where there are too few tiles to share the work.

        In one part of the sum it is the same part of the next panel.
        """
        axes = part.axes(self.reduction)
        counts = [cuts[axis][0].count for axis in self.inside]
        tiles = static(product(counts))
        tiles = USUAL if tiles is None else tiles
        steps, last = _steps(axes), static(axes[-1].extent) or 1
        every, lines = self.machine.tuning.prefetch_steps, 1
        while last % every:
            every //= 2
        while lines < every and self._shares(every // lines) > tiles:
            lines *= 2
        if lines == every:
            return None
        apart = every // lines
        tile: Expr = number(0)
        for axis, count in zip(self.inside, counts, strict=True):
            tile = tile * count + at[axis.var]
        share = tirx.min(tile, self._shares(apart) - 1)
        first = _steps(self.reduction) * self.columns + share * (steps // apart * self.line)
        start = {**starts, **part.begin(self.reduction)}
        return Ahead(writer, self, axes, every, lines, start, first)

    @property
    def line(self) -> int:
        """Elements of a line of the caches."""
        return _line(self.load.source, self.machine)

    def _shares(self, every: int) -> int:
        """Return how many tiles it takes to ask for a panel, one line in so many steps."""
        return -(-every * self.columns // self.line)


@dataclass(frozen=True, eq=False)
class Ahead:
    """The share of the next panel that one tile asks for.

    Attributes:
        writer: Of the function.
        panel: The operand.
        reduction: The axes of the tile's sum.
        every: Steps of the sum between two times.
        lines: How many lines of the panel it asks for each time.
        start: Where what the tile itself reads of its panel begins.
        first: Elements from there to what it asks for.
    """

    writer: Writer
    panel: Panel
    reduction: tuple[Axis, ...]
    every: int
    lines: int
    start: Values
    first: Expr

    def requests(self, at: Values) -> list[Stmt]:
        """Return the requests before the next steps; `at` counts those of the last axis."""
        *outer, last = self.reduction
        step: Expr = number(0)
        for axis in outer:
            step = step * axis.extent + at.get(axis.var, 0)
        step = step * tirx.floordiv(last.extent, self.every) + at.get(last.var, 0)
        load, line = self.panel.load, self.panel.line
        first = self.first + step * (self.lines * line)
        return [
            self.writer.prefetch(
                load.source, load.indices, self.start, first + n * line, READ_LEVEL_2
            )
            for n in range(self.lines)
        ]


def panel(
    stage: Stage, load: Expr, columns: int, order: Sequence[Axis], machine: Machine
) -> Panel | None:
    """Return an operand as panels; None where its elements do not follow each other.

    Args:
        stage: A sum of products.
        load: The operand along whose elements vectors lie.
        columns: Of the register tile.
        order: The loops over tiles.
        machine: Its lines, and how often it is asked.
    """
    if not in_panels(stage, load, columns):
        return None
    used = [i for i, axis in enumerate(order) if axis.var in variables(*load.indices)]
    return Panel(load, stage.reduction, columns, machine, tuple(order[max(used, default=-1) + 1 :]))


def in_panels(stage: Stage, load: Expr, columns: int) -> TypeGuard[TensorLoad]:
    """Whether the elements that a column of tiles reads of an operand follow each other."""
    if not isinstance(load, TensorLoad) or not stage.reduction:
        return False
    offset = analyzer(stage.axes).simplify(flat(load.source.shape, load.indices))
    step = columns
    for axis in reversed(stage.reduction):
        found, size = coefficient(offset, axis.var), static(axis.extent)
        if found is None or static(found) != step or not size:
            return False
        step *= size
    return True


def far(buffer: Buffer, machine: Machine) -> bool:
    """Whether a buffer is too large to be in the second-level cache with what else is there."""
    elements = static(product(buffer.shape))
    return elements is None or elements * buffer.dtype.bits // 8 > machine.tuning.l2_budget // 2


@dataclass(frozen=True, eq=False)
class Ends:
    """What the tiles of a group read and write after their sums, far away.

    Attributes:
        places: The buffer, the element of the tile's first result, and the hint of each request.
        row: The axis of the tiles' rows.
        column: That of their columns, which lie side by side.
        machine: Its lines.
    """

    places: tuple[Place, ...]
    row: Axis
    column: Axis
    machine: Machine

    def requests(self, writer: Writer, start: Values, rows: int, columns: int) -> list[Stmt]:
        """Return the requests of one tile, which come before its sum."""
        return [
            self._request(writer, start, place, row, column)
            for place in self.places
            for row in range(rows)
            for column in range(0, columns, _line(place[0], self.machine))
        ]

    def _request(self, writer: Writer, start: Values, place: Place, row: int, column: int) -> Stmt:
        (buffer, indices, hint), at = place, dict(start)
        at[self.row.var] += row
        at[self.column.var] += column
        return writer.prefetch(buffer, indices, at, number(0), hint)


def ends(group: Group, row: Axis | None, column: Axis, machine: Machine) -> Ends | None:
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
        if {row.var, column.var} <= variables(*indices) and far(buffer, machine)
    ]
    return Ends(tuple(places), row, column, machine) if places else None


def _line(buffer: Buffer, machine: Machine) -> int:
    """Return how many elements of a buffer a line of the caches holds."""
    elements: int = machine.core.line_bytes * 8 // buffer.dtype.bits
    return elements


def _steps(axes: Sequence[Axis]) -> int:
    return static(product([a.extent for a in axes])) or 1
