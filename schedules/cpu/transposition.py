"""Transpositions: squares are read along one axis, and stored along the other.

A vector along the output's last axis is gathered where the input lies along another one: sixteen
loads, whose addresses are as many registers if a size is known only later. As many vectors read
along the other axis hold sixteen such vectors; shuffles find them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, ForKind, Stmt
from tvm_ffi import structural_equal

from tvmfuse.schedules.cpu.square import SIDES, Square
from tvmfuse.schedules.cpu.vectors import Segment
from tvmfuse.schedules.expressions import (
    IF_THEN_ELSE,
    callee,
    calls,
    coefficient,
    flat,
    number,
    static,
)
from tvmfuse.schedules.kernels import Axis, Stage, analyzer
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence

#: Bits of an element: shuffles are of singles, and of pairs of them.
BITS = 32


@dataclass(frozen=True, eq=False)
class Transposition:
    """A stage that reads one tensor along another axis than it stores.

    Attributes:
        stage: Without reduction; it stores along its last axis.
        axis: Along which it reads.
        load: What it reads so.
    """

    stage: Stage
    axis: Axis
    load: TensorLoad

    @classmethod
    def of(cls, stage: Stage, axis: Axis, lanes: int) -> Transposition | None:
        """Read a stage; None where no squares of so many lanes are read along an axis.

        What is read only under a condition may not be there, and stays single elements.
        """
        inner, store = stage.axes[-1], stage.store
        if lanes not in SIDES or axis is inner or any(_is_short(a, lanes) for a in (axis, inner)):
            return None
        if any(callee(call) == IF_THEN_ELSE for part in stage.parts for call in calls(part)):
            return None
        if _step(stage, store.buffer, store.indices, inner) != 1:
            return None
        apart = [x for x in stage.loads if _step(stage, x.source, x.indices, inner) not in (0, 1)]
        if not apart:
            return None
        load, *others = [x for x in stage.loads if x.source.same_as(apart[0].source)]
        if not all(structural_equal(load, other) for other in (*others, *apart)):
            return None
        if load.ty.dtype.bits != BITS or _factor(stage, load.source, load.indices, inner) is None:
            return None
        if _step(stage, load.source, load.indices, axis) != 1:
            return None
        return cls(stage, axis, load)

    def squares(
        self,
        builder: LoopNestBuilder,
        order: tuple[Axis, ...],
        part: Segment,
        *,
        parallel: bool,
    ) -> Stmt | None:
        """Return the loops over whole squares.

        Args:
            builder: Of the function.
            order: Of the axes.
            part: The vectors along the stage's last axis.
            parallel: Whether the outermost loops run in threads.
        """
        inner, side, store = self.stage.axes[-1], part.width, self.stage.store
        dtype = str(self.load.ty.dtype)

        def square(at: Values) -> Stmt | None:
            first, across = part.start(at[inner.var]), at[self.axis.var] * side
            start, found = builder.start(first, named=part.last is not None)
            rows = [
                builder.vector(self.load, side, {**at, inner.var: start + n, self.axis.var: across})
                for n in range(side)
            ]
            made = Square(rows, dtype)
            column = builder.local_buffer("column", dtype, [number(side)])

            def stored(n: int, lane: Expr) -> Stmt:
                place = {**at, inner.var: start + lane, self.axis.var: across + n}
                own = {self.load.source: LocalElement(column, lane)}
                value = builder.value(store.value, place, own)
                return builder.store(store.buffer, store.indices, value, place)

            columns = [
                sequence(
                    [
                        builder.store_vector(column, [number(0)], vector, side),
                        builder.inner(inner.var, side, ForKind.VECTORIZED, partial(stored, n)),
                    ]
                )
                for n, vector in enumerate(made.columns)
            ]
            return builder.allocate([column], [*found, *made.binds, *columns])

        counts = {inner: part.count, self.axis: tirx.floordiv(self.axis.extent, side)}
        axes = [Axis(axis.var, counts.get(axis, axis.extent)) for axis in order]
        return builder.nest(axes, square, parallel=parallel)

    def left(self, side: int) -> Segment:
        """Return what whole squares leave of the axis along which is read."""
        extent = self.axis.extent
        known = analyzer(sizes=[extent])
        count = known.simplify(tirx.floormod(extent, side))
        return Segment(known.simplify(extent - count), count, 1)


def _is_short(axis: Axis, lanes: int) -> bool:
    extent = static(axis.extent)
    return extent is not None and extent < lanes


def _step(stage: Stage, source: Buffer, indices: Sequence[Expr], axis: Axis) -> int | None:
    """Return by how many elements an access moves along an axis; None where that is not known."""
    found = _factor(stage, source, indices, axis)
    return None if found is None else static(found)


def _factor(stage: Stage, source: Buffer, indices: Sequence[Expr], axis: Axis) -> Expr | None:
    return coefficient(analyzer(stage.axes).simplify(flat(source.shape, indices)), axis.var)
