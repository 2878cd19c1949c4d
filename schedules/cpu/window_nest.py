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
and nothing is copied. A short line takes one vector of the image, whatever else there is. Where a
store under a mask is slow, steps overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Final

from tvm import tirx
from tvm.tirx import Stmt

from tvmfuse.schedules.cpu.axis_terms import axis_terms
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import Segment, maskable
from tvmfuse.schedules.cpu.window import Window, window
from tvmfuse.schedules.cpu.window_columns import Columns
from tvmfuse.schedules.cpu.window_overlaps import overlapping_nests
from tvmfuse.schedules.cpu.window_strip import Strip
from tvmfuse.schedules.cpu.window_widths import Widths, has_classes, masked_nests
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, analyzer
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import WindowPlan

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
    nest = WindowNest(found, len(parts) > 1, scope)
    if not isa.masks:
        return nest if nest.needed <= MAX_VECTORS else None
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
        masks = self.scope.machine.isa.masks
        return WindowPlan(
            lanes=lanes,
            vectors=next(enough, MAX_VECTORS) if masks else self.needed,
            padded=self.padded,
            parallel=parallel and should_parallelize(self._group.stages, self.scope.machine),
        )

    def misfits(self, plan: WindowPlan) -> Iterator[Misfit]:
        if plan.lanes != self.lanes:
            yield Misfit("lanes", self.lanes, plan.lanes)
        if plan.padded != self.padded:
            yield Misfit("padded", self.padded, plan.padded)
        if not self.scope.machine.isa.masks:
            if plan.vectors != self.needed:
                yield Misfit("vectors", self.needed, plan.vectors)
            return
        lanes, most = self.lanes, self.window.results
        least = next(n for n in range(1, MAX_VECTORS + 1) if most(lanes, n) > 0)
        if not least <= plan.vectors <= MAX_VECTORS:
            yield Misfit("vectors", f"{least} to {MAX_VECTORS}", plan.vectors)

    def emit(self, builder: LoopNestBuilder, plan: WindowPlan) -> Stmt | None:
        w, machine = self.window, self.scope.machine
        known = static(w.column.extent) is not None
        if not has_classes(w) or (machine.isa.masks and known):
            return self._strips(builder, plan, w)
        *_, row, column = *(a for a in w.group.head.spatial if a is not w.column), w.column
        columns = axis_terms(w.group, column)
        rows = axis_terms(columns.group, row)
        w = replace(w, group=rows.group)
        filled = [*columns.filled(builder, plan.lanes), *rows.filled(builder, plan.lanes)]
        others = partial(self._strips, builder, plan, w)
        if machine.isa.masks:
            nest = masked_nests(Widths(builder, w, plan), others, machine.core.l1_bytes)
        else:
            how = {"masked": False, "words": True}
            nest = overlapping_nests(Widths(builder, w, plan, how), others)
        return builder.allocate([*columns.terms, *rows.terms], [*filled, nest])

    def _strips(self, builder: LoopNestBuilder, plan: WindowPlan, w: Window) -> Stmt | None:
        """Return the nest of any width, by strips of columns."""
        column, words = w.column, not self.scope.machine.isa.masks
        others = [a for a in self._group.head.spatial if a is not column]
        # Masks of a size known only later are found once for all lines; others are constants.
        around = len(others) - (static(column.extent) is None)
        images, lines = others[:around], others[around:]

        def image(at: Values) -> Stmt | None:
            def steps(columns: Columns, part: Segment) -> Stmt | None:
                def step(place: Values) -> Stmt | None:
                    start, found = builder.start(part.start(place[column.var]), named=True)
                    place = {**at, column.var: start}
                    masked = part.end is not None
                    strip = Strip(builder, w, columns, place, masked=masked, words=words)
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
    def needed(self) -> int:
        """Vectors of a line that one vector of results needs."""
        return Columns.of_results(self.window, self.lanes, self.lanes).vectors

    @property
    def _group(self) -> Group:
        return self.window.group

    def _steps(self, plan: WindowPlan) -> list[tuple[Columns, Segment]]:
        """Cut a line of results into steps.

        What whole ones leave is a step of vectors half as long where that is enough.
        """
        extent = self.window.column.extent
        whole, half = (self._columns(n, plan.vectors) for n in (plan.lanes, plan.lanes // 2))
        left, zero = tirx.floormod(extent, whole.results), tirx.const(0, extent.ty.dtype)
        few = half.results
        short = tirx.Select(tirx.all(left > 0, left <= few), zero + 1, zero) if few > 0 else zero
        known = analyzer(sizes=[extent])
        short = known.simplify(short)
        each = tirx.floordiv(extent + (whole.results - 1), whole.results)
        count = known.simplify(each - short)
        begin, parts = zero, list[tuple[Columns, Segment]]()
        if not self.scope.machine.isa.masks:
            safe = known.simplify(tirx.floordiv(extent, whole.lanes))
            parts.append((whole, Segment(zero, safe, whole.lanes)))
            begin, count = known.simplify(safe * whole.lanes), known.simplify(count - safe)
        parts.append((whole, Segment(begin, count, whole.results, end=extent)))
        if few > 0:
            parts.append((half, Segment(known.simplify(extent - left), short, few, end=extent)))
        return [(columns, part) for columns, part in parts if static(part.count) != 0]

    def _columns(self, lanes: int, vectors: int) -> Columns:
        """Return what a step reads of a line."""
        if self.scope.machine.isa.masks:
            return Columns.of_vectors(self.window, lanes, vectors)
        return Columns.of_results(self.window, lanes, self.lanes)
