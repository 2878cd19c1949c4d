"""Pools: the lines of a window are joined first, then its columns.

::

    for each step along a line of results:        what is padded, or behind its end, has a mask
        for each line of results:
            joined[columns] = neutral
            for each line of the window that is there:
                joined[column] = join(joined[column], image[line, column])
            for each column k of the window:
                result[lane] = join(result[lane], joined[stride * lane + k])         shuffled

So each number is read once for each line, vectors are shuffled once for all lines of the window,
and nothing is copied. A short line takes one vector of the image, whatever else there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tvm import tirx
from tvm.ir import Expr, Var
from tvm.tirx import Bind, Buffer, BufferLoad, ForKind, IfThenElse, Stmt
from tvm_ffi import structural_equal

from tvmfuse.schedules.cpu.epilogue import finish, local_buffers
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import Segment, maskable
from tvmfuse.schedules.cpu.window import Window, window
from tvmfuse.schedules.expressions import number, static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, analyzer
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import WindowPlan
from tvmfuse.schedules.vector_accesses import Mask, below

#: Vectors of a line that a plan may join.
MAX_VECTORS: Final = 8


def window_nest(parts: tuple[Group, ...], scope: Scope) -> WindowNest | None:
    """Return the nest of a kernel that is one window, and maybe what pads its image."""
    isa = scope.machine.isa
    if not isa.masked_loads or (len(parts) > 1 and not scope.takes("FusedPadding")):
        return None
    found = window(parts)
    if found is None or not maskable(found.group.epilogue, found.column):
        return None
    known = static(found.column.extent) is not None
    if not isa.masks and (known or len(parts) == 1):
        return None  # masked stores are slow: a shorter vector, or no copy, has to make up for it
    nest = WindowNest(found, len(parts) > 1, scope)
    return nest if 2 * found.results(nest.lanes, MAX_VECTORS) >= nest.lanes else None


@dataclass(frozen=True, eq=False)
class WindowNest(Nest[WindowPlan]):
    """A window that slides along lines.

    Attributes:
        window: What is read.
        padded: Whether a copy is left out.
        scope: The machine and the steps.
    """

    plan_type = WindowPlan

    window: Window
    padded: bool
    scope: Scope

    def plan(self, *, parallel: bool = True) -> WindowPlan:
        """Plan as few vectors of the image as leave less than a quarter of the results' lanes."""
        lanes, most = self.lanes, self.window.results
        enough = (n for n in range(1, MAX_VECTORS) if 4 * most(lanes, n) >= 3 * lanes)
        return WindowPlan(
            lanes=lanes,
            vectors=next(enough, MAX_VECTORS),
            padded=self.padded,
            parallel=parallel and should_parallelize(self._group.stages, self.scope.machine),
        )

    def misfits(self, plan: WindowPlan) -> Iterator[Misfit]:
        if plan.lanes != self.lanes:
            yield Misfit("lanes", self.lanes, plan.lanes)
        if plan.padded != self.padded:
            yield Misfit("padded", self.padded, plan.padded)
        lanes, most = self.lanes, self.window.results
        least = next(n for n in range(1, MAX_VECTORS + 1) if most(lanes, n) > 0)
        if not least <= plan.vectors <= MAX_VECTORS:
            yield Misfit("vectors", f"{least} to {MAX_VECTORS}", plan.vectors)

    def emit(self, builder: LoopNestBuilder, plan: WindowPlan) -> Stmt | None:
        column = self.window.column
        others = [a for a in self._group.head.spatial if a is not column]
        # Masks of a size known only later are found once for all lines; others are constants.
        around = len(others) - (static(column.extent) is None)
        images, lines = others[:around], others[around:]

        def image(at: Values) -> Stmt | None:
            def steps(lanes: int, part: Segment) -> Stmt | None:
                def step(place: Values) -> Stmt | None:
                    start, found = builder.start(part.start(place[column.var]), named=True)
                    place = {**at, column.var: start}
                    masked = part.end is not None
                    strip = _Strip(builder, self.window, lanes, plan.vectors, place, masked=masked)
                    inside = builder.nest(lines, strip.line, parallel=plan.parallel and not images)
                    return sequence([*found, *strip.bounds, inside])

                return builder.nest([Axis(column.var, part.count)], step)

            return sequence([steps(*pair) for pair in self._steps(plan)])

        return builder.nest(images, image, parallel=plan.parallel and bool(images))

    @cached_property
    def lanes(self) -> int:
        """Elements of a vector."""
        return self.scope.machine.isa.lanes(int(self.window.load.ty.dtype.bits))

    @property
    def _group(self) -> Group:
        return self.window.group

    def _steps(self, plan: WindowPlan) -> list[tuple[int, Segment]]:
        """Cut a line of results into steps, each of vectors of so many lanes.

        What whole ones leave is a step of vectors half as long where that is enough.
        """
        extent, half = self.window.column.extent, plan.lanes // 2
        whole, few = (self.window.results(lanes, plan.vectors) for lanes in (plan.lanes, half))
        left, zero = tirx.floormod(extent, whole), tirx.const(0, extent.ty.dtype)
        short = tirx.Select(tirx.all(left > 0, left <= few), zero + 1, zero) if few > 0 else zero
        known = analyzer(sizes=[extent])
        short = known.simplify(short)
        count = known.simplify(tirx.floordiv(extent + (whole - 1), whole) - short)
        begin, parts = zero, list[tuple[int, Segment]]()
        if not self.scope.machine.isa.masks:
            # What such a vector stores behind its results is stored again with the next.
            room = extent - (plan.lanes - whole)
            safe = known.simplify(tirx.max(tirx.floordiv(room, whole), zero))
            parts.append((plan.lanes, Segment(zero, safe, whole)))
            begin, count = known.simplify(safe * whole), known.simplify(count - safe)
        parts.append((plan.lanes, Segment(begin, count, whole, end=extent)))
        if few > 0:
            parts.append((half, Segment(known.simplify(extent - left), short, few, end=extent)))
        return [(lanes, part) for lanes, part in parts if static(part.count) != 0]


