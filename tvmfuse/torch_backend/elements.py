"""Elements of a sequence by their places, for what is done in each call."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any


def elements(places: Sequence[int]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Return what takes some elements out of a sequence: a piece of it where they lie in one.

    >>> elements([3, 1])("abcd"), elements([1, 2])("abcd"), elements([])("abcd")
    (('d', 'b'), 'bc', '')
    """
    first = places[0] if places else 0
    piece = slice(first, first + len(places))
    if [*places] == [*range(piece.start, piece.stop)]:
        return operator.itemgetter(piece)
    return operator.itemgetter(*places)
