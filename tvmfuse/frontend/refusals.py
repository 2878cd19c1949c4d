"""Operations that cannot be compiled: each is named, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tvmfuse.errors import UnsupportedModelError


class CannotConvertError(Exception):
    """An operation cannot be compiled; the message says why, without naming the operation."""


class DependsOnFailureError(Exception):
    """An operation reads what a refused one should have made."""


@dataclass(frozen=True)
class Refusal:
    """One operation that cannot be compiled.

    Attributes:
        node: Its name.
        operation: Its operator and name, in the words of the framework that it comes from.
        why: The reason.
        cause: The error that was raised.
        impossible: Whether the source has no such operation on these operands.
    """

    node: str
    operation: str
    why: str
    cause: Exception
    impossible: bool = False


def refused(refusals: Sequence[Refusal]) -> UnsupportedModelError:
    """Return the error that lists every operation that cannot be compiled."""
    count = "1 node" if len(refusals) == 1 else f"{len(refusals)} nodes"
    lines = [f"  {r.operation}: {r.why}" for r in refusals]
    error = UnsupportedModelError(
        "\n".join([f"{count} cannot be compiled:", *lines]), {r.node: r.why for r in refusals}
    )
    error.__cause__ = refusals[0].cause
    return error
