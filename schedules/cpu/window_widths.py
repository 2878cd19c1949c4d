"""Pools whose width is known only later: a nest for each class of widths.

::

    where one step covers a line:   for each image, for each line of results: the step
    where an image is large:        for each image, for each line of results:
                                        the first step
                                        for each step of which all columns are there: no mask
                                        the last step, which may begin before that one ends

The masks of a class are those of all its lines, and are found once. Of an image that the cache does
not hold, each strip of columns would come from the next one again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import IfThenElse, Stmt

from tvmfuse.schedules.cpu.vectors import Segment
from tvmfuse.schedules.cpu.window import Window
from tvmfuse.schedules.cpu.window_strip import Strip
from tvmfuse.schedules.expressions import coefficient, flat, number, static, variables
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import WindowPlan


def has_classes(window: Window) -> bool:
    """Return whether a width is known only later, of lines none of which has masks of its own."""
    if static(window.column.extent) is not None or len(window.group.head.spatial) < 2:
        return False
    ends = [end for end in (window.before, window.end) if end is not None]
    own = {window.column.var, *([window.tap.var] if window.tap else [])}
    return not ({a.var for a in window.group.head.axes} - own) & set(variables(*ends))


@dataclass(frozen=True, eq=False)
class Widths:
    """The classes of widths of a window that `has_classes`.

    Attributes:
        builder: Of the function.
        window: What is computed.
        plan: Its vectors.
        cache: Bytes of the first-level cache.
    """

    builder: LoopNestBuilder
    window: Window
    plan: WindowPlan
    cache: int

    def nests(self, others: Stmt | None) -> Stmt | None:
        """Return a nest for each class; `others` is for widths that are in none."""
        extent, lanes, half = self._extent, self.plan.lanes, self.plan.lanes // 2
        few, classes = self._results(half), list[tuple[Expr, Stmt | None]]()
        if self.window.end is not None:  # of others there are few masks to find
            if few > 0 and self.plan.vectors > 1:
                narrow = tirx.all(extent <= few, self._columns <= half)
                classes.append((narrow, self._one_step(half, filled=1)))
            if few > 0:
                classes.append((extent <= few, self._one_step(half)))
            classes.append((extent <= self._whole, self._one_step(lanes)))
        if (large := self._is_large) is not None:
            classes.append((large, self._steps()))
        nest = others
        for condition, own in reversed(classes):
            nest = own and IfThenElse(condition, own, nest)
        return nest

    def _one_step(self, lanes: int, *, filled: int | None = None) -> Stmt | None:
        """Return the nest of lines that a step of so many lanes covers."""
        strip = self._strip(lanes, number(0), filled=filled)
        return sequence([*strip.bounds, self._lines(strip.line)])

    def _steps(self) -> Stmt | None:
        """Return the nest of lines of several steps."""
        builder, lanes, whole = self.builder, self.plan.lanes, self._whole
        column, strip = self.window.column.var, partial(self._strip, lanes)
        # Each but the last begins where the one before it ends, or where all columns are there.
        between = tirx.floordiv(self._between + (whole - 1), whole)
        count, counted = builder.sealed("steps", tirx.max(between, 0))
        room, found = builder.sealed("room", tirx.max(self._room, 0))
        end, placed = builder.sealed("last", tirx.max(self._extent - whole, 0))
        results, known = builder.sealed("results", tirx.const(whole, "int32"))
        inner = Segment(number(whole), count, whole, last=room)
        first, last = strip(number(0)), strip(end)

        def line(at: Values) -> Stmt | None:
            def step(place: Values) -> Stmt | None:
                start, bound = builder.start(inner.start(place[column]), named=True)
                return sequence([*bound, strip(start, whole=results).line(at)])

            steps = builder.nest([Axis(column, count)], step)
            return sequence([first.line(at), steps, last.line(at)])

        bounds = [*counted, *found, *placed, *known, *first.bounds, *last.bounds]
        return sequence([*bounds, self._lines(line)])

    def _lines(self, line: Callable[[Values], Stmt | None]) -> Stmt | None:
        """Return the loops over images and their lines of results."""
        images = [
            a for a in self.window.group.head.spatial if a not in (self._row, self.window.column)
        ]
        parallel = self.plan.parallel

        def image(at: Values) -> Stmt | None:
            def inside(place: Values) -> Stmt | None:
                return line({**at, **place})

            return self.builder.nest([self._row], inside, parallel=parallel and not images)

        return self.builder.nest(images, image, parallel=parallel and bool(images))

    def _strip(self, lanes: int, start: Expr, **options: Any) -> Strip:
        at, vectors = {self.window.column.var: start}, self.plan.vectors
        return Strip(self.builder, self.window, lanes, vectors, at, sealed=True, **options)

    @property
    def _is_large(self) -> Expr | None:
        """Whether the cache does not hold an image, and `_steps` has all results.

        None where the lines of an image do not lie apart by one and the same number.
        """
        load, row, stride = self.window.load, self._row, self.window.stride
        apart = coefficient(self.builder.simplify(flat(load.source.shape, load.indices)), row.var)
        if apart is None:
            return None
        room, between = self._room, self._between
        reach = tirx.all(room >= between, room * stride >= self._padding)
        large = apart * row.extent > self.cache * 8 // int(load.ty.dtype.bits)
        return tirx.all(large, self._extent > self._whole, tirx.any(between <= 0, reach))

    @property
    def _extent(self) -> Expr:
        return self.window.column.extent

    @property
    def _row(self) -> Axis:
        return [a for a in self.window.group.head.spatial if a is not self.window.column][-1]

    @property
    def _between(self) -> Expr:
        """How many results are between those of the first step and those of the last."""
        return self._extent - 2 * self._whole

    @property
    def _whole(self) -> int:
        """Results of a step."""
        return self._results(self.plan.lanes)

    def _results(self, lanes: int) -> int:
        return self.window.results(lanes, self.plan.vectors)

    @property
    def _padding(self) -> Expr:
        """Columns of the padding before the image."""
        return self._at_first(self.window.before) if self.window.before is not None else number(0)

    @property
    def _columns(self) -> Expr:
        """Columns until the image's end, or that are read, from the first window's first on."""
        w = self.window
        if w.end is None:
            return (self._extent - 1) * w.stride + w.span
        return self._at_first(w.end)

    @property
    def _room(self) -> Expr:
        """The last result from which on all columns of a whole step are there."""
        read = self.plan.lanes * self.plan.vectors
        return tirx.floordiv(self._columns - read, self.window.stride)

    def _at_first(self, columns: Expr) -> Expr:
        w = self.window
        taps = {w.tap.var: number(0)} if w.tap else {}
        return self.builder.at(columns, {w.column.var: number(0), **taps})
