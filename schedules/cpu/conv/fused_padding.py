"""A padded copy made strip by strip, each right before it is read: `compute_at`, in Halide's words.

A depthwise convolution does a few operations for each number that it reads. Where its padded input
is a copy of the whole image, the copy goes to the last-level cache and back, which takes as long
as the convolution. A strip of some lines of one channel, or of one block of channels, stays in the
second-level cache; only the lines that two strips share are copied twice. Where a line's length or
the number of lines is known only later, so is that of a strip's lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.sym import Analyzer
from tvm.tirx import Buffer, BufferLoad, Stmt

from tvmfuse.schedules.cpu.conv.depthwise_nest import depthwise_bytes_nest
from tvmfuse.schedules.cpu.group_nest import group_nests
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope, misfits_of
from tvmfuse.schedules.cpu.pointwise import pointwise_nests
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import Segment, segments
from tvmfuse.schedules.expressions import (
    coefficient,
    map_loads,
    number,
    product,
    static,
    substitute,
    variables,
)
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Kernel, Stage
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import FusedPaddingPlan


def fused_padding(
    kernel: Kernel, parts: tuple[Group, ...], scope: Scope
) -> FusedPaddingNest | None:
    """Return the nest of a copy and its one reader, strip by strip; None where they do not fit."""
    match parts:
        case [Group(head=copy, epilogue=()), group] if not copy.reduces and group.head.reduces:
            return _fused(kernel, copy, group, scope)
    return None


@dataclass(frozen=True, eq=False)
class _Strip:
    """One strip of lines: its loop, and what is done inside.

    Attributes:
        axis: The loop over all such strips.
        local: The copy of the lines that one strip reads.
        nests: The copy's, then the reader's.
        before: Sizes that are found before the loop, each from those before it.
        inside: Numbers that are found in each strip.
    """

    axis: Axis
    local: Buffer
    nests: tuple[Nest[Any], ...]
    before: Mapping[Var, Expr] = field(default_factory=dict)
    inside: Mapping[Var, Expr] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class FusedPaddingNest(Nest[FusedPaddingPlan]):
    """A copy and its reader.

    Attributes:
        scope: The vectors, the caches, and the steps.
        copy: Makes the buffer.
        group: Reads it, with one load.
        kept: For each dimension of the buffer that one axis of the reader indexes alone, that axis.
        line: The dimension of the lines.
        axis: The reader's axis that moves along the lines.
        step: Lines from one of its values to the next.
        window: Lines that one of its values reads, in whichever order.
    """

    plan_type = FusedPaddingPlan

    scope: Scope
    copy: Stage
    group: Group
    kept: Mapping[int, Axis]
    line: int
    axis: Axis
    step: int
    window: int
    _made: dict[int | None, tuple[_Strip, ...]] = field(
        default_factory=dict, init=False, repr=False
    )

    def plan(self, *, parallel: bool = True) -> FusedPaddingPlan:
        """Plan strips of about one length, whose copy fills half of the second-level cache."""
        rows, line_bytes = static(self.axis.extent), static(self._line_bytes)
        lines = None
        if rows is not None and line_bytes is not None:
            fit = (self._budget // (line_bytes or 1) - self.window) // self.step + 1
            most = max(1, min(rows or 1, fit))
            lines = -(-(rows or 1) // -(-(rows or 1) // most))
        whole, *last = (
            tuple(nest.plan(parallel=False) for nest in strip.nests)
            for strip in self._strips(lines)
        )
        pays = should_parallelize(self.group.stages, self.scope.machine)
        return FusedPaddingPlan(
            lines=lines,
            nests=whole,
            last_nests=last[0] if last else (),
            parallel=parallel and pays,
        )

    def misfits(self, plan: FusedPaddingPlan) -> Iterator[Misfit]:
        if plan.lines is not None:
            rows = static(self.axis.extent)
            if rows is None:
                yield Misfit("lines", "none", plan.lines)
            elif not 1 <= plan.lines <= max(rows, 1):
                yield Misfit("lines", f"1 to {max(rows, 1)}", plan.lines)
        whole, *last = self._strips(plan.lines)
        yield from misfits_of(whole.nests, plan.nests, parallel=False)
        behind = last[0].nests if last else ()
        yield from misfits_of(behind, plan.last_nests, "last_nests", parallel=False)

    def emit(self, builder: LoopNestBuilder, plan: FusedPaddingPlan) -> Stmt | None:
        plans = (plan.nests, plan.last_nests)

        def loops(strip: _Strip, plans: tuple[Any, ...]) -> Stmt | None:
            def body(at: Values) -> Stmt | None:
                found = builder.set(
                    {var: substitute(value, at) for var, value in strip.inside.items()}
                )
                with builder.scope(at):
                    pairs = zip(strip.nests, plans, strict=True)
                    return sequence([*found, *(nest.emit(builder, one) for nest, one in pairs)])

            before, local = builder.seal(strip.before), [builder.localize(strip.local)]
            axes = [*self.kept.values(), strip.axis]
            inside = builder.nest(axes, body, parallel=plan.parallel, buffers=local)
            return sequence([*before, inside])

        return sequence(
            [loops(*pair) for pair in zip(self._strips(plan.lines), plans, strict=False)]
        )

    def _strips(self, lines: int | None) -> tuple[_Strip, ...]:
        """Return the strips of so many lines of results, and the last one if it is shorter."""
        if lines not in self._made:
            self._made[lines] = (
                (self._measured(),)
                if lines is None
                else tuple(map(self._strip, segments(self.axis.extent, lines)))
            )
        return self._made[lines]

    def _strip(self, segment: Segment) -> _Strip:
        """Return a strip whose number of lines is known."""
        axis = Axis(Var("strip", self.axis.var.ty.dtype), segment.count)
        only = static(segment.count) == 1
        nth = tirx.const(0, self.axis.var.ty.dtype) if only else axis.var
        height = number(segment.width)
        return _Strip(axis, *self._inside(segment.begin + nth * segment.width, height, height))

    def _measured(self) -> _Strip:
        """Return a strip of as many lines as fit the cache, found as the kernel runs.

        All are about as long: ``(count - 1) * lines < rows``, so that none is empty.
        """
        rows, dtype = self.axis.extent, self.axis.var.ty.dtype
        most, count, lines, strip, first, height = (
            Var(name, dtype) for name in ("most", "count", "lines", "strip", "first", "height")
        )
        fit = tirx.floordiv(self._budget, tirx.max(self._line_bytes, 1)) - self.window
        before = {
            most: tirx.max(tirx.min(tirx.floordiv(fit, self.step) + 1, rows), 1),
            count: tirx.floordiv(rows + most - 1, most),
            # Of no rows there is no strip, but the copy has room for one line all the same.
            lines: tirx.max(tirx.floordiv(rows + count - 1, tirx.max(count, 1)), 1),
        }
        inside = {first: strip * lines, height: tirx.min(lines, rows - strip * lines)}
        return _Strip(Axis(strip, count), *self._inside(first, height, lines), before, inside)

    def _inside(
        self, first: Expr, height: Expr, most: Expr
    ) -> tuple[Buffer, tuple[Nest[Any], ...]]:
        """Return the copy and the nests of a strip.

        Args:
            first: Its first line of results.
            height: Its lines of results.
            most: Those of the longest such strip.
        """
        shape = [
            self._read_lines(most) if d == self.line else self._buffer.shape[d]
            for d in self._others
        ]
        local = tirx.decl_buffer(shape, self._buffer.dtype, self._buffer.name)
        copied, read = self._copied(local, first, height), self._read(local, first, height)
        of_bytes = depthwise_bytes_nest(read, self.scope)
        nests = (of_bytes,) if of_bytes else group_nests(read, self.scope)
        return local, (*pointwise_nests(copied, self.scope), *nests)

    def _read_lines(self, height: Expr) -> Expr:
        """Return how many lines so many lines of results are made of."""
        return (height - 1) * self.step + self.window

    @property
    def _budget(self) -> int:
        """Bytes of a strip's copy."""
        return self.scope.machine.tuning.l2_budget // 2

    @cached_property
    def _others(self) -> list[int]:
        """The dimensions that a strip has."""
        return [d for d in range(len(self._buffer.shape)) if d not in self.kept]

    @property
    def _buffer(self) -> Buffer:
        return self.copy.store.buffer

    @property
    def _line_bytes(self) -> Expr:
        sizes = [self._buffer.shape[d] for d in self._others if d != self.line]
        return product([*sizes, number(int(self._buffer.dtype.bits) // 8)])

    def _copied(self, local: Buffer, first: Expr, height: Expr) -> Stage:
        """Return the copy of the lines that one strip reads."""
        store = self.copy.store
        shape = [
            self._read_lines(height) if d == self.line else self._buffer.shape[d]
            for d in self._others
        ]
        axes = [Axis(Var("i", "int64"), extent) for extent in shape]
        own = dict(zip(self._others, (a.var for a in axes), strict=True))
        places = {d: axis.var for d, axis in self.kept.items()} | own
        places[self.line] = first * self.step + own[self.line]
        values = {i: places[d] for d, i in enumerate(store.indices) if isinstance(i, Var)}
        moved = replace(
            store, buffer=local, indices=tuple(own.values()), value=substitute(store.value, values)
        )
        return Stage(self.copy.name, tuple(axes), (moved,))

    def _read(self, local: Buffer, first: Expr, height: Expr) -> Group:
        """Return the reader of one strip."""
        line = Axis(Var(self.axis.var.name, self.axis.var.ty.dtype), height)
        values = {axis.var: axis.var for axis in self.kept.values()}

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


def _fused(kernel: Kernel, copy: Stage, group: Group, scope: Scope) -> FusedPaddingNest | None:
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
    if not sliding:
        return None
    line, axis = sliding[0]
    index = found[0].indices[line]
    step = coefficient(index, axis.var)
    stride = static(step) if step is not None else None
    window = [a for a in group.head.reduction if a.var in variables(index)]
    reach = [static(coefficient(index, a.var) or number(0)) for a in window]
    if not stride or len(window) != 1 or not reach[0]:
        return None
    span = ((static(window[0].extent) or 1) - 1) * reach[0]
    least = substitute(index, {v: number(0) for v in variables(index)}) + min(span, 0)
    if not Analyzer().can_prove_equal(least, 0):
        return None  # the first line that is read is not the copy's first
    lines = abs(span) + 1
    # Vectors lie along the last dimension, be it an axis of the reader.
    kept.pop(len(buffer.shape) - 1, None)
    return FusedPaddingNest(scope, copy, group, kept, line, axis, stride, lines)
