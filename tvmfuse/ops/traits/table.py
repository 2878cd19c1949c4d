"""One table of all operators, and what passes ask it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvm.ir import Expr

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ops.traits.record import Kind, Traits
from tvmfuse.ops.traits.relax_operators import RELAX

UNKNOWN: Final = Traits(kind=Kind.OTHER, why="the operator is not in the table")

_TABLE: Final[dict[str, Traits]] = dict(RELAX)


def declare(name: str, traits: Traits) -> None:
    """Enter an operator of our own; its file does so when it defines the operator."""
    _TABLE[name] = traits


def traits_of(expr: Expr | str | None) -> Traits:
    """Return the traits of the operator of a call, or of a name.

    Args:
        expr: For anything but a call of an operator in the table, no fact holds.

    >>> traits_of("relax.tanh").nonlinear
    True
    """
    name = expr if isinstance(expr, str) else op_name(expr)
    return _TABLE.get(name or "", UNKNOWN)


def operators(holds: Callable[[Traits], bool] = lambda _: True) -> tuple[str, ...]:
    """Return the names of all operators of whose traits something holds, in alphabetical order.

    >>> operators(lambda traits: traits.kind is Kind.MAX_POOL)
    ('relax.nn.max_pool1d', 'relax.nn.max_pool2d', 'relax.nn.max_pool3d')
    """
    return tuple(sorted(name for name, traits in _TABLE.items() if holds(traits)))
