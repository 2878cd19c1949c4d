"""What holds machine code of this process: copies of it are itself."""

from __future__ import annotations

from typing import Any, Self


class OfThisProcess:
    """An object that does not change; what is derived from it is pickled by its file's bytes."""

    def __copy__(self) -> Self:
        """Return it itself."""
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        """Return it itself, as Python does with functions."""
        return self
