"""How a long compilation says where it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self, TypeAlias

Progress: TypeAlias = Callable[[str], None]


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
