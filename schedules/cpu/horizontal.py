"""Reductions along contiguous memory, such as a row's sum: partial results in the lanes.

::

    partial[lanes] = neutral
    for k in steps of a few vectors: partial[lane] = partial[lane] + x[k + lane]
    result = initial + partial[0] + ... + partial[lanes - 1] + the rest of the row

One running sum would wait four cycles for each addition; and a vector cannot be one running sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tvm.ir import Expr
from tvm.tirx import Buffer, ForKind, Stmt

from tvmfuse.schedules.combiners import Combiner, combiner
from tvmfuse.schedules.cpu.epilogue import finish, local_buffers
from tvmfuse.schedules.cpu.vectors import Segment, contiguous, lanes, segments
from tvmfuse.schedules.expressions import number, static, variables
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.loop_nests import LocalElement, LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import ReductionPlan
from tvmfuse.target.machine import Machine


def horizontal_axes(stage: Stage, machine: Machine) -> dict[Axis, int]:
    """Return the reduction axes whose values can fill vectors, the best first, and the lanes."""
    if combiner(stage) is None:
        return {}
    found = {}
    for axis in reversed(stage.reduction):
        extent = static(axis.extent)
        width = lanes([stage], axis, machine)
        long_enough = extent is None or extent >= width
        if width > 1 and long_enough and contiguous(stage, axis) and _moves(stage, axis):
            found[axis] = width
    return found


def _moves(stage: Stage, axis: Axis) -> bool:
    return any(axis.var in variables(*load.indices) for load in stage.loads)


def horizontal(
    builder: LoopNestBuilder, group: Group, axis: Axis, plan: ReductionPlan
) -> Stmt | None:
    """Write a reduction along one of `horizontal_axes`, and its epilogue."""
    joins = combiner(group.head)
    assert joins is not None

    def one(at: Values) -> Stmt | None:
        return _Row(builder, group, axis, joins, plan.lanes, plan.vectors, at).statement()

    return builder.nest(group.head.spatial, one, parallel=plan.parallel)


@dataclass(frozen=True, eq=False)
class _Row:
    """One element of the result."""

    builder: LoopNestBuilder
    group: Group
    axis: Axis
    combiner: Combiner
    lanes: int
    vectors: int
    at: Values

    def statement(self) -> Stmt | None:
        head, builder = self.group.head, self.builder
        store, keep, read = head.store, builder.store_local, builder.load_local
        size = number(self.lanes * self.vectors)
        partial = builder.local_buffer(f"{store.buffer.name}_lanes", store.buffer.dtype, [size])
        locals_ = {b: builder.local_buffer(b.name, b.dtype, []) for b in local_buffers(self.group)}
        zero = number(0)
        local = {b: LocalElement(buffer, zero) for b, buffer in locals_.items()}
        result = local[store.buffer]
        assert store.initial is not None
        return builder.allocate(
            [partial, *locals_.values()],
            [
                keep(result, builder.value(store.initial, self.at)),
                self._vectors(partial, self.vectors, lambda _: self.combiner.neutral),
                builder.nest(
                    [a for a in head.reduction if a is not self.axis],
                    lambda k: self._terms({**self.at, **k}, partial, result),
                ),
                *self._joined(partial),
                keep(result, self.combiner.join(read(result), read(LocalElement(partial, zero)))),
                finish(builder, self.group, self.at, local),
            ],
        )

    def _terms(self, at: Values, partial: Buffer, result: LocalElement) -> Stmt | None:
        """Add up all values along the axis: by several vectors, by one, one by one."""
        store, var = self.group.head.store, self.axis.var
        whole = self.lanes * self.vectors

        def step(part: Segment, start: Expr) -> Stmt | None:
            def term(at: Values, into: LocalElement) -> Expr:
                return self.builder.value(store.value, at, {store.buffer: into})

            if part.width < self.lanes:
                return self.builder.inner(
                    var,
                    part.width,
                    ForKind.SERIAL,
                    lambda i: self.builder.store_local(
                        result, term({**at, var: start + i}, result)
                    ),
                )
            return self._vectors(
                partial,
                part.width // self.lanes,
                lambda i: term({**at, var: start + i}, LocalElement(partial, i)),
            )

        def steps(part: Segment) -> Stmt | None:
            return self.builder.nest(
                [Axis(var, part.count)], lambda k: step(part, part.begin + k[var] * part.width)
            )

        return sequence(
            [
                steps(part)
                for part in segments(self.axis.extent, *dict.fromkeys([whole, self.lanes]))
            ]
        )

    def _vectors(self, partial: Buffer, count: int, value: Callable[[Expr], Expr]) -> Stmt | None:
        """Set vectors of the partial results from the places of their lanes."""
        var = self.axis.var
        return self.builder.inner(
            var,
            count,
            ForKind.UNROLLED,
            lambda v: self.builder.inner(
                var,
                self.lanes,
                ForKind.VECTORIZED,
                lambda lane: self.builder.store_local(
                    LocalElement(partial, v * self.lanes + lane), value(v * self.lanes + lane)
                ),
            ),
        )

    def _joined(self, partial: Buffer) -> list[Stmt | None]:
        """Join the vectors one by one into the first, then its upper half into its lower."""
        width, steps = self.lanes, [(v * self.lanes, self.lanes) for v in range(1, self.vectors)]
        while width > 1:
            width //= 2
            steps.append((width, width))

        def joined(other: int, width: int) -> Stmt | None:
            def lanes_joined(lane: Expr) -> Stmt:
                first, second = LocalElement(partial, lane), LocalElement(partial, lane + other)
                read = self.builder.load_local
                return self.builder.store_local(
                    first, self.combiner.join(read(first), read(second))
                )

            return self.builder.inner(self.axis.var, width, ForKind.VECTORIZED, lanes_joined)

        return [joined(other, width) for other, width in steps]
