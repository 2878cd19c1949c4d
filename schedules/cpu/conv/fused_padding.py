"""A padded copy made strip by strip, each right before it is read.

A depthwise convolution does a few operations for each number that it reads. Where its padded input
is a copy of the whole image, the copy goes to the last-level cache and back, which takes as long
as the convolution. A strip of some lines of one channel, or of one block of channels, stays in the
second-level cache; only the lines that two strips share are copied twice.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Buffer, BufferLoad, Stmt

from tvmfuse.schedules.cpu.group_nest import group_nest
from tvmfuse.schedules.cpu.pointwise import pointwise
from tvmfuse.schedules.cpu.threads import worth_threads
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import (
    coefficient,
    map_loads,
    number,
    static,
    substitute,
    variables,
)
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Kernel, Stage
from tvmfuse.schedules.loop_nests import Values, Writer, sequence
from tvmfuse.target.machine import Machine


def strips(
    writer: Writer, kernel: Kernel, parts: tuple[Group, ...], machine: Machine
) -> Stmt | None:
    """Return the nest of a copy and its one reader, strip by strip; None where they do not fit."""
    match parts:
        case [Group(head=copy, epilogue=()), group] if not copy.reduces and group.head.reduces:
            found = _strips(writer, kernel, copy, group, machine)
            return found.nest() if found else None
    return None


@dataclass(frozen=True, eq=False)
class _Strips:
    """A copy and its reader.

    Attributes:
        writer: Of the function.
        machine: The vectors and caches.
        copy: Makes the buffer.
        group: Reads it, with one load.
        kept: For each dimension of the buffer that one axis of the reader indexes alone, that axis.
        line: The dimension of the lines.
        axis: The reader's axis that moves along the lines.
        step: Lines from one of its values to the next.
        window: Lines that one of its values reads.
    """

    writer: Writer
    machine: Machine
    copy: Stage
    group: Group
    kept: Mapping[int, Axis]
    line: int
    axis: Axis
    step: int
    window: int

    def nest(self) -> Stmt | None:
        """Return the loops over strips, all of about one length."""
        rows = static(self.axis.extent) or 1
        lines = self.machine.tuning.l2_budget // 2 // self._line_bytes
        fit = (lines - self.window) // self.step + 1
        most = max(1, min(rows, fit))
        height = -(-rows // -(-rows // most))
        threads = worth_threads(self.group.stages, self.machine)

        def part(segment: Segment) -> Stmt | None:
            strip = Axis(Var("strip", self.axis.var.ty.dtype), segment.count)
            return self.writer.nest(
                [*self.kept.values(), strip],
                lambda at: self._strip(
                    at, segment.begin + at[strip.var] * segment.width, segment.width
                ),
                parallel=threads,
            )

        return sequence([part(s) for s in segments(self.axis.extent, height)])

    @property
    def _others(self) -> list[int]:
        """The dimensions that a strip has."""
        return [d for d in range(len(self._buffer.shape)) if d not in self.kept]

    @property
    def _buffer(self) -> Buffer:
        return self.copy.store.buffer

    @property
    def _line_bytes(self) -> int:
        sizes = [static(self._buffer.shape[d]) or 1 for d in self._others if d != self.line]
        return 4 * math.prod(sizes)

    def _strip(self, at: Values, first: Expr, height: int) -> Stmt | None:
        lines = number((height - 1) * self.step + self.window)
        shape = [lines if d == self.line else self._buffer.shape[d] for d in self._others]
        local = self.writer.inside(self._buffer.name, self._buffer.dtype, shape)
        copied, read = self._copied(local, at, first), self._read(local, at, first, height)
        copy = pointwise(self.writer, copied, self.machine, threads=False)
        return self.writer.allocate(
            [local], [copy, group_nest(self.writer, read, self.machine, threads=False)]
        )

    def _copied(self, local: Buffer, at: Values, first: Expr) -> Stage:
        """Return the copy of the lines that one strip reads."""
        store = self.copy.store
        axes = [Axis(Var("i", "int64"), extent) for extent in local.shape]
        own = dict(zip(self._others, (a.var for a in axes), strict=True))
        places = {d: at[axis.var] for d, axis in self.kept.items()} | own
        places[self.line] = first * self.step + own[self.line]
        values = {i: places[d] for d, i in enumerate(store.indices) if isinstance(i, Var)}
        moved = replace(
            store, buffer=local, indices=tuple(own.values()), value=substitute(store.value, values)
        )
        return Stage(self.copy.name, tuple(axes), (moved,))

    def _read(self, local: Buffer, at: Values, first: Expr, height: int) -> Group:
        """Return the reader of one strip."""
        line = Axis(Var(self.axis.var.name, self.axis.var.ty.dtype), number(height))
        values = {axis.var: at[axis.var] for axis in self.kept.values()}

        def load(node: TensorLoad) -> Expr:
            if not node.source.same_as(self._buffer):
                return node
            inside = {self.axis.var: line.var}
            return BufferLoad(local, [substitute(node.indices[d], inside) for d in self._others])

        def stage(whole: Stage) -> Stage:
            own = whole.map(lambda e: map_loads(e, load)).bind(values)
            axes = tuple(line if a is self.axis else a for a in own.axes)
            moved = {self.axis.var: first + line.var}
            return replace(own.map(lambda e: substitute(e, moved)), axes=axes)

        head, *epilogue = (stage(s) for s in self.group.stages)
        return replace(self.group, head=head, epilogue=tuple(epilogue))


def _strips(
    writer: Writer, kernel: Kernel, copy: Stage, group: Group, machine: Machine
) -> _Strips | None:
    buffer, spatial = copy.store.buffer, {a.var: a for a in group.head.spatial}
    found = [load for load in group.head.loads if load.source.same_as(buffer)]
    others = [x for stage in group.epilogue for x in stage.loads if x.source.same_as(buffer)]
    if len(found) != 1 or others or buffer not in kernel.temporaries:
        return None
    kept: dict[int, Axis] = {}
    sliding: list[tuple[int, Axis]] = []
    for d, index in enumerate(found[0].indices):
        moving = [spatial[v] for v in variables(index) if v in spatial]
        if isinstance(index, Var) and moving:
            kept[d] = moving[0]
        elif len(moving) == 1:
            sliding.append((d, moving[0]))
        elif static(index) is None:
            return None  # summed over: all channels are read for each result
    if not sliding or any(static(extent) is None for extent in buffer.shape):
        return None
    line, axis = sliding[0]
    index = found[0].indices[line]
    step = coefficient(index, axis.var)
    stride = static(step) if step is not None else None
    window = [a for a in group.head.reduction if a.var in variables(index)]
    reach = [static(coefficient(index, a.var) or number(0)) for a in window]
    if not stride or len(window) != 1 or not reach[0] or static(axis.extent) is None:
        return None
    lines = ((static(window[0].extent) or 1) - 1) * reach[0] + 1
    # Vectors lie along the last dimension, be it an axis of the reader.
    kept.pop(len(buffer.shape) - 1, None)
    return _Strips(writer, machine, copy, group, kept, line, axis, stride, lines)
