"""How a canary says that something is not as it should be."""

from __future__ import annotations

from collections.abc import Callable

from tvmfuse.errors import TvmfuseError, first_line


class UnexpectedError(Exception):
    """Something is not as it should be."""


def expect(holds: object, words: str) -> None:
    """Go on where something holds.

    Raises:
        UnexpectedError: It does not; in these words.
    """
    if not holds:
        raise UnexpectedError(words)


def refused(work: Callable[[], object], kind: type[TvmfuseError] = TvmfuseError) -> str:
    """Do what has to be refused, and return how it was.

    Raises:
        UnexpectedError: It was done.
    """
    try:
        work()
    except kind as error:
        return f"refused: {first_line(error).partition(';')[0]}"
    raise UnexpectedError(f"expected {kind.__name__}, and nothing was raised")
