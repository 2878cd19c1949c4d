"""Stages that run over the same rows: one loop over the rows computes all of them, row by row.

What they pass on stays in the cache, in buffers of one row's size or in an output's own row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Buffer, BufferLoad, Stmt

from tvmfuse.schedules.cpu.group_nest import group_nests
from tvmfuse.schedules.cpu.lent_rows import LentRow, lent_rows, with_lent_rows
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope, axis_names, misfits_of
from tvmfuse.schedules.cpu.reduction_nest import ReductionNest
from tvmfuse.schedules.cpu.stored_terms import stored_terms
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.expressions import coefficient, flat, loads, map_loads, product, static
from tvmfuse.schedules.groups import Group, groups
from tvmfuse.schedules.kernels import Axis, Kernel, Stage, Store, analyzer
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import RowsPlan

#: With fewer rows than a small machine has cores, each stage is parallel on its own instead.
MIN_ROWS: Final = 4


def shared_rows(kernel: Kernel, *, inner: int = 0) -> int:
    """Return how many leading axes are the same rows in all stages.

    Args:
        kernel: The stages.
        inner: Axes that each stage has left in a row, at least.
    """
    for count in range(min(len(s.spatial) for s in kernel.stages) - inner, 0, -1):
        rows = static(product([a.extent for a in kernel.stages[0].spatial[:count]]))
        if rows is not None and rows < MIN_ROWS:
            continue
        if any(_lie_side_by_side(stage, count) for stage in kernel.stages):
            continue
        if _same_rows(kernel, count) and _stay_in_their_row(kernel, count):
            return count
    return 0


def _lie_side_by_side(stage: Stage, count: int) -> bool:
    """Return whether rows lie side by side in memory, as the channels of a block of pixels do.

    The elements of one are apart then, and vectors lie along the rows.
    """
    known = analyzer(stage.axes)
    for load in stage.loads if stage.reduces else ():
        place = known.simplify(flat(load.source.shape, load.indices))
        row, inner = (
            [coefficient(place, axis.var) for axis in axes]
            for axes in (stage.spatial[:count], stage.reduction[-1:])
        )
        if any(s is not None and static(s) == 1 for s in row) and not any(
            s is not None and static(s) in (0, 1) for s in inner
        ):
            return True
    return False


def _same_rows(kernel: Kernel, count: int) -> bool:
    first = kernel.stages[0].spatial[:count]
    known = analyzer(first)
    return all(
        known.can_prove_equal(a.extent, b.extent)
        for stage in kernel.stages
        for a, b in zip(first, stage.spatial[:count], strict=True)
    )


def _stay_in_their_row(kernel: Kernel, count: int) -> bool:
    """Return whether no stage reads a temporary outside the row that it computes itself."""
    for buffer in kernel.temporaries:
        dimensions = {_row_dimensions(i, s, count) for s, i in _accesses(kernel, buffer)}
        if len(dimensions) > 1 or None in dimensions:
            return False
    return True


def _accesses(kernel: Kernel, buffer: Buffer) -> list[tuple[Stage, Sequence[Expr]]]:
    found: list[tuple[Stage, Sequence[Expr]]] = []
    for stage in kernel.stages:
        found += [(stage, s.indices) for s in stage.stores if s.buffer.same_as(buffer)]
        read = loads(*stage.parts)
        found += [(stage, load.indices) for load in read if load.source.same_as(buffer)]
    return found


def _row_dimensions(indices: Sequence[Expr], stage: Stage, count: int) -> tuple[int, ...] | None:
    """Return the dimensions that the stage's rows index; None where one does not as it is."""
    found = []
    for axis in stage.spatial[:count]:
        at = [d for d, i in enumerate(indices) if isinstance(i, Var) and i.same_as(axis.var)]
        if len(at) != 1:
            return None
        found += at
    return tuple(found)


