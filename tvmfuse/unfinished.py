"""What has to be undone where a process ends in the middle of its work.

A block that makes files or starts programs cleans up when it ends. Where Ctrl-C ends the process
while C++ keeps the block from ending, somebody else does that: all such blocks are known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

_undo: Final[dict[object, Callable[[], object]]] = {}


@contextmanager
def undone(undo: Callable[[], object]) -> Iterator[None]:
    """Call a function when the block ends, or when the process ends before it.

    Args:
        undo: Does nothing where there is nothing to undo: it may be called before the block has
            made anything, after that is gone, and twice.
    """
    block = object()
    _undo[block] = undo
    try:
        yield
    finally:
        undo()
        del _undo[block]


def undo_all() -> None:
    """Undo what unfinished blocks have made, the innermost first; what fails is left."""
    for undo in reversed([*_undo.values()]):
        with suppress(Exception):
            undo()
