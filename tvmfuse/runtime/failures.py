"""What a run that fails says, in words of ours."""

from __future__ import annotations

import re
from typing import Final

from tvmfuse.conditions import unmet
from tvmfuse.errors import (
    CompilationError,
    DamagedArtifactError,
    IndexOutOfRangeError,
    OutOfMemoryError,
    SizesError,
    TvmfuseError,
    first_line,
)
from tvmfuse.out_of_memory import is_out_of_memory

#: What `build.compiled_main` says where a file is none that tvmfuse writes.
DAMAGED: Final = "DamagedArtifactError"


#: What is said where a shape that shows as the model runs is not the one that follows from others.
ASKED: Final = "what the model computes of these inputs asks for a shape that it cannot have"


class StoppedError(RuntimeError):
    """What compiled code says as it fails.

    Attributes:
        kind: The name of an exception.
    """

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(words)
        self.kind = kind


#: What TVM says where a shape that shows as the model runs is not the one that follows from others.
MISMATCH: Final = "ErrorContext(match_cast"
#: Where TVM says which sizes, and of what.
OTHERWISE: Final = re.compile(
    r"\((-?\d+) vs\. (-?\d+)\).*?ErrorContext\(match_cast, ty=(.*)\)  match_cast"
)

#: How a size is matched that was defined before, see `frontend/onnx/convert/broadcast.py`.
CHECKED: Final = re.compile(r"T\.Select\((\w+) != \d+, \1, 0\)")

#: What TVM and numpy raise where a run fails, or a copy for it.
FAILURES: Final = (RuntimeError, ValueError, TypeError, MemoryError)


def failure(name: str, error: Exception) -> TvmfuseError:
    """Return what the failure of a model says.

    Args:
        name: The model's.
        error: What TVM or numpy raised.
    """
    reason = first_line(error)
    kind = error.kind if isinstance(error, StoppedError) else ""
    if isinstance(error, IndexOutOfRangeError) or kind == "IndexOutOfRangeError":
        return IndexOutOfRangeError(f"{name}: {reason}")
    if is_out_of_memory(error):
        return OutOfMemoryError(
            f"{name} ran out of memory on inputs of these sizes: {reason}; "
            "the model is as it was: free memory, or feed it less"
        )
    if kind == DAMAGED:
        return DamagedArtifactError(f"{name}: {reason}")
    if kind == "InputError":
        return SizesError(f"{name}: {reason}")
    if MISMATCH in reason:
        asked = f"{name}: {ASKED}"
        if (condition := unmet(reason)) is not None:
            node, what = condition
            return SizesError(f"{asked}: for {node!r} it has to hold that {what}")
        if (other := OTHERWISE.search(reason)) is not None:
            found, expected, shape = other.groups()
            shape = CHECKED.sub(r"\1", shape)
            reason = f"one size in {shape} is {found} and has to be {expected}"
        return SizesError(f"{asked} ({reason}): do sizes and indices fit each other?")
    return CompilationError(f"{name} failed as it ran, on inputs that fit it: {reason}")
