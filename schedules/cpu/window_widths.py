"""Pools: a nest for each class of widths.

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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import IfThenElse, Stmt

from tvmfuse.schedules.cpu.vectors import Segment
from tvmfuse.schedules.cpu.window import Window
from tvmfuse.schedules.cpu.window_columns import Columns
from tvmfuse.schedules.cpu.window_strip import Strip
from tvmfuse.schedules.expressions import coefficient, flat, number, static, variables
from tvmfuse.schedules.kernels import Axis, analyzer
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import WindowPlan

Nested = Callable[[], Stmt | None]
"""Returns a nest."""


def has_classes(window: Window) -> bool:
    """Return whether no line of an image has masks of its own."""
    if len(window.group.head.spatial) < 2:
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
        options: Of strips, where nothing else is said.
    """

    builder: LoopNestBuilder
    window: Window
    plan: WindowPlan
    options: Mapping[str, bool] = field(default_factory=dict)

    def in_classes(self, classes: Sequence[tuple[Expr, Nested]], others: Nested) -> Stmt | None:
        """Return a branch for each class of widths; `others` is for widths that are in none."""
        taken = list[tuple[Expr, Stmt | None]]()
        for condition, own in classes:
            where = self.builder.simplify(condition)
            if static(where) == 1:
                others = own
                break
            if static(where) != 0:
                taken.append((where, own()))
        nest = others()
        for where, own in reversed(taken):
            nest = own and IfThenElse(where, own, nest)
        return nest

    def one_step(self, columns: Columns, **options: Any) -> Stmt | None:
        """Return the nest of lines that a step covers."""
        strip = self.strip(columns, number(0), **options)
        return sequence([*strip.bounds, self.lines(strip.line)])

    def steps(self, columns: Columns, least: int) -> Stmt | None:
        """Return the nest of lines of several steps; of so many results, at least."""
        builder, whole = self.builder, columns.results
        column, strip = self.window.column.var, partial(self.strip, columns)
        # Each but the last begins where the one before it ends, or where all columns are there.
        between = tirx.floordiv(self.between(whole) + (whole - 1), whole)
        count, counted = builder.sealed("steps", tirx.max(between, 0))
        room, found = builder.sealed("room", tirx.max(self.room(columns), 0))
        end, placed = builder.sealed("last", tirx.max(self.extent - whole, 0))
        results, known = builder.sealed("results", tirx.const(whole, "int32"))
        inner = Segment(number(whole), count, whole, last=room)
        first = strip(number(0), **self.sure(0, least))
        last = strip(end, **self.sure(least - whole, whole))

        def line(at: Values) -> Stmt | None:
            def step(place: Values) -> Stmt | None:
                start, bound = builder.start(inner.start(place[column]), named=True)
                return sequence([*bound, strip(start, whole=results).line(at)])

            steps = builder.nest([Axis(column, count)], step)
            return sequence([first.line(at), steps, last.line(at)])

        bounds = [*counted, *found, *placed, *known, *first.bounds, *last.bounds]
        return sequence([*bounds, self.lines(line)])

    def has_room(self, columns: Columns) -> Expr:
        """Whether all columns of the `steps` between the first and the last are there."""
        stride, padding = self.window.stride, self._padding
        between, room = self.between(columns.results), self.room(columns)
        starts = tirx.all(columns.results * stride >= padding, room * stride >= padding)
        return tirx.any(between <= 0, tirx.all(room >= between, starts))

    def lines(self, line: Callable[[Values], Stmt | None]) -> Stmt | None:
        """Return the loops over images and their lines of results."""
        images = [
            a for a in self.window.group.head.spatial if a not in (self.row, self.window.column)
        ]
        parallel = self.plan.parallel

        def image(at: Values) -> Stmt | None:
            def inside(place: Values) -> Stmt | None:
                return line({**at, **place})

            return self.builder.nest([self.row], inside, parallel=parallel and not images)

        return self.builder.nest(images, image, parallel=parallel and bool(images))

    def strip(self, columns: Columns, start: Expr, **options: Any) -> Strip:
        """Return a step from a column of the results on."""
        at = {self.window.column.var: start}
        how = {"sealed": True, **self.options, **options}
        return Strip(self.builder, self.window, columns, at, **how)

    def sure(self, before: int, results: int) -> dict[str, Any]:
        """Return what is sure of the columns of a step.

        Args:
            before: How many results are before its first, at least.
            results: How many there are from its first on, at least.
        """
        stride, padding = self.window.stride, static(self._padding)
        known = analyzer(sizes=[self.extent])
        further = known.const_int_bound(known.simplify(self.columns - self.extent * stride))
        return {
            "padded": None if padding is None else padding - before * stride,
            "there": results * stride + max(further.min_value, -results * stride),
        }

    @property
    def extent(self) -> Expr:
        """Results of a line."""
        return self.window.column.extent

    @property
    def row(self) -> Axis:
        """The axis of an image's lines of results."""
        return [a for a in self.window.group.head.spatial if a is not self.window.column][-1]

    @property
    def columns(self) -> Expr:
        """Columns until the image's end, or that are read, from the first window's first on."""
        w = self.window
        if w.end is None:
            return (self.extent - 1) * w.stride + w.span
        return self._at_first(w.end)

    def between(self, whole: int) -> Expr:
        """How many results are between those of the first step and those of the last."""
        return self.extent - 2 * whole

    def room(self, columns: Columns) -> Expr:
        """The last result from which on all columns of a whole step are there."""
        return tirx.floordiv(self.columns - columns.all, self.window.stride)

    @property
    def _padding(self) -> Expr:
        """Columns of the padding before the image."""
        return self._at_first(self.window.before) if self.window.before is not None else number(0)

    def _at_first(self, columns: Expr) -> Expr:
        w = self.window
        taps = {w.tap.var: number(0)} if w.tap else {}
        return self.builder.at(columns, {w.column.var: number(0), **taps})


def masked_nests(widths: Widths, others: Nested, cache: int) -> Stmt | None:
    """Return a nest for each class of widths where masks are quick.

    Args:
        widths: Those that there are.
        others: The nest of those that are in no class.
        cache: Bytes of the first-level cache.
    """
    w, plan, extent = widths.window, widths.plan, widths.extent
    whole, half = (Columns.of_vectors(w, n, plan.vectors) for n in (plan.lanes, plan.lanes // 2))
    classes = list[tuple[Expr, Nested]]()
    if w.end is not None:  # of others there are few masks to find
        if half.results > 0 and plan.vectors > 1:
            narrow = tirx.all(extent <= half.results, widths.columns <= half.lanes)
            classes.append((narrow, partial(widths.one_step, half, filled=1)))
        if half.results > 0:
            classes.append((extent <= half.results, partial(widths.one_step, half)))
        classes.append((extent <= whole.results, partial(widths.one_step, whole)))
    if (size := _size(widths)) is not None:
        held = cache * 8 // int(w.load.ty.dtype.bits)
        large = tirx.all(size > held, extent > whole.results, widths.has_room(whole))
        classes.append((large, partial(widths.steps, whole, whole.results + 1)))
    return widths.in_classes(classes, others)


def _size(widths: Widths) -> Expr | None:
    """Return how many elements an image has.

    None where its lines do not lie apart by one and the same number of elements.
    """
    load, row = widths.window.load, widths.row
    offset = widths.builder.simplify(flat(load.source.shape, load.indices))
    apart = coefficient(offset, row.var)
    return None if apart is None else apart * row.extent
