"""Nests of reductions that no register tile suits: vectors of results, of terms, or none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from tvm.tirx import Stmt

from tvmfuse.schedules.collapse import collapse
from tvmfuse.schedules.cpu.gemm.accumulate import accumulate
from tvmfuse.schedules.cpu.gemm.contraction_nest import column_axis
from tvmfuse.schedules.cpu.gemm.k_unroll import unroll_misfits, unrolling
from tvmfuse.schedules.cpu.gemm.tile import Tile
from tvmfuse.schedules.cpu.gemm.tile_loops import TileLoops
from tvmfuse.schedules.cpu.horizontal import horizontal, horizontal_axes
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope, axis_names
from tvmfuse.schedules.cpu.pointwise import inner_pointwise
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import contiguous, lanes, may_mask
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.loop_nests import LoopNestBuilder, sequence
from tvmfuse.schedules.plans import ReductionPlan

#: Vectors of results that accumulate side by side, so that an addition need not wait for the last.
OUTPUT_VECTORS: Final = 4

#: Vectors that a plan may accumulate side by side.
MAX_VECTORS: Final = 32


@dataclass(frozen=True, eq=False)
class ReductionNest(Nest[ReductionPlan]):
    """A group that reduces.

    Attributes:
        group: The group, over the axes that the loops have.
        scope: The machine and the steps.
        terms: A stage that is computed along with it, see `stored_terms`.
    """

    plan_type = ReductionPlan

    group: Group
    scope: Scope
    terms: Stage | None = None

    @classmethod
    def of(cls, group: Group, scope: Scope) -> ReductionNest:
        """Read a group, whatever it reduces."""
        head, *epilogue = collapse(group.stages)
        return cls(replace(group, head=head, epilogue=tuple(epilogue)), scope)

    def plan(self, *, parallel: bool = True) -> ReductionPlan:
        parallel = parallel and should_parallelize(self.group.stages, self.scope.machine)
        head, column, terms = self.group.head, self._column, self._terms
        if column is not None:
            extent, width = static(column.extent), self._width
            side_by_side = contiguous(head, column) and (extent is None or 2 * extent >= width)
            if side_by_side or not terms:
                most = OUTPUT_VECTORS
                vectors = most if extent is None else min(most, -(-extent // width))
                return self._tiled(column, width, vectors, parallel=parallel)
        if terms:
            (axis, width), *_ = terms.items()
            extent = static(axis.extent)
            # Each vector is used a few times before the vectors are joined.
            most = self.scope.machine.tuning.fmas_in_flight
            if self.terms is not None:
                # What computes a term takes longer than to wait for a few additions.
                most = max(1, most // 4)
            vectors = most if extent is None else min(most, max(1, extent // (4 * width)))
            named = self._names[axis]
            return ReductionPlan(
                vectorize="terms", axis=named, lanes=width, vectors=vectors, parallel=parallel
            )
        return self._tiled(None, 1, 1, parallel=parallel)

    def misfits(self, plan: ReductionPlan) -> Iterator[Misfit]:
        column = self._column
        widths: dict[str, dict[str | None, int]] = {
            "nothing": {None: 1},
            "terms": {self._names[axis]: width for axis, width in self._terms.items()},
            "outputs": {self._names[column]: self._width} if column is not None else {},
        }
        possible = [name for name, axes in widths.items() if axes]
        if plan.vectorize not in possible:
            yield Misfit("vectorize", " or ".join(possible), plan.vectorize)
        by_name = widths[plan.vectorize]
        if plan.axis not in by_name:
            yield Misfit("axis", " or ".join(map(str, by_name)), plan.axis)
        width = by_name[plan.axis]
        if plan.lanes not in _halves(width):
            yield Misfit("lanes", " or ".join(map(str, _halves(width))), plan.lanes)
        most = MAX_VECTORS if plan.vectorize != "nothing" else 1
        if not 1 <= plan.vectors <= most:
            yield Misfit("vectors", f"1 to {most}", plan.vectors)
        yield from unroll_misfits(plan.k_unroll, plan.max_fmas)

    def emit(self, builder: LoopNestBuilder, plan: ReductionPlan) -> Stmt | None:
        spatial = self.group.head.spatial
        if plan.vectorize == "terms":
            axis = next(a for a in self._terms if self._names[a] == plan.axis)
            return horizontal(builder, self.group, axis, plan, self.terms)
        before = self.terms and inner_pointwise(builder, self.terms, self.scope)
        tile = Tile(1, plan.vectors, plan.lanes, None, None)
        order = list(spatial)
        column, masked = self._column, False
        if plan.vectorize == "outputs":
            assert column is not None
            masked = may_mask(self.group.stages, column, self.scope.machine)
            tile = replace(tile, column_axis=column)
            order = [*(a for a in spatial if a is not column), column]
        loops = TileLoops(
            self.group, tile, tuple(order), plan.unrolled, plan.parallel, masked=masked
        )
        return sequence([before, accumulate(builder, loops)])

    def _tiled(
        self, axis: Axis | None, width: int, vectors: int, *, parallel: bool
    ) -> ReductionPlan:
        """Return the plan of some results side by side, or of one."""
        k_unroll, max_fmas = 1, 1
        if self.scope.takes("KUnrolling"):
            tuning = self.scope.machine.tuning
            k_unroll, max_fmas = unrolling(self.group.head.reduction, vectors, tuning)
        return ReductionPlan(
            vectorize="outputs" if axis else "nothing",
            axis=self._names[axis] if axis else None,
            lanes=width,
            vectors=vectors,
            k_unroll=k_unroll,
            max_fmas=max_fmas,
            parallel=parallel,
        )

    @cached_property
    def _names(self) -> dict[Axis, str]:
        return axis_names(self.group.head.axes)

    @cached_property
    def _column(self) -> Axis | None:
        """The axis along which results lie side by side, where they can fill vectors."""
        column = column_axis(self.group.head)
        if column is None or len(self.group.head.stores) > 1:
            return None
        return column if lanes(self.group.stages, column, self.scope.machine) > 1 else None

    @property
    def _width(self) -> int:
        assert self._column is not None
        return lanes(self.group.stages, self._column, self.scope.machine)

    @cached_property
    def _terms(self) -> dict[Axis, int]:
        """The axes of the reduction whose values can fill vectors, the best first: lanes."""
        return horizontal_axes(self.group.head, self.scope.machine)


def _halves(width: int) -> list[int]:
    """Return the numbers of lanes that a vector may have."""
    return [1 << n for n in range(1, width.bit_length())] or [1]
