"""Memory that runs out: what numpy, protobuf, onnx and TVM make of it, said in one way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tvmfuse.errors import OutOfMemoryError, TvmfuseError, first_line

SAID: Final = re.compile(
    r"bad_alloc|bad_array_new_length|out of memory|cannot allocate memory|allocation failed|"
    r"failed to allocate|unable to allocate",
    re.IGNORECASE,
)
"""How C++, the C library, numpy and TVM's allocators say it."""


def is_out_of_memory(error: BaseException | None) -> bool:
    """Whether memory ran out, here or in what an error was raised from.

    >>> is_out_of_memory(RuntimeError("std::bad_alloc")), is_out_of_memory(RuntimeError("no"))
    (True, False)
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, MemoryError):
            return True
        if not isinstance(error, TvmfuseError) and SAID.search(first_line(error)):
            return True  # an error of our own quotes names, which may say anything
        error = error.__cause__ or error.__context__
    return False


@contextmanager
def memory_in_words(what: str) -> Iterator[None]:
    """Raise an `OutOfMemoryError` in place of whatever is raised when memory runs out.

    Args:
        what: What is going on, "the import of the model".
    """
    try:
        yield
    except OutOfMemoryError:
        raise
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        raise OutOfMemoryError(
            f"memory ran out in {what}: {first_line(error)}; free some, or make the model's "
            "symbolic dimensions smaller"
        ) from error
