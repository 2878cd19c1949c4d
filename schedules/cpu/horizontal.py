"""Reductions along contiguous memory, such as a row's sum: partial results in the lanes.

::

    partial[lanes] = neutral
    for k in steps of a few vectors: partial[lane] = partial[lane] + x[k + lane]
    result = initial + partial[0] + ... + partial[lanes - 1]

One running sum would wait four cycles for each addition; and a vector cannot be one running sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Buffer, ForKind, Stmt

from tvmfuse.schedules.combiners import Combiner, combiner
from tvmfuse.schedules.cpu.epilogue import finish, local_buffers
from tvmfuse.schedules.cpu.vectors import Segment, contiguous, lanes, narrower, overlapping
from tvmfuse.schedules.expressions import number, static, variables
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
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
    builder: LoopNestBuilder, group: Group, axis: Axis, plan: ReductionPlan, terms: Stage | None
) -> Stmt | None:
    """Write a reduction along one of `horizontal_axes`, and its epilogue.

    Args:
        builder: Of the function.
        group: The reduction, with its epilogue.
        axis: Along which vectors lie.
        plan: Vectors of the terms.
        terms: A stage that is computed along with it, see `stored_terms`.
    """
    joins = combiner(group.head)
    assert joins is not None

    def one(at: Values) -> Stmt | None:
        return _Row(builder, group, axis, joins, plan.lanes, plan.vectors, at, terms).statement()

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
    terms: Stage | None

    def statement(self) -> Stmt | None:
        head, builder = self.group.head, self.builder
        store, keep, read = head.store, builder.store_local, builder.load_local
        whole = self.lanes * self.vectors
        partial = builder.local_buffer(
            f"{store.buffer.name}_lanes", store.buffer.dtype, [number(whole)]
        )
        locals_ = {b: builder.local_buffer(b.name, b.dtype, []) for b in local_buffers(self.group)}
        zero = number(0)
        local = {b: LocalElement(buffer, zero) for b, buffer in locals_.items()}
        result = local[store.buffer]
        neutral = self.combiner.neutral
        assert store.initial is not None
        return builder.allocate(
            [partial, *locals_.values()],
            [
                keep(result, builder.value(store.initial, self.at)),
                self._vectors(whole, [lambda lane: keep(LocalElement(partial, lane), neutral)]),
                builder.nest(
                    [a for a in head.reduction if a is not self.axis],
                    lambda k: self._along({**self.at, **k}, partial, result),
                ),
                *self._joined(partial),
                keep(result, self.combiner.join(read(result), read(LocalElement(partial, zero)))),
                finish(builder, self.group, self.at, local),
            ],
        )

    def _along(self, at: Values, partial: Buffer, result: LocalElement) -> Stmt | None:
        """Join all values along the axis: by several vectors, by one, by less if it is shorter.

        The last vector ends where the axis does; what of it was joined before is left out.
        """

        def steps(part: Segment) -> Stmt | None:
            return self.builder.nest(
                [Axis(self.axis.var, part.count)],
                lambda k: self._step(part, k[self.axis.var], at, partial, result),
            )

        whole = self.lanes * self.vectors
        parts = overlapping(self.axis.extent, whole, self.lanes, *narrower(self.lanes))
        return sequence([steps(part) for part in parts])

    def _step(
        self, part: Segment, nth: Expr, at: Values, partial: Buffer, result: LocalElement
    ) -> Stmt | None:
        """Join the values of one step of a part of the axis."""
        builder, store, var = self.builder, self.group.head.store, self.axis.var
        overlaps = part.last is not None and part.width > 1
        first = part.begin + nth * part.width
        start, found = builder.start(part.start(nth) if overlaps else first, named=overlaps)

        def join(lane: Expr) -> Stmt:
            into = LocalElement(partial, lane) if part.width > 1 else result
            value = builder.value(store.value, {**at, var: start + lane}, {store.buffer: into})
            if overlaps:
                # In 32 bits: a comparison then has as many lanes as a float's vector.
                fresh = tirx.Cast("int32", lane) >= tirx.Cast("int32", first - start)
                value = tirx.Select(fresh, value, builder.load_local(into))
            return builder.store_local(into, value)

        def term(lane: Expr) -> Stmt:
            assert self.terms is not None
            place = {**at, self.terms.axes[0].var: start + lane}
            made, value = self.terms.store, builder.value(self.terms.store.value, place)
            return builder.store(made.buffer, made.indices, value, place)

        work = [term, join] if self.terms else [join]
        return sequence([*found, self._vectors(part.width, work)])

    def _vectors(self, count: int, work: Sequence[Callable[[Expr], Stmt]]) -> Stmt | None:
        """Do what there is to do in so many lanes, vector by vector."""
        var, width = self.axis.var, min(count, self.lanes)

        def vector(v: Expr) -> Stmt | None:
            def lanes_of(do: Callable[[Expr], Stmt]) -> Stmt | None:
                return self.builder.inner(
                    var, width, ForKind.VECTORIZED, lambda lane: do(v * width + lane)
                )

            return sequence([lanes_of(do) for do in work])

        return self.builder.inner(var, count // width, ForKind.UNROLLED, vector)

    def _joined(self, partial: Buffer) -> list[Stmt | None]:
        """Join the vectors into the first, then its upper half into its lower, and so on.

        Vectors are joined in pairs: one by one, each would wait for the one before it.
        """
        vectors, width, steps = self.vectors, self.lanes, list[tuple[int, int, int]]()
        while vectors > 1:
            half = -(-vectors // 2)
            steps += [(v * width, (v + half) * width, width) for v in range(vectors - half)]
            vectors = half
        while width > 1:
            width //= 2
            steps.append((0, width, width))

        def joined(into: int, other: int, width: int) -> Stmt | None:
            def lanes_joined(lane: Expr) -> Stmt:
                first = LocalElement(partial, lane + into)
                second = LocalElement(partial, lane + other)
                read = self.builder.load_local
                return self.builder.store_local(
                    first, self.combiner.join(read(first), read(second))
                )

            return self.builder.inner(self.axis.var, width, ForKind.VECTORIZED, lanes_joined)

        return [joined(*step) for step in steps]
