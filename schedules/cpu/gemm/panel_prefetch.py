"""Prefetching the next panel of weights while the tiles of this one are computed.

In a model each kernel reads weights that nobody has read since the last run: they come from beyond
the second-level cache, too late for the first multiply-add that waits for them. A panel is what one
column of register tiles reads: all tiles below each other read the same, and the next panel lies
behind it in memory. Each tile asks for a share of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, Stmt

from tvmfuse.schedules.cpu.gemm.k_blocking import KBlock
from tvmfuse.schedules.cpu.gemm.tile import Tile
from tvmfuse.schedules.cpu.vectors import Segment
from tvmfuse.schedules.expressions import coefficient, flat, number, product, static, variables
from tvmfuse.schedules.kernels import Axis, Stage, analyzer
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.prefetch_hints import READ_LEVEL_2
from tvmfuse.target.machine import Machine

Cuts = Mapping[Axis, tuple[Segment, ...]]


@dataclass(frozen=True, eq=False)
class PanelPrefetch:
    """An operand in panels.

    Attributes:
        load: The operand.
        reduction: The axes of the sum; the panel's elements follow each other along them.
        columns: Elements of each step of the sum.
        machine: Its lines, and how often it is asked.
        shared_by: The axes whose tiles read the same panel, the outermost loop first.
        stored: What lies in memory for an element, and how much of it, where that is a word.
        panels: How many panels, one behind the other, a tile reads at once.
    """

    load: TensorLoad
    reduction: tuple[Axis, ...]
    columns: int
    machine: Machine
    shared_by: tuple[Axis, ...]
    stored: tuple[TensorLoad, int] | None = None
    panels: int = 1

    def requests(
        self,
        builder: LoopNestBuilder,
        cuts: Cuts,
        at: Values,
        starts: Values,
        k_block: KBlock,
        *,
        by_panel: bool = False,
    ) -> PanelRequests | None:
        """Return what one tile asks for; None where there are too few tiles to share the work.

        In one block of the sum it is the same block of the next panel; where the blocks of a panel
        follow each other, the next one, behind which lies the next panel. Of tiles whose number is
        known only later, as few as can ask for all of it, and the others for nothing; none of them
        where they are too few for that.
        """
        axes = k_block.axes(self.reduction)
        counts = [cuts[axis][0].count for axis in self.shared_by]
        tiles = static(product(counts))
        steps, last = _steps(axes), static(axes[-1].extent) or 1
        every, lines = self.machine.tuning.prefetch_steps, 1
        while last % every:
            every //= 2
        if tiles is None:
            lines = max(every // 2, 1)
        while tiles is not None and lines < every and self._shares(every // lines) > tiles:
            lines *= 2
        if lines == every:
            return None
        apart = every // lines
        tile: Expr = number(0)
        for axis, count in zip(self.shared_by, counts, strict=True):
            tile = tile * count + at[axis.var]
        shares = self._shares(apart)
        share = tirx.min(tile, shares - 1)
        ahead: Expr = number(self.size * self.panels)
        if by_panel:
            others = tirx.Select(k_block.is_last, number(self.size * (self.panels - 1)), number(0))
            ahead = others + steps * self.columns
        first = ahead + share * (steps // apart * self.line)
        start = {**starts, **k_block.begin(self.reduction)}
        asks = None
        if tiles is None:
            asks = tirx.all(tile < shares, product(counts) >= shares)
        return PanelRequests(builder, self, axes, every, lines, start, first, asks)

    @property
    def line(self) -> int:
        """Elements of a line of the caches."""
        return line_elements(self.load.source, self.machine)

    @property
    def size(self) -> int:
        """Elements of a panel."""
        return _steps(self.reduction) * self.columns

    def _shares(self, every: int) -> int:
        """Return how many tiles it takes to ask for a panel, one line in so many steps."""
        return -(-every * self.columns // self.line)


@dataclass(frozen=True, eq=False)
class PanelRequests:
    """The share of the next panel that one tile asks for.

    Attributes:
        builder: Of the function.
        panel: The operand.
        reduction: The axes of the tile's sum.
        every: Steps of the sum between two times.
        lines: How many lines of the panel it asks for each time.
        start: Where what the tile itself reads of its panel begins.
        first: Elements from there to what it asks for.
        asks: Whether the tile asks at all; where it is None, it does.
    """

    builder: LoopNestBuilder
    panel: PanelPrefetch
    reduction: tuple[Axis, ...]
    every: int
    lines: int
    start: Values
    first: Expr
    asks: Expr | None

    def before(self, at: Values) -> list[Stmt]:
        """Return the requests before the next steps; `at` counts those of the last axis."""
        *outer, last = self.reduction
        step: Expr = number(0)
        for axis in outer:
            step = step * axis.extent + at.get(axis.var, 0)
        step = step * tirx.floordiv(last.extent, self.every) + at.get(last.var, 0)
        (load, size), line = self.panel.stored or (self.panel.load, 1), self.panel.line
        first = self.first + step * (self.lines * line)
        requests = [
            self.builder.prefetch(
                load.source,
                load.indices,
                self.start,
                (first + n * line + panel * self.panel.size) * size,
                READ_LEVEL_2,
            )
            for panel in range(self.panel.panels)
            for n in range(self.lines)
        ]
        if self.asks is None:
            return requests
        return [tirx.IfThenElse(self.asks, sequence(requests) or tirx.Evaluate(0), None)]


def panel_prefetch(
    stage: Stage, load: Expr, tile: Tile, order: Sequence[Axis], machine: Machine
) -> PanelPrefetch | None:
    """Return an operand as panels; None where its elements do not follow each other.

    Args:
        stage: A sum of products.
        load: The operand along whose elements vectors lie.
        tile: The register tile.
        order: The loops over tiles.
        machine: Its lines, and how often it is asked.
    """
    if not in_panels(stage, load, tile.panel):
        return None
    used = [i for i, axis in enumerate(order) if axis.var in variables(*load.indices)]
    shared_by = tuple(order[max(used, default=-1) + 1 :])
    return PanelPrefetch(load, stage.reduction, tile.panel, machine, shared_by, panels=tile.blocks)


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


def line_elements(buffer: Buffer, machine: Machine) -> int:
    """Return how many elements of a buffer a line of the caches holds."""
    elements: int = machine.core.line_bytes * 8 // buffer.dtype.bits
    return elements


def _steps(axes: Sequence[Axis]) -> int:
    return static(product([a.extent for a in axes])) or 1
