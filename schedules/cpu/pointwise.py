"""Loops over a stage that computes each element on its own.

The axes that walk through memory together become one; the innermost is cut into whole vectors and
a rest; the outermost run in threads.
"""

from __future__ import annotations

from collections.abc import Sequence

from tvm.ir import Expr
from tvm.tirx import ForKind, Stmt

from tvmfuse.schedules.collapse import collapse
from tvmfuse.schedules.conditions import cut
from tvmfuse.schedules.cpu.threads import worth_threads
from tvmfuse.schedules.cpu.vectors import Segment, lanes, segments, steps
from tvmfuse.schedules.kernels import Axis, Stage
from tvmfuse.schedules.loop_nests import Values, Writer, sequence
from tvmfuse.target.machine import Machine


def pointwise(
    writer: Writer, stage: Stage, machine: Machine, *, threads: bool = True
) -> Stmt | None:
    """Write the loops of one stage without reduction.

    Args:
        writer: Of the function that the loops are for.
        stage: With the axes to loop over; other variables in it belong to loops around it.
        machine: The vectors.
        threads: Whether the loops may be parallel; not inside a loop that is.
    """
    (stage,) = collapse([stage])
    if not stage.axes:
        return _element(writer, stage, {})
    pieces = cut(stage, stage.axes[-1])
    return sequence([_piece(writer, piece, machine, threads=threads) for piece in pieces])


def _piece(writer: Writer, stage: Stage, machine: Machine, *, threads: bool) -> Stmt | None:
    (stage,) = collapse([stage])
    *outer, inner = stage.axes
    width = lanes([stage], inner, machine)
    parallel = threads and worth_threads([stage], machine, vectorized=width > 1)

    def segment(part: Segment) -> Stmt | None:
        count = Axis(inner.var, part.count)
        return writer.nest(
            _order(stage, outer, inner, count),
            lambda at: writer.inner(
                inner.var,
                part.width,
                ForKind.VECTORIZED,
                lambda lane: _element(writer, stage, _moved(at, inner, part, lane)),
            ),
            parallel=parallel,
        )

    return sequence([segment(part) for part in segments(inner.extent, width)])


def _moved(at: Values, inner: Axis, part: Segment, lane: Expr) -> Values:
    return {**at, inner.var: part.begin + at[inner.var] * part.width + lane}


def _element(writer: Writer, stage: Stage, at: Values) -> Stmt:
    store = stage.store
    return writer.store(store.buffer, store.indices, writer.value(store.value, at), at)


def _order(stage: Stage, outer: Sequence[Axis], inner: Axis, count: Axis) -> list[Axis]:
    """Return the loops, outermost first.

    A transposition reads along another axis than it writes. That axis goes inside the loop over
    vectors: the cache lines that one vector is gathered from then serve the next vectors, too.
    """
    if any(step not in (0, 1) for step in steps(stage, inner)):
        for axis in outer:
            if 1 in steps(stage, axis):
                return [*(a for a in outer if a is not axis), count, axis]
    return [*outer, count]
