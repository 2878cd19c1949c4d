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
from tvmfuse.schedules.cpu.epilogue import finish, held_buffers
from tvmfuse.schedules.cpu.vectors import Segment, contiguous, lanes, segments
from tvmfuse.schedules.expressions import number, static, variables
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.loop_nests import Held, Values, Writer, sequence
from tvmfuse.target.machine import Machine


def horizontal_axis(stage: Stage, machine: Machine) -> Axis | None:
    """Return the reduction axis whose values can fill vectors; None where there is none."""
    if combiner(stage) is None:
        return None
    for axis in reversed(stage.reduction):
        extent = static(axis.extent)
        width = lanes([stage], axis, machine)
        long_enough = extent is None or extent >= width
        if width > 1 and long_enough and contiguous(stage, axis) and _moves(stage, axis):
            return axis
    return None


def _moves(stage: Stage, axis: Axis) -> bool:
    return any(axis.var in variables(*load.indices) for load in stage.loads)


def horizontal(
    writer: Writer, group: Group, axis: Axis, machine: Machine, *, threads: bool
) -> Stmt | None:
    """Write a reduction along an axis found by `horizontal_axis`, and its epilogue."""
    joins = combiner(group.head)
    assert joins is not None
    width = lanes([group.head], axis, machine)
    extent = static(axis.extent)
    # Each vector is used a few times before the vectors are joined.
    most = machine.tuning.fmas_in_flight
    vectors = most if extent is None else min(most, max(1, extent // (4 * width)))

    def one(at: Values) -> Stmt | None:
        return _Row(writer, group, axis, joins, width, vectors, at).statement()

    return writer.nest(group.head.spatial, one, parallel=threads)


@dataclass(frozen=True, eq=False)
class _Row:
    """One element of the result."""

    writer: Writer
    group: Group
    axis: Axis
    combiner: Combiner
    lanes: int
    vectors: int
    at: Values

    def statement(self) -> Stmt | None:
        head, writer = self.group.head, self.writer
        store, keep, read = head.store, writer.keep, writer.read
        size = number(self.lanes * self.vectors)
        partial = writer.inside(f"{store.buffer.name}_lanes", store.buffer.dtype, [size])
        locals_ = {b: writer.inside(b.name, b.dtype, []) for b in held_buffers(self.group)}
        zero = number(0)
        held = {b: Held(buffer, zero) for b, buffer in locals_.items()}
        result = held[store.buffer]
        assert store.initial is not None
        return writer.allocate(
            [partial, *locals_.values()],
            [
                keep(result, writer.value(store.initial, self.at)),
                self._vectors(partial, self.vectors, lambda _: self.combiner.neutral),
                writer.nest(
                    [a for a in head.reduction if a is not self.axis],
                    lambda k: self._terms({**self.at, **k}, partial, result),
                ),
                *self._joined(partial),
                keep(result, self.combiner.join(read(result), read(Held(partial, zero)))),
                finish(writer, self.group, self.at, held),
            ],
        )

    def _terms(self, at: Values, partial: Buffer, result: Held) -> Stmt | None:
        """Add up all values along the axis: by several vectors, by one, one by one."""
        store, var = self.group.head.store, self.axis.var
        whole = self.lanes * self.vectors

        def step(part: Segment, start: Expr) -> Stmt | None:
            def term(at: Values, into: Held) -> Expr:
                return self.writer.value(store.value, at, {store.buffer: into})

            if part.width < self.lanes:
                return self.writer.inner(
                    var,
                    part.width,
                    ForKind.SERIAL,
                    lambda i: self.writer.keep(result, term({**at, var: start + i}, result)),
                )
            return self._vectors(
                partial,
                part.width // self.lanes,
                lambda i: term({**at, var: start + i}, Held(partial, i)),
            )

        def steps(part: Segment) -> Stmt | None:
            return self.writer.nest(
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
        return self.writer.inner(
            var,
            count,
            ForKind.UNROLLED,
            lambda v: self.writer.inner(
                var,
                self.lanes,
                ForKind.VECTORIZED,
                lambda lane: self.writer.keep(
                    Held(partial, v * self.lanes + lane), value(v * self.lanes + lane)
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
                first, second = Held(partial, lane), Held(partial, lane + other)
                read = self.writer.read
                return self.writer.keep(first, self.combiner.join(read(first), read(second)))

            return self.writer.inner(self.axis.var, width, ForKind.VECTORIZED, lanes_joined)

        return [joined(other, width) for other, width in steps]
