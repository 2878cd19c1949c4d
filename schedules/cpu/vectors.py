"""Vectors: which axis, how many lanes, and how an axis is cut into whole vectors and a rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tvm import tirx
from tvm.ir import Call, Expr, Var

from tvmfuse.schedules.conditions import branches_along
from tvmfuse.schedules.expressions import (
    IF_THEN_ELSE,
    VECTOR_CALLS,
    callee,
    calls,
    coefficient,
    divides_integers,
    flat,
    loads,
    static,
    variables,
)
from tvmfuse.schedules.kernels import Axis, Stage, analyzer
from tvmfuse.schedules.vector_accesses import MASKED_BITS, MAX_STEP
from tvmfuse.target.machine import Machine


@dataclass(frozen=True, eq=False)
class Segment:
    """A part of an axis: `count` steps of `width` elements each, from `begin` on.

    Attributes:
        last: Where the last step begins, if it may overlap the one before it.
        end: Where the axis ends, if a step may reach beyond it.
    """

    begin: Expr
    count: Expr
    width: int
    last: Expr | None = None
    end: Expr | None = None

    def start(self, nth: Expr) -> Expr:
        """Return the first element of a step."""
        start = self.begin + nth * self.width
        return start if self.last is None else tirx.min(start, self.last)


def segments(extent: Expr, *widths: int) -> tuple[Segment, ...]:
    """Cut an axis into steps of the first width, what is left into the second, and so on.

    What a fixed extent leaves after the last is one step of just that width; what an extent known
    only later leaves are steps of one element.

    >>> [(int(s.begin), int(s.count), s.width) for s in segments(tirx.const(29, "int64"), 16, 8)]
    [(0, 1, 16), (16, 1, 8), (24, 1, 5)]
    """
    zero, found = tirx.const(0, extent.ty.dtype), []
    fixed = static(extent) is not None
    begin, left = zero, extent
    for width in widths if fixed else dict.fromkeys([*widths, 1]):
        count = tirx.floordiv(left, width)
        found.append(Segment(begin, count, width))
        begin, left = begin + count * width, tirx.floormod(left, width)
    if fixed and static(left):
        found.append(Segment(begin, tirx.const(1, extent.ty.dtype), static(left) or 1))
    known = analyzer(sizes=[extent])
    found = [Segment(known.simplify(s.begin), known.simplify(s.count), s.width) for s in found]
    return tuple(s for s in found if static(s.count) != 0)


def overlapping(extent: Expr, *widths: int) -> tuple[Segment, ...]:
    """Cut an axis of a size known only later into steps that may overlap.

    Steps of the second width are for what those of the first leave; the last of them ends with the
    axis. Each further width is for axes that are shorter than those before it.

    >>> n = tirx.Var("n", "int64")
    >>> [s.width for s in overlapping(n, 48, 16, 4)]
    [48, 16, 4, 1]
    """
    zero, least = tirx.const(0, extent.ty.dtype), widths[0]
    left, fits = extent, None
    found = [Segment(zero, tirx.floordiv(extent, least), least)]
    left = tirx.floormod(extent, least)
    for width in dict.fromkeys([*widths[1:], 1]):
        steps = tirx.floordiv(left + (width - 1), width)
        count = steps if width == 1 else tirx.Select(extent >= width, steps, zero)
        if fits is not None:
            count = tirx.Select(extent < fits, count, zero)
        found.append(Segment(extent - left, count, width, extent - width))
        fits = width
    known = analyzer(sizes=[extent])
    return tuple(
        replace(s, begin=known.simplify(s.begin), count=known.simplify(s.count)) for s in found
    )


def halved(extent: Expr, *widths: int) -> tuple[Segment, ...]:
    """Cut an axis as `overlapping` does, but into a last step of the third width where it can be.

    Where a CPU's units are half as wide as its vectors, half a vector takes half of the time.

    >>> n = tirx.Var("n", "int64")
    >>> [s.width for s in halved(n, 48, 16, 8, 4)]
    [48, 16, 8, 4, 1]
    """
    first, whole, half, *others = overlapping(extent, *widths)
    zero, rest = tirx.const(0, extent.ty.dtype), tirx.floormod(extent, whole.width)
    short = tirx.Select(tirx.all(rest > 0, rest <= half.width), zero + 1, zero)
    fits, known = extent >= whole.width, analyzer(sizes=[extent])
    few = tirx.Select(fits, short, half.count)
    many = tirx.Select(fits, whole.count - short, zero)
    return (
        first,
        replace(whole, count=known.simplify(many)),
        replace(half, begin=known.simplify(extent - rest), count=known.simplify(few)),
        *others,
    )


def masked(extent: Expr, width: int, lanes: int) -> tuple[Segment, ...]:
    """Cut an axis of a size known only later into steps, then vectors of which the last may be cut.

    >>> n = tirx.Var("n", "int64")
    >>> [(s.width, s.end is None) for s in masked(n, 48, 16)]
    [(48, True), (16, False)]
    >>> [(s.width, s.end is None) for s in masked(n, 16, 16)]
    [(16, True), (16, False)]
    """
    zero, left = tirx.const(0, extent.ty.dtype), tirx.floormod(extent, width)
    count = tirx.floordiv(left + (lanes - 1), lanes)
    known = analyzer(sizes=[extent])
    rest = Segment(known.simplify(extent - left), known.simplify(count), lanes, end=extent)
    return Segment(zero, tirx.floordiv(extent, width), width), rest


def may_mask(stages: Sequence[Stage], axis: Axis, machine: Machine) -> bool:
    """Return whether a step along an axis may reach beyond the axis's end, where masks stop it.

    Not where it branches: what is read for a vector is read before it.
    """
    return static(axis.extent) is None and machine.isa.masks and maskable(stages, axis)


def maskable(stages: Sequence[Stage], axis: Axis) -> bool:
    """Return whether masks can stop what reaches beyond an axis's end, be its size known or not."""
    return all(_may_mask(stage, axis) for stage in stages)