class _Strip:
    """The results of some columns, of any number of lines.

    Args:
        builder: Of the function.
        window: What is computed.
        lanes: Of a vector.
        vectors: Of each line of the image.
        at: The image, and the first column of the results.
        masked: Whether no more than the results is stored.
    """

    def __init__(
        self,
        builder: LoopNestBuilder,
        window: Window,
        lanes: int,
        vectors: int,
        at: Values,
        *,
        masked: bool,
    ) -> None:
        self._builder, self._window, self._at = builder, window, at
        self._lanes, self._vectors = lanes, vectors
        self.bounds: list[Stmt] = []
        column, most = window.column, window.results(lanes, vectors)
        left = builder.at(column.extent - column.var, at)
        self._results = self._bound("results", left, most)
        self._mask = Mask(self._results) if masked else None
        self._there = [self._columns(n * lanes) for n in range(vectors)]

    def line(self, line: Values) -> Stmt | None:
        """Return the results of one line."""
        w, builder, lanes = self._window, self._builder, self._lanes
        at, dtype, group = {**self._at, **line}, w.load.ty.dtype, w.group
        joined = builder.local_buffer("joined", dtype, [number(self._vectors * lanes)])
        term = builder.local_buffer("term", dtype, [number(lanes)])
        kept = {
            b: builder.local_buffer(b.name, b.dtype, [number(lanes)]) for b in local_buffers(group)
        }
        result, store = kept[group.head.store.buffer], group.head.store
        assert store.initial is not None

        def joins(k: Values) -> Stmt | None:
            place = {**at, **k, **({w.tap.var: number(0)} if w.tap else {})}
            work = [self._join(joined, term, nth, place) for nth in range(self._vectors)]
            inside, all_ = builder.at(w.inside, place), sequence(work)
            assert all_ is not None
            return all_ if static(inside) == 1 else IfThenElse(inside, all_, None)

        def end(lane: Expr) -> Stmt | None:
            local = {b: LocalElement(buffer, lane) for b, buffer in kept.items()}
            column = w.column.var
            return finish(builder, group, {**at, column: at[column] + lane}, local)

        # What was joined before is neutral: the first column need not be joined to it.
        fresh = structural_equal(store.initial, w.joins.neutral)
        initial = None if fresh else self._fill(result, 0, builder.value(store.initial, at))
        statements = [
            *(self._fill(joined, n * lanes, w.joins.neutral) for n in range(self._vectors)),
            builder.nest(w.lines, joins),
            initial,
            *(
                self._tapped(joined, term, result, tap, alone=fresh and not tap)
                for tap in range(w.taps)
            ),
            builder.inner(w.column.var, lanes, ForKind.VECTORIZED, end, self._mask),
        ]
        return builder.allocate([joined, term, *kept.values()], statements)

    def _bound(self, name: str, value: Expr, most: int) -> Var:
        """Set an int32 to a number, but no less than 0 and no more than `most`."""
        var = Var(name, "int32")
        within = tirx.max(tirx.min(value, number(most)), number(0))
        self.bounds.append(Bind(var, tirx.Cast("int32", within)))
        return var

    def _columns(self, first: int) -> Expr:
        """Return which columns of a vector are there, and of use."""
        w, lanes = self._window, self._lanes
        if w.end is None or w.before is None:
            last = (self._results - 1) * w.stride + w.span
            return below(last - first, lanes)
        place = {**self._at, **({w.tap.var: number(0)} if w.tap else {})}
        before, end = (self._builder.at(e - first, place) for e in (w.before, w.end))
        there = below(self._bound("end", end, lanes), lanes)
        return tirx.And(tirx.Not(below(self._bound("before", before, lanes), lanes)), there)

    def _join(self, joined: Buffer, term: Buffer, nth: int, at: Values) -> Stmt | None:
        """Join one vector of a line to those of the lines before it."""
        w, lanes, mask = self._window, self._lanes, self._there[nth]
        first = self._moved(nth * lanes)
        value = self._builder.vector(first, lanes, at, (mask, w.joins.neutral))
        return sequence(
            [
                self._builder.store_vector(term, [number(0)], value, lanes),
                self._each(joined, nth * lanes, term),
            ]
        )

    def _moved(self, columns: int) -> BufferLoad:
        load = self._window.load
        *others, last = load.indices
        return BufferLoad(load.source, [*others, last + columns])

    def _tapped(
        self, joined: Buffer, term: Buffer, result: Buffer, tap: int, *, alone: bool
    ) -> Stmt | None:
        """Join the columns of one tap to the results; `alone`, they are the results so far."""
        w, lanes, builder = self._window, self._lanes, self._builder
        vectors = [
            builder.vector(BufferLoad(joined, [number(n * lanes)]), lanes)
            for n in range(self._vectors)
        ]
        last = w.results(lanes, self._vectors) - 1
        places = [tap * w.dilation + w.stride * min(lane, last) for lane in range(lanes)]
        columns = tirx.Shuffle(vectors, [tirx.const(place, "int32") for place in places])
        if alone:
            return builder.store_vector(result, [number(0)], columns, lanes)
        kept = builder.store_vector(term, [number(0)], columns, lanes)
        return sequence([kept, self._each(result, 0, term)])

    def _each(self, into: Buffer, first: int, term: Buffer) -> Stmt | None:
        """Join a vector to one."""
        builder = self._builder

        def join(lane: Expr) -> Stmt:
            kept = LocalElement(into, lane + first)
            value = self._window.joins.join(
                builder.load_local(kept), builder.load_local(LocalElement(term, lane))
            )
            return builder.store_local(kept, value)

        return self._vector(join)

    def _fill(self, buffer: Buffer, first: int, value: Expr) -> Stmt | None:
        def fill(lane: Expr) -> Stmt:
            return self._builder.store_local(LocalElement(buffer, lane + first), value)

        return self._vector(fill)

    def _vector(self, body: Callable[[Expr], Stmt]) -> Stmt | None:
        column, lanes = self._window.column.var, self._lanes
        return self._builder.inner(column, lanes, ForKind.VECTORIZED, body)
