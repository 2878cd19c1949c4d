"""How a line of memory is requested before it is read or written."""

from __future__ import annotations

from typing import Final

Hint = tuple[int, int]
"""Of a request, as LLVM has them: whether it is for a write, and how near the line shall come."""

READ_NEAR: Final[Hint] = (0, 3)
READ_LEVEL_2: Final[Hint] = (0, 2)
WRITE_NEAR: Final[Hint] = (1, 3)
