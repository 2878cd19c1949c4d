"""Planes of bytes that are interleaved: the four bytes of a place are one word of a vector.

::

    for each vector of places p:
        word[p] = byte(0, p) | byte(1, p) << 8 | byte(2, p) << 16 | byte(3, p) << 24

as a quantized image comes, whose three channels and a zero are a pixel's word. Byte by byte no two
that are computed alike lie beside each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import BufferLoad, ForKind, Stmt

from tvmfuse.schedules.conditions import partition_axis
from tvmfuse.schedules.cpu.nest import Misfit, Nest, Scope, axis_names, in_order_of, order_misfit
from tvmfuse.schedules.cpu.threads import should_parallelize
from tvmfuse.schedules.cpu.vectors import segments, steps, vectorizable
from tvmfuse.schedules.expressions import number, product, static
from tvmfuse.schedules.inline import inlined
from tvmfuse.schedules.kernels import Axis, Kernel, Stage
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.schedules.plans import PointwisePlan

#: Of one word.
BYTES: Final = 4
BITS: Final = 8

#: What is stored as the bits of a byte. LLVM has one bit for a boolean, until it lies in memory.
STORED: Final = ("int8", "uint8")


@dataclass(frozen=True, eq=False)
class WordsNest(Nest[PointwisePlan]):
    """One stage whose last axis counts the bytes of a word.

    Attributes:
        stage: Without reduction.
        bytes: The stage at each value of its last axis.
        scope: The machine and the steps.
    """

    plan_type = PointwisePlan

    stage: Stage
    bytes: tuple[Stage, ...]
    scope: Scope

    def plan(self, *, parallel: bool = True) -> PointwisePlan:
        pays = should_parallelize([self.stage], self.scope.machine)
        names = tuple(axis_names(self._axes).values())
        return PointwisePlan(lanes=self._width, order=names, parallel=parallel and pays)

    def misfits(self, plan: PointwisePlan) -> Iterator[Misfit]:
        yield from order_misfit(plan.order, self._axes)
        if not 2 <= plan.lanes <= self._width:
            yield Misfit("lanes", f"2 to {self._width}", plan.lanes)

    def emit(self, builder: LoopNestBuilder, plan: PointwisePlan) -> Stmt | None:
        place, order = self._axes[-1], in_order_of(plan.order, self._axes)

        def vectors(begin: Expr, count: Expr, width: int) -> Stmt | None:
            axes = [Axis(a.var, count) if a is place else a for a in order]

            def vector(at: Values) -> Stmt | None:
                first = {**at, place.var: begin + at[place.var] * width}
                return self._vector(builder, first, width)

            return builder.nest(axes, vector, parallel=plan.parallel)

        parts = segments(place.extent, plan.lanes)
        return sequence([vectors(part.begin, part.count, part.width) for part in parts])

    def _vector(self, builder: LoopNestBuilder, first: Values, width: int) -> Stmt | None:
        """Return the words of some places side by side."""
        place, kept = self._axes[-1].var, builder.local_buffer("words", "uint32", [number(width)])

        def word(lane: Expr) -> Stmt:
            at, found = {**first, place: first[place] + lane}, None
            for nth, byte in enumerate(self.bytes):
                value = builder.value(byte.store.value, at).astype("uint8").astype("uint32")
                part = value << tirx.const(BITS * nth, "uint32") if nth else value
                found = part if found is None else found | part
            assert found is not None
            return builder.store_local(LocalElement(kept, lane), found)

        words = builder.inner(place, width, ForKind.VECTORIZED, word)
        store = self.bytes[0].store
        size, dtype = width * BYTES, store.buffer.dtype
        begin = number(0)
        made = builder.load_local(LocalElement(kept, begin))
        if width > 1:
            made = builder.vector(BufferLoad(kept, [begin]), width)
        stored = tirx.reinterpret(f"{dtype}x{size}", made)
        whole = builder.store_vector(store.buffer, store.indices, stored, size, first)
        return builder.allocate([kept], [words, whole])

    @property
    def _axes(self) -> tuple[Axis, ...]:
        return self.stage.axes[:-1]

    @cached_property
    def _width(self) -> int:
        return self.scope.machine.isa.lanes(BYTES * BITS)


def words(stage: Stage, scope: Scope) -> WordsNest | None:
    """Return the nest of a stage that interleaves four planes of bytes; None of any other."""
    if len(stage.axes) < 2:
        return None
    *outer, near = stage.axes
    if static(near.extent) != BYTES or str(stage.store.buffer.dtype) not in STORED:
        return None
    place = outer[-1]
    if static(place.extent) is None or steps(stage, near)[-1] != 1:
        return None
    found = tuple(
        piece.bind({piece.axes[-1].var: tirx.const(nth, near.var.ty.dtype)})
        for piece in partition_axis(stage, near)
        for nth in range(static(piece.axes[-1].extent) or 0)
    )
    for byte in found:
        *read, written = steps(byte, place)
        if written != BYTES or not all(step in (0, 1) for step in read):
            return None
        if not vectorizable(byte, place.var):
            return None
    return WordsNest(stage, found, scope)


def with_words(kernel: Kernel, scope: Scope) -> Kernel:
    """Return a kernel whose planes of bytes are computed where their words are made.

    Nothing is computed twice: a word reads each of its bytes once, and its reader reads them all.
    """
    for reader in kernel.stages:
        for buffer in kernel.temporaries:
            if kernel.readers(buffer) != [reader] or len(kernel.writers(buffer)) != 1:
                continue
            (stage,) = kernel.writers(buffer)
            changed = None if stage.reduces else inlined(kernel, stage)
            found = changed and next(s for s in changed.stages if s.buffers == reader.buffers)
            if changed and found and _once(stage, reader, scope) and words(found, scope):
                return with_words(changed, scope)
    return kernel


def _once(stage: Stage, reader: Stage, scope: Scope) -> bool:
    """Return whether words read no element of a stage twice."""
    found = words(reader, scope)
    if found is None:
        return False
    reads = [load for byte in found.bytes for load in byte.loads if load.source in stage.buffers]
    places = static(product([axis.extent for axis in reader.axes[:-1]]))
    written = static(product([axis.extent for axis in stage.axes]))
    return places is not None and len(reads) * places == written
