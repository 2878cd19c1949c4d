"""The largest or smallest elements along an axis, in order; of equal ones the first come first.

A NaN is larger than any number, as in numpy's and torch's orders.

Few of many lines side by side, or of short ones, are found by insertion (`few_best`). Any others:
each line along the axis is read in segments, as orders (`sorted_keys`). Of the first segment, the
halving of an interval finds an order that few more than K elements are before: each step counts
a vector of them at a time. Then whatever is before it is a candidate; most blocks have none, which
one test shows. When there is no more room for candidates, and in the end, they are sorted, and the
best K stay.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from tvm import te, tirx, topi
from tvm.ir import Call, Expr
from tvm.relax import BlockBuilder
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.sym import Analyzer
from tvm.tirx import Buffer, Stmt

from tvmfuse.ops.lowering.few_best import FewBest
from tvmfuse.ops.lowering.lines import Lines, lines_of
from tvmfuse.ops.lowering.sorted_keys import (
    BINS,
    LAST,
    PASSES,
    SPARE,
    Keys,
    key,
    order,
    order_of,
    place_of,
)
from tvmfuse.ops.lowering.written import INT64, folded, int32, int64, local, variable

FLOAT: Final = "float32"

LANES: Final = 16

BLOCK: Final = 4 * LANES
"""Elements after which is asked whether one of them is a candidate."""

SEGMENT: Final = 2048
"""Elements of a line that are read at once, at least."""

TASKS: Final = 32
"""Parts of all lines, each of which has memory of its own."""


def top_k(bb: BlockBuilder, call: Call) -> Expr:
    """Lower `relax.topk`: elements of float32 as this file says, any others as TVM does."""
    attrs, x = call.attrs, call.args[0]
    shape = [*x.ty.shape.values]
    axis = int(attrs.axis) % len(shape)
    if str(x.ty.dtype) != FLOAT or str(attrs.ret_type) != "both":
        return bb.call_te(
            topi.topk, x, k=int(attrs.k), axis=axis, ret_type=str(attrs.ret_type),
            is_ascend=not attrs.largest, dtype=str(attrs.dtype),
        )  # fmt: skip
    k = int64(int(attrs.k)) if int(attrs.k) > 0 else shape[axis]
    lines = lines_of(shape, axis)
    made = [*shape[:axis], k, *shape[axis + 1 :]]
    few, plan = FewBest.of(lines, k), _Plan.of(lines, k)

    def write_all(ins: list[Buffer], outs: list[Buffer]) -> Stmt:
        if few:
            # No other array of the kernel need have the axis's size.
            own = lines_of([*ins[0].shape], axis)
            here = replace(few, before=own.before, size=own.size, after=own.after)
            return here.kernel(*ins, *outs, largest=bool(attrs.largest))
        return _kernel([*ins, *outs], plan, largest=bool(attrs.largest))

    def compute(x: te.Tensor) -> list[te.Tensor]:
        scratch = [] if few else plan.scratch
        kept = [] if few else ["int32", INT64, "int32"]
        dtype = [FLOAT, str(attrs.dtype), *kept]
        return [*te.extern([made, made, *scratch], [x], write_all, dtype=dtype, name="topk")]

    return bb.call_te(compute, x, primfunc_name_hint="topk")


@dataclass(frozen=True, eq=False)
class _Plan(Lines):
    """How the lines are taken.

    Attributes:
        k: How many elements are wanted of each.
        width: Lines side by side that are read together.
        segment: Elements of each that are read at once.
        room: Candidates of each that there is room for.
        takes_all: Whether all elements of a line are.
    """

    k: Expr
    width: int
    segment: Expr
    room: Expr
    takes_all: bool

    @classmethod
    def of(cls, lines: Lines, k: Expr) -> _Plan:
        """Plan for these lines."""
        before, size, after = lines.before, lines.size, lines.after
        width = min(after.value, LANES) if isinstance(after, tirx.IntImm) else LANES
        segment = tirx.min(size, tirx.max(int64(SEGMENT), k * 8))
        room = tirx.min(size, tirx.max(k * 2, k + 2 * BLOCK))
        all_ = Analyzer().can_prove(tirx.Or(k == size, tirx.Not(_worth_a_bar(size, k))))
        return cls(before, size, after, k, width, segment, size if all_ else room, all_)

    @property
    def strips(self) -> Expr:
        """How many groups of lines side by side there are."""
        return tirx.floordiv(self.after + (self.width - 1), int64(self.width))

    @property
    def tasks(self) -> Expr:
        """How many parts the groups are dealt out to."""
        return tirx.max(tirx.min(self.before * self.strips, int64(TASKS)), int64(1))

    @property
    def scratch(self) -> list[tuple[Expr | int, ...]]:
        """The shapes of what each task keeps: orders, keys, and where the bins of a sort begin."""
        return [
            (self.tasks, self.width, 1 if self.takes_all else _up(self.segment, BLOCK)),
            (self.tasks, self.width, 2, _up(self.room + LANES + SPARE, LANES)),
            (self.tasks, PASSES * BINS),
        ]


def _worth_a_bar(length: Expr, k: Expr) -> Expr:
    return tirx.And(length > int64(2 * LANES), k * 4 < length * 3)


def _up(count: Expr, to: int) -> Expr:
    return tirx.floordiv(count + (to - 1), int64(to)) * to


def _kernel(buffers: list[Buffer], plan: _Plan, *, largest: bool) -> Stmt:
    with IRBuilder() as builder:
        groups = plan.before * plan.strips
        share = tirx.floordiv(groups + (plan.tasks - 1), plan.tasks)
        with write.parallel(0, plan.tasks) as task:
            first = task * share
            with write.serial(0, tirx.max(tirx.min(share, groups - first), int64(0))) as number:
                tensors: list[Any] = [*map(write.buffer_proxy, buffers)]
                parts = [*tensors, plan, largest, task, first + number]
                _Group(*parts).write()
        return builder.get()


@dataclass(frozen=True, eq=False)
class _Group:
    """Writes what is done for lines side by side.

    Attributes:
        x: The tensor.
        values: Its best elements.
        places: Where they stand on the axis.
        orders: Those of a segment.
        keys: The candidates.
        starts: What the sort counts in.
        plan: The sizes.
        largest: Whether large elements are good.
        task: Whose memory it takes.
        group: Which lines.
    """

    x: Any
    values: Any
    places: Any
    orders: Any
    keys: Any
    starts: Any
    plan: _Plan
    largest: bool
    task: Expr
    group: Expr

    def write(self) -> None:
        """Write its statements."""
        plan = self.plan
        matrix, strip = (f(self.group, plan.strips) for f in (tirx.floordiv, tirx.floormod))
        left = strip * plan.width
        width = tirx.min(int64(plan.width), plan.after - left)
        corner = matrix * plan.size * plan.after + left
        counts = local(plan.width, INT64)
        if plan.takes_all:
            self._read(corner, plan.size, width)
        else:
            self._choose(corner, width, counts)
        with write.serial(0, width) as line:
            own = self._keys(line)
            count = plan.size if plan.takes_all else counts[line]
            half = own.sort(count, plan.k, most=_known(plan.room))
            with write.serial(0, plan.k) as nth:
                place = place_of(own.at(half, nth))
                to = (matrix * plan.k + nth) * plan.after + left + line
                self.values[to] = self.x[corner + place * plan.after + line]
                self.places[to] = place

    def _choose(self, corner: Expr, width: Expr, counts: Any) -> None:
        """Take the candidates of each line."""
        plan = self.plan
        bars = local(plan.width, "int32")
        with write.serial(0, plan.width) as line:
            counts[line], bars[line] = int64(0), int32(LAST)
        with write.serial(0, tirx.floordiv(plan.size + plan.segment - 1, plan.segment)) as segment:
            begin = segment * plan.segment
            length = tirx.min(plan.segment, plan.size - begin)
            self._read(corner + begin * plan.after, length, width)
            self._fill(length)
            with write.serial(0, width) as line:
                with write.If(self._worth_a_bar(begin, length)), write.Then():
                    self._find_bar(line, length, bars)
                self._take_candidates(line, begin, length, counts, bars)

    def _keys(self, line: Expr) -> Keys:
        return Keys(self.keys, (self.task, line), self.starts, (self.task,))

    def _read(self, begin: Expr, length: Expr, width: Expr) -> None:
        """Write the orders of a segment of each line, or the keys of all elements."""
        plan = self.plan

        def put(line: Expr, place: Expr, element: Expr) -> None:
            own = order(element, largest=self.largest)
            if plan.takes_all:
                self._keys(line)[place] = key(own, place)
            else:
                self.orders[self.task, line, place] = own

        if plan.width == 1:
            whole = tirx.floordiv(length, LANES)
            with write.serial(0, whole) as vector, write.vectorized(0, LANES) as lane:
                place = vector * LANES + lane
                put(int64(0), place, self.x[begin + place])
            with write.serial(0, length - whole * LANES) as rest:
                put(int64(0), whole * LANES + rest, self.x[begin + whole * LANES + rest])
        else:
            with write.serial(0, length) as place, write.serial(0, width) as line:
                put(line, place, self.x[begin + place * plan.after + line])

    def _fill(self, length: Expr) -> None:
        """Write what no number is behind a segment, to a whole block."""
        with (
            write.serial(0, self.plan.width) as line,
            write.serial(0, _up(length, BLOCK) - length) as rest,
        ):
            self.orders[self.task, line, length + rest] = int32(LAST)

    def _worth_a_bar(self, begin: Expr, length: Expr) -> Expr:
        """Whether to look for a bar: in the first segment, if it leaves many elements out."""
        return tirx.And(begin == int64(0), _worth_a_bar(length, self.plan.k))

    def _find_bar(self, line: Expr, length: Expr, bars: Any) -> None:
        """Find an order that at least K elements are before, and few more."""
        k, blocks = self.plan.k, tirx.floordiv(length + (BLOCK - 1), int64(BLOCK))
        best = local(LANES, "int32")
        with write.vectorized(0, LANES) as lane:
            best[lane] = int32(LAST)
        vectors = blocks * (BLOCK // LANES)
        with write.serial(0, vectors) as vector, write.vectorized(0, LANES) as lane:
            own = self.orders[self.task, line, vector * LANES + lane]
            best[lane] = tirx.min(best[lane], own)
        known = _known(k)
        if known is not None and known <= LANES:
            bars[line] = self._behind(best, known)
        else:
            bars[line] = self._halve(line, length, folded(best, LANES, tirx.min))

    def _behind(self, best: Any, k: int) -> Expr:
        """Return what is just behind the K-th of the lanes' best elements."""
        if k == 1:
            return folded(best, LANES, tirx.min) + int32(1)
        ranks = local(LANES, "int32")
        with write.vectorized(0, LANES) as lane:
            ranks[lane] = int32(0)
        for other in range(LANES):
            with write.vectorized(0, LANES) as lane:
                before = tirx.Select(best[other] < best[lane], int32(1), int32(0))
                ranks[lane] = ranks[lane] + before
        with write.vectorized(0, LANES) as lane:
            ranks[lane] = tirx.Select(ranks[lane] < int32(k), best[lane], int32(-LAST))
        return folded(ranks, LANES, tirx.max) + int32(1)

    def _halve(self, line: Expr, length: Expr, least: Expr) -> Expr:
        """Halve the interval that such an order is in until it is good enough."""
        k, blocks = self.plan.k, tirx.floordiv(length + (BLOCK - 1), int64(BLOCK))
        low, high, before = variable(int64(0)), variable(int64(LAST)), variable(length)
        low[0] = tirx.Cast(INT64, least)
        enough = k + tirx.floordiv(k, int64(4))
        with write.While(tirx.And(before[0] > enough, high[0] - low[0] > int64(1))):
            middle = variable(low[0] + tirx.shift_right(high[0] - low[0], int64(1)))
            bar = variable(tirx.Cast("int32", middle[0]))
            counts = local(LANES, "int32")
            with write.vectorized(0, LANES) as lane:
                counts[lane] = int32(0)
            with write.serial(0, blocks) as block:
                for vector in range(BLOCK // LANES):
                    with write.vectorized(0, LANES) as lane:
                        hit = self._is_before(line, block * BLOCK + vector * LANES + lane, bar[0])
                        counts[lane] = counts[lane] + hit
            found = variable(tirx.Cast(INT64, folded(counts, LANES, operator.add)))
            with write.If(found[0] >= k):
                with write.Then():
                    high[0], before[0] = middle[0], found[0]
                with write.Else():
                    low[0] = middle[0]
        return tirx.Cast("int32", high[0])

    def _is_before(self, line: Expr, place: Expr, bar: Expr) -> Expr:
        before = self.orders[self.task, line, place] < bar
        return tirx.Select(before, int32(1), int32(0))

    def _take_candidates(
        self, line: Expr, begin: Expr, length: Expr, counts: Any, bars: Any
    ) -> None:
        own, room = self._keys(line), self.plan.room
        count, bar = variable(counts[line]), variable(bars[line])
        blocks = tirx.floordiv(length + (BLOCK - 1), int64(BLOCK))
        with (
            write.serial(0, blocks) as block,
            self._if_some(line, block * BLOCK, BLOCK, bar[0]),
            write.serial(0, BLOCK // LANES) as vector,
            self._if_some(line, block * BLOCK + vector * LANES, LANES, bar[0]),
        ):
            for lane in range(LANES):
                at = block * BLOCK + vector * LANES + lane
                own[count[0]] = key(self.orders[self.task, line, at], begin + at)
                hit = self._is_before(line, at, bar[0])
                count[0] = count[0] + tirx.Cast(INT64, hit)
            if not Analyzer().can_prove_equal(room, self.plan.size):
                with write.If(count[0] > room), write.Then():
                    own.sort_here(count[0], self.plan.k, most=None)
                    count[0] = self.plan.k
                    bar[0] = order_of(own[self.plan.k - 1])
        counts[line], bars[line] = count[0], bar[0]

    @contextmanager
    def _if_some(self, line: Expr, begin: Expr, count: int, bar: Expr) -> Iterator[None]:
        """Do what is written inside if one of some elements is a candidate."""
        hits = local(LANES, "int32")
        for vector in range(count // LANES):
            with write.vectorized(0, LANES) as lane:
                hit = self._is_before(line, begin + vector * LANES + lane, bar)
                hits[lane] = hit if vector == 0 else tirx.bitwise_or(hits[lane], hit)
        with write.If(folded(hits, LANES, tirx.bitwise_or) != 0), write.Then():
            yield


def _known(size: Expr) -> int | None:
    return size.value if isinstance(size, tirx.IntImm) else None
