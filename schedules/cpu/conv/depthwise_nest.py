"""Depthwise convolutions without a padded copy.

::

    for each height of a tile that there is:
    for each channel, for each step along a line:       what is padded has a mask
        for each tile of lines below each other:
            sums[line, lane] = initial
            for each line of the image, for each column k of the window:
                vector = image[line, column + k], 0 where it is padded
                sums[line', lane] += vector * weight[line - line', k]      of all lines that see it
            output = epilogue(sums)

A small image has a few vectors of sums; to copy them costs as much as to add them up, and a vector
that is read right after others were stored across it waits for all of them. Where results lie some
columns apart, the vectors that these are in are shuffled, and taps between them share the loads. Of
an image that comes in blocks of channels, the lanes are the channels of one block, and a tile has
one column: its lines and that are in the image, or not, as a whole. One of bfloat16 is widened as
it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final

from tvm.tirx import IfThenElse, Stmt

from tvmfuse.schedules.cpu.conv.column_steps import Steps, masked_steps, overlapping_steps
from tvmfuse.schedules.cpu.conv.depthwise import Depthwise, depthwise, depthwise_of_bytes
from tvmfuse.schedules.cpu.conv.depthwise_strip import Strip
from tvmfuse.schedules.cpu.gemm.begun_sums import SUMMED, begun
from tvmfuse.schedules.cpu.gemm.bfloat16_dot import Bits
from tvmfuse.schedules.cpu.gemm.contraction_nest import ENOUGH_ROWS
from tvmfuse.schedules.cpu.gemm.row_steps import ALL_HEIGHTS, row_steps
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import Segment, lanes, segments
from tvmfuse.schedules.expressions import number, product, static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.mask_words import has_words
from tvmfuse.schedules.plans import DepthwisePlan

#: Lines of a tile of bytes, or of unknown height: small images in networks have 7, larger ones a
#: multiple.
LINES: Final = 7

#: Multiply-adds of a tile of unknown height, at most: the code of tiles of all heights grows.
MAX_FMAS: Final = 100

#: Those of a tile of known height: there is the code of one, or of two.
MAX_KNOWN_FMAS: Final = 200


def depthwise_nest(parts: Sequence[Group], scope: Scope) -> DepthwiseNest | None:
    """Return the nest of a depthwise convolution; None of anything else, or where a copy pays.

    It does for a large window: the code of a tile grows with it, and where each channel has
    weights of its own, they have to stay in registers.
    """
    what = depthwise(parts) if scope.takes("FusedPadding") else None
    if what is None:
        return None
    nest = DepthwiseNest(scope, what)
    if lanes(what.group.stages, what.column, scope.machine) != nest.lanes:
        return None
    return nest if nest.most_lines >= ENOUGH_ROWS and nest.has_masks else None


def depthwise_bytes_nest(group: Group, scope: Scope) -> DepthwiseNest | None:
    """Return the nest of a depthwise convolution of bytes; None of anything else.

    Its products are of numbers of 16 bits, which the instruction that adds up two multiplies, too.
    Where vectors are longer, a tile's sums and all that it multiplies have registers anyway.
    """
    what = depthwise_of_bytes(group)
    dots = scope.machine.dot
    if what is None or scope.machine.isa.masks or not any(dot.a == "int16" for dot in dots):
        return None
    nest = DepthwiseNest(scope, replace(what, group=begun(group)))
    whole = (static(what.column.extent) or 1) % nest.lanes == 0
    fits = whole and lanes(what.group.stages, what.column, scope.machine) == nest.lanes
    return nest if fits and nest.most_lines >= ENOUGH_ROWS else None


@dataclass(frozen=True, eq=False)
class DepthwiseNest(Nest[DepthwisePlan]):
    """A convolution of each channel by itself.

    Attributes:
        scope: The machine and the steps.
        what: The convolution.
    """

    plan_type = DepthwisePlan

    scope: Scope
    what: Depthwise

    def plan(self, *, parallel: bool = True) -> DepthwisePlan:
        pays = should_parallelize(self.what.group.stages, self.scope.machine)
        mr, rows = self.most_lines, static(self.what.row.extent)
        if not self.scope.takes("RegisterTiling"):
            mr = 1
        elif rows:
            if self.what.line_step > 1 and self.what.sums != SUMMED:
                mr = min(mr, self.scope.machine.tuning.depthwise_strided_lines)
            mr = _even_lines(rows, mr)
        return DepthwisePlan(
            lanes=self.lanes, mr=mr, by_lines=self._by_lines, parallel=parallel and pays
        )

    def misfits(self, plan: DepthwisePlan) -> Iterator[Misfit]:
        if plan.lanes != self.lanes:
            yield Misfit("lanes", self.lanes, plan.lanes)
        if not 1 <= plan.mr <= ALL_HEIGHTS:
            yield Misfit("mr", f"1 to {ALL_HEIGHTS}", plan.mr)

    def emit(self, builder: LoopNestBuilder, plan: DepthwisePlan) -> Stmt | None:
        row, found = self.what.row, list[Stmt]()
        heights = segments(row.extent, plan.mr)
        if static(row.extent) is None:
            heights, found = row_steps(builder, row.extent, plan.mr)
        loops = {height: Axis(row.var, height.count) for height in heights}
        images, nests, bits = self.what.images, list[Stmt | None](), Bits()
        # The masks of unknown lines are found once for all tiles below each other.
        by_strip = static(row.extent) is None and not self.what.is_blocked

        def strips(height: Segment, at: Values) -> Stmt | None:
            def tiles(strip: Strip) -> Stmt | None:
                return builder.nest([loops[height]], partial(strip.tile, height))

            return self._strips(builder, plan, at, bits, tiles)

        def tile(height: Segment, at: Values) -> Stmt | None:
            return self._strips(builder, plan, at, bits, lambda strip: strip.tile(height, at))

        for height, loop in loops.items():
            if by_strip:
                # In one nest the addresses of all heights would be moved on with each image.
                nest = builder.nest(images, partial(strips, height), parallel=plan.parallel)
                nests.append(nest and IfThenElse(height.count > 0, nest, None))
            else:
                inside = partial(tile, height)
                order = [*images, loop]
                if plan.by_lines:
                    order[-2:] = reversed(order[-2:])
                nests.append(builder.nest(order, inside, parallel=plan.parallel))
        return bits.within(sequence([*found, *nests]))

    @property
    def _by_lines(self) -> bool:
        """Whether threads share lines: as in convolutions by 1x1 where pixels outweigh weights.

        What one thread writes is then read by the same one.
        """
        if not self.what.is_blocked or not self.what.images:
            return False
        pixels, channels = (
            static(product([axis.extent for axis in axes]))
            for axes in (
                (self.what.row, *self.what.along),
                (self.what.images[-1], self.what.column),
            )
        )
        return pixels is not None and channels is not None and pixels >= channels

    @cached_property
    def lanes(self) -> int:
        """Elements of a vector."""
        return self.scope.machine.isa.lanes(self.what.bits)

    @property
    def has_masks(self) -> bool:
        """Whether all masks that the loops ask for are quick on the machine."""
        isa, results = self.scope.machine.isa, static(self.what.column.extent)
        if not self.what.is_blocked:
            return isa.masks or self.words
        quick = isa.masks if self.what.widens else isa.masked_loads  # AVX2 has none of 16 bits
        return quick and bool(results) and (results or 0) % (self.lanes // 2) == 0

    @property
    def words(self) -> bool:
        """Whether masks are words: of lines of unknown length, on a machine that has no others."""
        isa, what = self.scope.machine.isa, self.what
        plain = not what.is_blocked and has_words(what.image)
        return plain and isa.masked_loads and not isa.masks and static(what.column.extent) is None

    @cached_property
    def most_lines(self) -> int:
        """Lines of a tile, at most; of blocks of unknown height, each has the code of two."""
        taps = self.what.taps
        # A line that is shuffled takes less in a vector than in a copy, whatever weights take.
        shares = self.what.is_blocked or (self.words and self.what.stride == 1)
        if shares and taps > self.scope.machine.isa.registers:
            return 1
        most, fmas = self.scope.machine.tuning.depthwise_lines, MAX_KNOWN_FMAS
        if self.what.sums == SUMMED:
            most = LINES
        if static(self.what.row.extent) is None:
            few = self.what.is_blocked or self.words
            most, fmas = ENOUGH_ROWS if few else LINES, MAX_FMAS
        return max(1, min(most, fmas // taps))

    def _strips(
        self,
        builder: LoopNestBuilder,
        plan: DepthwisePlan,
        at: Values,
        bits: Bits,
        tiles: Callable[[Strip], Stmt | None],
    ) -> Stmt | None:
        """Return the loops over the vectors of a line."""
        column = self.what.column

        def each(steps: Steps) -> Stmt | None:
            def step(place: Values) -> Stmt | None:
                begin = steps.start(place[column.var])
                named, sealed = partial(builder.start, named=True), partial(builder.sealed, "start")
                start, bound = (sealed if self.words else named)(begin)
                first = {**at, column.var: start}
                strip = Strip(self.what, builder, steps, first, bits, words=self.words)
                body = tiles(strip)
                return sequence([*bound, *strip.bounds, body])

            if not steps.once:
                return builder.nest([Axis(column.var, steps.count)], step)
            # What a branch finds out is the same for all images, and is found out before them.
            found = step({column.var: number(0)}) if static(steps.count) != 0 else None
            return found and IfThenElse(builder.simplify(steps.count > 0), found, None)

        cut = overlapping_steps if self.words else masked_steps
        return sequence([each(steps) for steps in cut(self.what, plan.lanes)])


def _even_lines(rows: int, most: int) -> int:
    """Return the lines of the fewest tiles, shared evenly: an even number, where the most is one.

    >>> [_even_lines(rows, 8) for rows in (7, 10, 14, 28, 112)], _even_lines(28, 7)
    ([7, 6, 8, 8, 8], 7)
    """
    tiles = -(-rows // most)
    lines = -(-rows // tiles)
    return lines + lines % 2 if tiles > 1 and most % 2 == 0 else lines