@dataclass(frozen=True, eq=False)
class RowsNest(Nest[RowsPlan]):
    """All stages of a kernel, row by row.

    Attributes:
        kernel: Its stages share their first axes.
        count: How many of these are the rows.
        scope: The machine and the steps.
    """

    plan_type = RowsPlan

    kernel: Kernel
    count: int
    scope: Scope

    def plan(self, *, parallel: bool = True) -> RowsPlan:
        names, stages = axis_names(self._axes), self.kernel.stages
        return RowsPlan(
            rows=tuple(names.values()),
            nests=tuple(nest.plan(parallel=False) for nest in self._nests),
            parallel=parallel and should_parallelize(stages, self.scope.machine),
        )

    def misfits(self, plan: RowsPlan) -> Iterator[Misfit]:
        names = tuple(axis_names(self._axes).values())
        if plan.rows != names:
            yield Misfit("rows", ", ".join(names), ", ".join(plan.rows) or "none")
        yield from misfits_of(self._nests, plan.nests, parallel=False)

    def emit(self, builder: LoopNestBuilder, plan: RowsPlan) -> Stmt | None:
        own = [b for b in self._buffers.values() if b not in self._lent]
        local = [builder.localize(buffer) for buffer in own]

        def row(at: Values) -> Stmt | None:
            with builder.scope(at):
                pairs = zip(self._nests, plan.nests, strict=True)
                return sequence([nest.emit(builder, one) for nest, one in pairs])

        return builder.nest(self._axes, row, parallel=plan.parallel, buffers=local)

    @property
    def _axes(self) -> tuple[Axis, ...]:
        """The axes of the rows: the first stage's."""
        return self.kernel.stages[0].spatial[: self.count]

    @cached_property
    def _buffers(self) -> dict[Buffer, Buffer]:
        """A buffer of one row for each temporary."""
        return {buffer: self._buffer(buffer) for buffer in self.kernel.temporaries}

    @cached_property
    def _nests(self) -> tuple[Nest[Any], ...]:
        """The nests of a row; what they compute has the axes of the rows as variables."""
        parts, found = [with_lent_rows(part, self._lent) for part in self._parts], list[Nest[Any]]()
        terms: Stage | None = None
        for part, after in zip(parts, [*parts[1:], None], strict=True):
            if terms is not None:
                found.append(ReductionNest(part, self.scope, terms))
                terms = None
                continue
            terms = None if after is None else stored_terms(part, after, self.scope.machine)
            found += [] if terms else group_nests(part, self.scope)
        return tuple(found)

    @cached_property
    def _lent(self) -> dict[Buffer, LentRow]:
        """The buffers of one row that lie in an output."""
        return lent_rows(self._row, self._parts, [axis.var for axis in self._axes])

    @cached_property
    def _parts(self) -> tuple[Group, ...]:
        """The stages of a row, in the order in which they run."""
        return groups(self._row)

    @cached_property
    def _row(self) -> Kernel:
        """The stages inside one row."""
        stages = tuple(self._inside(stage) for stage in self.kernel.stages)
        return replace(self.kernel, stages=stages, temporaries=tuple(self._buffers.values()))

    def _rest(self, buffer: Buffer) -> list[int]:
        """Return the dimensions of a temporary that are not the rows'."""
        stage, indices = _accesses(self.kernel, buffer)[0]
        rows = _row_dimensions(indices, stage, self.count) or ()
        return [d for d in range(len(buffer.shape)) if d not in rows]

    def _buffer(self, buffer: Buffer) -> Buffer:
        shape = [buffer.shape[d] for d in self._rest(buffer)]
        return tirx.decl_buffer(shape, buffer.dtype, buffer.name)

    def _inside(self, stage: Stage) -> Stage:
        """Return a stage in one row, with the row's buffers for the temporaries."""

        def load(node: TensorLoad) -> Expr:
            own = self._buffers.get(node.source)
            if own is None:
                return node
            return BufferLoad(own, [node.indices[d] for d in self._rest(node.source)])

        def store(s: Store) -> Store:
            own = self._buffers.get(s.buffer)
            if own is None:
                return s
            return replace(s, buffer=own, indices=tuple(s.indices[d] for d in self._rest(s.buffer)))

        # The stores' own elements change with their buffer.
        changed = stage.map(lambda e: map_loads(e, load))
        changed = replace(changed, stores=tuple(map(store, changed.stores)))
        row = (axis.var for axis in self._axes)
        pairs = zip(stage.spatial[: self.count], row, strict=True)
        return changed.bind({axis.var: var for axis, var in pairs})
