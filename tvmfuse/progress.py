"""How long work, a compilation or a measurement, says where it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self, TypeAlias

Progress: TypeAlias = Callable[[str], None]
"""Called with the name of each step before it begins; with a `Step` where its share is known."""


class Step(str):
    """A step's name, of which also is known how much is done.

    Attributes:
        share: From 0 to 1.

    >>> step = Step("kernels", 0.5)
    >>> step == "kernels", step.share
    (True, 0.5)
    """

    __slots__ = ("share",)

    share: float

    def __new__(cls, name: str, share: float) -> Self:
        """Name a step and say how much of it is done."""
        step = super().__new__(cls, name)
        step.share = share
        return step


def silent(step: str) -> None:
    """Report to nobody."""


def share_of(step: str) -> float | None:
    """Return how much of a step is done, from 0 to 1; None where that is not known.

    >>> share_of(Step("kernels", 0.5)), share_of("link")
    (0.5, None)
    """
    return step.share if isinstance(step, Step) else None


def within(what: str, progress: Progress) -> Progress:
    """Return what the steps of a part report to: each gets the part's name before its own.

    >>> within("export", print)("write")
    export: write
    """

    def report(step: str) -> None:
        share = share_of(step)
        progress(f"{what}: {step}" if share is None else Step(f"{what}: {step}", share))

    return report
