"""What `PairCheck` finds of each row of tiles, before the tiles that read the same bytes.

Each tile looks for itself where the number of tiles is known only later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, Stmt

from tvmfuse.schedules.cpu.gemm.k_blocking import KBlock
from tvmfuse.schedules.cpu.gemm.pair_check import PairCheck
from tvmfuse.schedules.cpu.gemm.panel_prefetch import Cuts
from tvmfuse.schedules.cpu.gemm.tile_loops import TileLoops
from tvmfuse.schedules.cpu.vectors import Segment
from tvmfuse.schedules.expressions import number, static, variables
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values


@dataclass(frozen=True, eq=False)
class PairFlag:
    """What was found of a tile.

    Attributes:
        builder: Of the function.
        together: How many words' products an int16 holds the sums of.
        most: How many it may be.
        looked: What finds it, where nothing did before.
        buffers: What has to be allocated around that.
    """

    builder: LoopNestBuilder
    together: Expr
    most: int
    looked: Stmt | None = None
    buffers: Sequence[Buffer] = ()

    def around(self, tile: Stmt | None) -> Stmt | None:
        """Return the tile, with what it has to find out before."""
        return self.builder.allocate(self.buffers, [self.looked, tile])

    def chosen(self, way: Callable[[int], Stmt | None]) -> Stmt | None:
        """Return the fastest way that clips nothing, of those for each number of words."""
        found = way(0)
        for words in range(1, self.most + 1):
            found = tirx.IfThenElse(self.together >= words, way(words) or tirx.Evaluate(0), found)
        return found


@dataclass(frozen=True, eq=False)
class PairFlags:
    """For all tiles that read the same words, how many words' products an int16 holds the sums of.

    Attributes:
        builder: Of the function.
        loops: Over tiles whose dot product clips.
        cuts: How all their axes are cut.
        k_block: Which block of the sum.
    """

    builder: LoopNestBuilder
    loops: TileLoops
    cuts: Cuts
    k_block: KBlock

    def around(self, tiles: Stmt | None) -> Stmt | None:
        """Return the loops over tiles, and before them what looks at their words."""
        if self._count is None:
            return tiles
        every = product(*(self.cuts[axis] for axis in self._axes))
        return self.builder.allocate([self._flags], [*map(self._nest, every), tiles])

    def of(self, cuts: Cuts, at: Values, start: Values) -> PairFlag:
        """Return what was found of a tile.

        Args:
            cuts: How its axes are cut.
            at: Its number along each.
            start: Its first element.
        """
        parts = [cuts[axis][0] for axis in self._axes]
        check = self._check(parts)
        most = 1 + check.by_twos
        if self._count is None:
            looked = check.statement({**start, **self._begin})
            return PairFlag(self.builder, check.words_together, most, looked, check.buffers)
        flag = self.builder.load_local(LocalElement(self._flags, self._place(parts, at)))
        return PairFlag(self.builder, flag, most)

    @cached_property
    def _axes(self) -> list[Axis]:
        """The axes along which tiles read other words."""
        assert self.loops.dot is not None
        used = variables(*self.loops.dot.number.load.indices)
        return [axis for axis in self.loops.order if axis.var in used]

    @property
    def _begin(self) -> Values:
        return self.k_block.begin(self.loops.group.head.reduction)

    @cached_property
    def _count(self) -> int | None:
        """How many tiles read other words; None where that is known only later."""
        counts = [static(self.builder.simplify(_tiles(self.cuts[axis]))) for axis in self._axes]
        return None if None in counts else prod(count or 0 for count in counts)

    @cached_property
    def _flags(self) -> Buffer:
        return self.builder.local_buffer("together", "int32", [number(self._count or 0)])

    def _place(self, parts: Sequence[Segment], at: Values) -> Expr:
        place: Expr = number(0)
        for axis, part in zip(self._axes, parts, strict=True):
            cut = self.cuts[axis]
            nth = next(n for n, segment in enumerate(cut) if segment is part)
            place = place * _tiles(cut) + (_tiles(cut[:nth]) + at[axis.var])
        return self.builder.simplify(place)

    def _nest(self, parts: Sequence[Segment]) -> Stmt | None:
        """Return the loops over the tiles of some parts of the axes."""
        pairs, check = list(zip(self._axes, parts, strict=True)), self._check(parts)

        def look(at: Values) -> Stmt | None:
            start = {axis.var: part.start(at[axis.var]) for axis, part in pairs}
            looked = check.statement({**start, **self._begin})
            flag = LocalElement(self._flags, self._place(parts, at))
            found = self.builder.store_local(flag, check.words_together)
            return self.builder.allocate(check.buffers, [looked, found])

        counts = [Axis(axis.var, part.count) for axis, part in pairs]
        return self.builder.nest(counts, look, parallel=self.loops.parallel)

    def _check(self, parts: Sequence[Segment]) -> PairCheck:
        """Return the look at the words of one tile of some parts of the axes."""
        dot, row = self.loops.dot, self.loops.tile.row_axis
        assert dot is not None
        pairs = zip(self._axes, parts, strict=True)
        rows = [Axis(row.var, number(part.width)) for axis, part in pairs if axis is row]
        axes = [*rows, *self.k_block.axes(self.loops.group.head.reduction)]
        return PairCheck(self.builder, dot.number, axes)


def _tiles(cut: Sequence[Segment]) -> Expr:
    total: Expr = number(0)
    for part in cut:
        total = total + part.count
    return total
