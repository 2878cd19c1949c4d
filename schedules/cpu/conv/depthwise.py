"""Depthwise convolutions of images whose width is known only later: no padded copy.

::

    for each channel, for each step along a line:       what is padded has a mask
        for each tile of lines below each other:
            sums[line, lane] = initial
            for each line of the image, for each column k of the window:
                vector = image[line, column + k], 0 where it is padded
                sums[line', lane] += vector * weight[line - line', k]      of all lines that see it
            output = epilogue(sums)

A small image has a few vectors of sums; to copy them costs as much as to add them up, and a vector
that is read right after others were stored across it waits for all of them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Final

from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Bind, Buffer, BufferLoad, ForKind, Stmt

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.cpu.epilogue import finish, local_buffers
from tvmfuse.schedules.cpu.gemm.contraction_nest import ENOUGH_ROWS, column_axis
from tvmfuse.schedules.cpu.gemm.row_steps import ALL_HEIGHTS, row_steps
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope
from tvmfuse.schedules.cpu.padding import Padded, padded
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import Segment, lanes, maskable, segments
from tvmfuse.schedules.expressions import coefficient, number, static, variables
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, analyzer
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import DepthwisePlan
from tvmfuse.schedules.vector_accesses import MASKED_BITS, Mask, below

#: Lines of a tile: small images in networks have 7, larger ones a multiple.
LINES: Final = 7

#: Multiply-adds of a tile, at most: the code of tiles of all heights grows with them.
MAX_FMAS: Final = 100

_Tap = tuple[int, ...]
"""The values of a reduction's axes."""


def depthwise(parts: Sequence[Group], scope: Scope) -> DepthwiseNest | None:
    """Return the nest of a depthwise convolution and what pads its image; None of anything else.

    Of a known width the copy stays; so it does of a large window, whose vectors it is worth.
    """
    isa = scope.machine.isa
    if len(parts) != 2 or not isa.masks or not scope.takes("FusedPadding"):
        return None
    copy, group = parts
    sums, column = contraction(group.head), column_axis(group.head)
    if sums is None or column is None or static(column.extent) is not None:
        return None
    image, weight = sorted((o.factor for o in sums.operands), key=lambda f: not _uses(f, column))
    if not isinstance(image, TensorLoad) or not isinstance(weight, TensorLoad):
        return None
    types = {str(e.ty.dtype) for e in (image, weight, group.head.store.value)}
    if len(types) > 1 or int(image.ty.dtype.bits) not in MASKED_BITS:
        return None
    found, row = padded(image, copy), _row(group, image, weight, column)
    if found is None or row is None or not maskable(group.stages, column):
        return None
    if lanes(group.stages, column, scope.machine) != isa.lanes(int(image.ty.dtype.bits)):
        return None
    nest = DepthwiseNest(scope, group, found, weight, row, column, *image.indices[-2:])
    return nest if nest.plan().mr >= ENOUGH_ROWS else None


def _uses(factor: Expr, axis: Axis) -> bool:
    return axis.var in variables(factor)


def _row(group: Group, image: TensorLoad, weight: TensorLoad, column: Axis) -> Axis | None:
    """Return the axis of lines.

    None where something else than the window of one image is summed up, or it leaves out columns.
    """
    *others, line, place = image.indices
    head = group.head
    if any(a.var in variables(*others) or not static(a.extent) for a in head.reduction):
        return None
    rows, columns = ([a for a in head.spatial if a.var in variables(e)] for e in (line, place))
    if len(rows) != 1 or columns != [column] or any(_uses(weight, a) for a in (*rows, column)):
        return None
    moves = [coefficient(e, a.var) for e, a in ((line, rows[0]), (place, column))]
    steps = [None if move is None else static(move) for move in moves]
    return rows[0] if rows[0] is not column and steps[0] and steps[1] == 1 else None


