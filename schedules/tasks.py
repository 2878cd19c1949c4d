"""Tasks: which of a nest's loops are fused into the one loop that threads share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tvm import tirx
from tvm.ir import Expr, Var

from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.kernels import Axis

#: Pieces of work for each parallel loop: a few for each core, so that a core that is late does not
#: hold up the others for long.
TASKS: Final = 64


def is_one(axis: Axis) -> bool:
    """Return whether an axis is known to have one element."""
    return static(axis.extent) == 1


def enough(axes: Sequence[Axis]) -> Sequence[Axis]:
    """Return the leading axes that make enough tasks; a size known only later counts as 1.

    At most one such size is among them.
    """
    tasks, unknown = 1, 0
    for count, axis in enumerate(axes):
        extent = static(axis.extent)
        unknown += extent is None
        if tasks >= TASKS or unknown > 1:
            return axes[:count]
        tasks *= extent or 1
    return axes


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
