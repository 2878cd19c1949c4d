"""What holds machine code, and so stays in the process that loaded it."""

from __future__ import annotations

from typing import Any, NoReturn, Self


class OfThisProcess:
    """An object that does not change, and cannot be pickled: its code is the process's."""

    def __copy__(self) -> Self:
        """Return it itself."""
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        """Return it itself, as Python does with functions."""
        return self

    def __reduce__(self) -> NoReturn:
        """Raise a TypeError that says what to do instead."""
        raise TypeError(
            f"cannot pickle an {type(self).__name__}, which holds machine code of this process: "
            "save the artifact, and load its file in the other one"
        )