@dataclass(frozen=True, eq=False)
class DepthwiseNest(Nest[DepthwisePlan]):
    """A convolution of each channel by itself.

    Attributes:
        scope: The machine and the steps.
        group: Reads a padded copy, which is left out.
        padded: What it reads of it.
        weight: What that is multiplied by.
        row: The axis of lines of results.
        column: That of results side by side.
        line: The line of the copy that is read.
        place: The column of the copy that is read.
    """

    plan_type = DepthwisePlan

    scope: Scope
    group: Group
    padded: Padded
    weight: TensorLoad
    row: Axis
    column: Axis
    line: Expr
    place: Expr

    def plan(self, *, parallel: bool = True) -> DepthwisePlan:
        pays = should_parallelize(self.group.stages, self.scope.machine)
        taps = math.prod(static(axis.extent) or 1 for axis in self.group.head.reduction)
        mr = max(1, min(LINES, MAX_FMAS // taps))
        return DepthwisePlan(lanes=self.lanes, mr=mr, parallel=parallel and pays)

    def misfits(self, plan: DepthwisePlan) -> Iterator[Misfit]:
        if plan.lanes != self.lanes:
            yield Misfit("lanes", self.lanes, plan.lanes)
        if not 1 <= plan.mr <= ALL_HEIGHTS:
            yield Misfit("mr", f"1 to {ALL_HEIGHTS}", plan.mr)

    def emit(self, builder: LoopNestBuilder, plan: DepthwisePlan) -> Stmt | None:
        column, row, found = self.column, self.row, list[Stmt]()
        heights = segments(row.extent, plan.mr)
        if static(row.extent) is None:
            heights, found = row_steps(builder, row.extent, plan.mr)
        images = [a for a in self.group.head.spatial if a not in (column, row)]

        def image(at: Values) -> Stmt | None:
            def steps(lanes: int, part: Segment) -> Stmt | None:
                def step(place: Values) -> Stmt | None:
                    start, bound = builder.start(part.start(place[column.var]), named=True)
                    strip = _Strip(self, builder, lanes, {**at, column.var: start})
                    tiles = [
                        builder.nest([Axis(row.var, some.count)], partial(strip.tile, some))
                        for some in heights
                    ]
                    return sequence([*bound, *strip.bounds, *tiles])

                return builder.nest([Axis(column.var, part.count)], step)

            return sequence([steps(*pair) for pair in self._steps(plan)])

        return sequence([*found, builder.nest(images, image, parallel=plan.parallel)])

    @cached_property
    def lanes(self) -> int:
        """Elements of a vector."""
        return self.scope.machine.isa.lanes(int(self.padded.load.ty.dtype.bits))

    def _steps(self, plan: DepthwisePlan) -> list[tuple[int, Segment]]:
        """Cut a line of results into vectors, or half a one for the last where that is enough."""
        extent, known = self.column.extent, analyzer(sizes=[self.column.extent])
        half, zero = plan.lanes // 2, number(0)
        left = tirx.floormod(extent, plan.lanes)
        short = known.simplify(tirx.Select(tirx.all(left > 0, left <= half), zero + 1, zero))
        count = known.simplify(tirx.floordiv(extent + (plan.lanes - 1), plan.lanes) - short)
        few = Segment(known.simplify(extent - left), short, half, end=extent)
        return [(plan.lanes, Segment(zero, count, plan.lanes, end=extent)), (half, few)]


class _Strip:
    """The results of some columns, of any number of lines.

    Args:
        nest: What is computed.
        builder: Of the function.
        lanes: Of a vector.
        at: The image, and the first column of the results.
    """

    def __init__(
        self, nest: DepthwiseNest, builder: LoopNestBuilder, lanes: int, at: Values
    ) -> None:
        self._nest, self._builder, self._lanes, self._at = nest, builder, lanes, at
        left = builder.at(nest.column.extent - nest.column.var, at)
        self._mask, counted = Mask.of(left, lanes)
        self.bounds: list[Stmt] = [counted]
        self._there: dict[int, Expr] = {}

    def tile(self, lines: Segment, at: Values) -> Stmt | None:
        """Return the results of some lines."""
        nest, builder, lanes = self._nest, self._builder, self._lanes
        first, head = lines.start(at[nest.row.var]), nest.group.head.store
        own = [{**self._at, nest.row.var: first + r} for r in range(lines.width)]
        size = [number(len(own) * lanes)]
        kept = {b: builder.local_buffer(b.name, b.dtype, size) for b in local_buffers(nest.group)}
        sums = kept[head.buffer]
        assert head.initial is not None
        initial = tirx.Broadcast(builder.value(head.initial, own[0]), lanes)

        def end(r: int, lane: Expr) -> Stmt | None:
            local = {b: LocalElement(buffer, lane + r * lanes) for b, buffer in kept.items()}
            column = nest.column.var
            return finish(builder, nest.group, {**own[r], column: own[r][column] + lane}, local)

        def line(r: int) -> Stmt | None:
            write = partial(end, r)
            return builder.inner(nest.column.var, lanes, ForKind.VECTORIZED, write, self._mask)

        starts = [number(r * lanes) for r in range(len(own))]
        statements = [
            *(builder.store_vector(sums, [start], initial, lanes) for start in starts),
            *self._added(sums, own),
            *map(line, range(len(own))),
        ]
        return builder.allocate(list(kept.values()), statements)

    def _added(self, sums: Buffer, own: Sequence[Values]) -> list[Stmt]:
        """Return what adds up the products of lines of results; each vector is read once."""
        builder, lanes, weights = self._builder, self._lanes, self._weights(own[0])
        reads = defaultdict[tuple[int, int], list[tuple[int, _Tap]]](list)
        for r in range(len(own)):
            for k in weights:
                reads[self._place(r, k)].append((r, k))
        padded = self._nest.padded
        found: list[Stmt] = [Bind(weight, value) for weight, value in weights.values()]
        inside = dict[int, Var]()
        for (line, column), users in sorted(reads.items()):
            r, k = users[0]
            at = {**own[r], **self._values(k)}
            if line not in inside:
                there = builder.at(padded.inside, at)
                inside[line] = Var("inside", there.ty)
                found.append(Bind(inside[line], there))
            mask = tirx.And(self._columns(column, at), tirx.Broadcast(inside[line], lanes))
            value = builder.vector(padded.load, lanes, at, (mask, padded.fill))
            vector = Var("vector", value.ty)
            found.append(Bind(vector, value))
            for r, k in users:
                place = [number(r * lanes)]
                before = builder.vector(BufferLoad(sums, place), lanes)
                after = before + vector * weights[k][0]
                found.append(builder.store_vector(sums, place, after, lanes))
        return found

    def _weights(self, at: Values) -> dict[_Tap, tuple[Var, Expr]]:
        """Return a variable for each weight, and its vector."""
        found = {}
        for k in product(*(range(static(a.extent) or 1) for a in self._nest.group.head.reduction)):
            value = self._builder.value(self._nest.weight, {**at, **self._values(k)})
            vector = tirx.Broadcast(value, self._lanes)
            found[k] = Var("weight", vector.ty), vector
        return found

    def _values(self, k: _Tap) -> Values:
        axes = self._nest.group.head.reduction
        return {axis.var: number(n) for axis, n in zip(axes, k, strict=True)}

    def _place(self, r: int, k: _Tap) -> tuple[int, int]:
        """Return the line and the column that a tap reads, counted from those of the first."""
        nest = self._nest
        at = {nest.row.var: number(r), nest.column.var: number(0), **self._values(k)}
        line, column = (self._builder.at(e, at) for e in (nest.line, nest.place))
        return static(line) or 0, static(column) or 0

    def _columns(self, column: int, at: Values) -> Expr:
        """Return which columns of a vector are the image's."""
        padded, lanes = self._nest.padded, self._lanes
        if column not in self._there:
            ends = (padded.first, padded.end)
            bounds = [self._bound(end - self._nest.place, at) for end in ends]
            before, there = (below(bound, lanes) for bound in bounds)
            self._there[column] = tirx.And(tirx.Not(before), there)
        return self._there[column]

    def _bound(self, columns: Expr, at: Values) -> Var:
        """Set an int32 to a number of columns, but no less than 0 and no more than the lanes."""
        var, lanes = Var("bound", "int32"), number(self._lanes)
        within = tirx.max(tirx.min(self._builder.at(columns, at), lanes), number(0))
        self.bounds.append(Bind(var, tirx.Cast("int32", within)))
        return var
