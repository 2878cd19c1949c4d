"""Which kind of file one is, by its first bytes: quickly, and without what reads it."""

from __future__ import annotations

import os
from typing import Final

BUNDLE: Final = b"TVMFUSEB"
"""What a model in parts begins with."""

ELF: Final = b"\x7fELF"
"""What a shared library begins with."""


def is_compiled(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a compiled one, by its first bytes or its name, and no ONNX model.

    Raises:
        OSError: It cannot be read.
    """
    with open(path, "rb") as file:
        start = file.read(len(BUNDLE))
        return start == BUNDLE or start.startswith(ELF) or str(path).endswith(".so")
