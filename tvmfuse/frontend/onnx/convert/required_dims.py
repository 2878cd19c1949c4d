"""Dimensions of operands that have to be equal, for operators that another converter reads."""

from __future__ import annotations

from collections.abc import Callable

from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim, written


def equal_dims(*groups: tuple[tuple[int, int], ...]) -> Callable[[Operation], None]:
    """Return the check that dimensions are equal; each is an operand's position and an axis."""

    def check(op: Operation) -> None:
        for group in groups:
            require_equal(
                op, *(require_shape(op.tensor(p))[a] for p, a in group if _is_there(op, p, a))
            )

    return check


def require_equal(op: Operation, first: Dim, *others: Dim) -> None:
    """Constrain dimensions to be equal; refuse where the inputs do not tell."""
    for dim in others:
        op.require(
            op.same(first, dim),
            f"whether its dimensions {written(first)} and {written(dim)} are equal is not known "
            "before it runs",
        )


def _is_there(op: Operation, position: int, axis: int) -> bool:
    return op.has(position) and axis < require_rank(op.tensor(position))
