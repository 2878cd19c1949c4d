"""Tasks: which of a nest's loops are fused into the one loop that threads share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tvm import tirx
from tvm.ir import Expr, Var
from tvm.tirx import Bind, For, ForKind, SeqStmt, Stmt

from tvmfuse.schedules.expressions import number, product, static
from tvmfuse.schedules.kernels import Axis

#: Pieces of work for each parallel loop: a few for each core, so that a core that is late does not
#: hold up the others for long.
TASKS: Final = 64

#: From so many tasks on TVM's division among threads, which leaves the last ones fewer, is even
#: enough.
MANY_TASKS: Final = 256


def is_one(axis: Axis) -> bool:
    """Return whether an axis is known to have one element."""
    return static(axis.extent) == 1


def enough(axes: Sequence[Axis]) -> tuple[Sequence[Axis], Expr | None]:
    """Return the leading axes that make enough tasks, where a size known only later may be 1.

    Behind the first axis none of such a size is among them: to find a task's place would take a
    division for each element. It is cut into parts, which are, and of which none is empty.

    Returns:
        The axes, and into how many parts the next one is cut, None where it is not.
    """
    tasks = 1
    for count, axis in enumerate(axes):
        extent = static(axis.extent)
        if tasks >= TASKS:
            return axes[:count], None
        if extent is None and count:
            parts = _parts(product([a.extent for a in axes[:count]]))
            return axes[:count], tirx.min(parts, axis.extent)
        tasks *= extent or 1
    return axes, None


def _parts(tasks: Expr) -> Expr:
    """Return how many parts make enough of so many tasks."""
    known = static(tasks)
    if known is not None:
        return number(-(-TASKS // max(known, 1)))
    return tirx.max(tirx.floordiv(number(TASKS), tirx.max(tasks, 1)), 1)


def unfused(task: Var, axes: Sequence[Axis], simplify: Callable[[Expr], Expr]) -> dict[Var, Expr]:
    """Return the axes' values for a task, the last axis running fastest."""
    at: dict[Var, Expr] = {}
    rest: Expr = task
    first, *others = axes
    for axis in reversed(others):
        extent = axis.extent
        if static(extent) is None:
            # Of size 0 there is no task, but a compiler may compute a quotient early.
            extent = tirx.max(extent, 1)
        at[axis.var] = simplify(tirx.floormod(rest, extent))
        rest = tirx.floordiv(rest, extent)
    return {**at, first.var: simplify(rest)}


def pieces_of(count: Expr, *, own_buffers: bool) -> Expr | None:
    """Return into how many pieces a loop of so many tasks is cut; None where it is not.

    Of few tasks each thread shall have as many, at the same place in all kernels: it then reads
    what it wrote itself. Where the number is known only later there may be one, and little to do.
    """
    if own_buffers:
        return tirx.min(count, number(TASKS))
    known = static(count)
    few = known is not None and known < MANY_TASKS and known % TASKS
    return number(TASKS) if few else None


def part_of(loop: For, part: Expr, parts: Expr) -> Stmt:
    """Return one of so many parts of a loop, which are about as long."""
    parts = tirx.max(parts, 1)  # of none there is no part, but a quotient may be computed early
    dtype = loop.loop_var.ty.dtype
    begin, end = (tirx.floordiv(n * loop.extent, parts).astype(dtype) for n in (part, part + 1))
    first, last = Var("begin", dtype), Var("end", dtype)
    serial = For(loop.loop_var, first, last - first, ForKind.SERIAL, loop.body)
    return SeqStmt([Bind(first, begin), Bind(last, end), serial])
