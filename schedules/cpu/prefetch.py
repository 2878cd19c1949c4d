"""Asking for the next panel of weights while one is in use.

A panel is what one column of register tiles reads of an operand: all tiles below each other read
the same, and the next panel lies behind it in memory. A model's weights come from main memory in
each run, and the first tile of a panel would wait for every line of it. So each tile asks for a
part of the next panel.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Stmt

from tvmfuse.schedules.cpu.vectors import Segment
from tvmfuse.schedules.expressions import coefficient, flat, number, product, static, variables
from tvmfuse.schedules.kernels import Axis, Stage, analyzer
from tvmfuse.schedules.nests import Values, Writer

#: Steps of the sum between two requests, at most.
MOST: Final = 16

Cuts = Mapping[Axis, tuple[Segment, ...]]


@dataclass(frozen=True, eq=False)
class Panel:
    """An operand in panels.

    Attributes:
        load: The operand.
        reduction: The axes of the sum; the panel's elements follow each other along them.
        columns: Elements of each step of the sum.
        inside: The axes whose tiles read the same panel, the outermost loop first.
    """

    load: TensorLoad
    reduction: tuple[Axis, ...]
    columns: int
    inside: tuple[Axis, ...]

    def ahead(self, writer: Writer, cuts: Cuts, at: Values, starts: Values) -> Ahead | None:
        """Return what one tile asks for; None where there are too few tiles to share the work."""
        counts = [static(cuts[axis][0].count) or 0 for axis in self.inside]
        steps, last = _steps(self.reduction), static(self.reduction[-1].extent) or 1
        every = MOST
        while every > 1 and (last % every or every > math.prod(counts)):
            every //= 2
        if every == 1:
            return None
        tile: Expr = number(0)
        for axis, count in zip(self.inside, counts, strict=True):
            tile = tile * count + at[axis.var]
        part = tirx.min(tile, every - 1)
        begin = {a.var: tirx.const(0, a.var.ty.dtype) for a in self.reduction}
        first = steps * self.columns + part * (steps // every * self.columns)
        return Ahead(writer, self, every, {**starts, **begin}, first)


@dataclass(frozen=True, eq=False)
class Ahead:
    """The part of the next panel that one tile asks for.

    Attributes:
        writer: Of the function.
        panel: The operand.
        every: Steps of the sum for each request.
        start: Where the tile's own panel begins.
        first: Elements from there to the part.
    """

    writer: Writer
    panel: Panel
    every: int
    start: Values
    first: Expr

    def request(self, at: Values) -> Stmt:
        """Return the request before the next steps; `at` counts those of the last axis."""
        *outer, last = self.panel.reduction
        step: Expr = number(0)
        for axis in outer:
            step = step * axis.extent + at.get(axis.var, 0)
        step = step * tirx.floordiv(last.extent, self.every) + at.get(last.var, 0)
        return self.writer.prefetch(
            self.panel.load, self.start, self.first + step * self.panel.columns
        )


def panel(stage: Stage, load: Expr, columns: int, order: Sequence[Axis]) -> Panel | None:
    """Return an operand as panels; None where its elements do not follow each other.

    Args:
        stage: A sum of products.
        load: The operand along whose elements vectors lie.
        columns: Of the register tile.
        order: The loops over tiles.
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
    return Panel(load, stage.reduction, columns, tuple(order[max(used, default=-1) + 1 :]))


def _steps(axes: Sequence[Axis]) -> int:
    return static(product([a.extent for a in axes])) or 1