def _may_mask(stage: Stage, axis: Axis) -> bool:
    if any(callee(call) == IF_THEN_ELSE for part in stage.parts for call in calls(part)):
        return False
    if any(divides_integers(value) for store in stage.stores for value in store.values):
        return False  # by anything, in the lanes that are not there
    types = [x.ty.dtype for x in (*loads(*stage.parts), *(s.value for s in stage.stores))]
    moved = steps(stage, axis)
    return all(step == 1 for step in moved[-len(stage.stores) :]) and all(
        step is not None and 0 <= step <= MAX_STEP and int(dtype.bits) in MASKED_BITS
        for step, dtype in zip(moved, types, strict=True)
        if step != 0
    )


def may_overlap(stages: Sequence[Stage], axis: Axis) -> bool:
    """Return whether steps along an axis may be computed twice, and begin anywhere.

    Not where a stage reads what it writes. Not worth it where vectors are gathered.
    """
    return (
        static(axis.extent) is None
        and not any(_reads_what_it_writes(stages[n:]) for n in range(len(stages)))
        and all(
            step is not None and 0 <= step <= MAX_STEP
            for stage in stages
            for step in steps(stage, axis)
        )
    )


def _reads_what_it_writes(stages: Sequence[Stage]) -> bool:
    """Return whether the first stage reads what it, or one after it, writes; its sums aside."""
    first, written = stages[0], {b for stage in stages for b in stage.buffers}
    own = set(first.buffers) if first.reduces else set()
    initial = loads(*(s.initial for s in first.stores if s.initial is not None))
    return any(load.source in written - own for load in loads(*first.parts)) or any(
        load.source in written for load in initial
    )


def narrower(width: int) -> tuple[int, ...]:
    """Return the vectors for what whole ones leave of an axis whose extent is known only later.

    >>> narrower(64), narrower(8), narrower(4)
    ((16, 4), (4,), ())
    """
    quarter = max(width // 4, 4)
    return (quarter, *narrower(quarter)) if quarter < width else ()


def lanes(stages: Sequence[Stage], axis: Axis, machine: Machine) -> int:
    """Return how many elements of an axis fill a register, by the widest type along it.

    1 where the stages cannot be vectorized along it.
    """
    if not all(vectorizable(stage, axis.var) for stage in stages):
        return 1
    stores = [s for stage in stages for s in stage.stores]
    moving = [x for s in stores for x in loads(*s.parts) if axis.var in variables(*x.indices)]
    types = [e.ty.dtype for e in (*moving, *(s.value for s in stores))]
    # Floats of sixteen bits are computed as float32; a bool takes a byte.
    least = 32 if any("float" in str(t) for t in types) else 8
    return machine.isa.lanes(max(least, *(t.bits for t in types)))


def vectorizable(stage: Stage, var: Var) -> bool:
    """Return whether the vectorizer keeps a stage as vectors along a variable.

    A branch on it becomes a scalar loop, as does a call that has no vector form.
    """
    return not branches_along(stage, var) and all(
        _keeps_lanes(call, var) for part in stage.parts for call in calls(part)
    )


def _keeps_lanes(call: Call, var: Var) -> bool:
    if var not in variables(call):
        return True
    if callee(call) == IF_THEN_ELSE:
        return var not in variables(call.args[0])
    return callee(call) in VECTOR_CALLS


def steps(stage: Stage, axis: Axis) -> list[int | None]:
    """Return by how many elements each access moves along an axis; None where it is irregular.

    The accesses are the stage's loads, its own results, then its stores.
    """
    known = analyzer(stage.axes)
    accesses = [(load.source, load.indices) for load in loads(*stage.parts)]
    accesses += [(s.buffer, s.indices) for s in stage.stores]
    found = []
    for buffer, indices in accesses:
        step = coefficient(known.simplify(flat(buffer.shape, indices)), axis.var)
        found.append(None if step is None else static(step))
    return found


def contiguous(stage: Stage, axis: Axis) -> bool:
    """Return whether each access of a stage stays in place or steps by one along an axis."""
    return all(step in (0, 1) for step in steps(stage, axis))
