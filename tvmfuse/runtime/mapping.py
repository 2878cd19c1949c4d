"""Compiled files in memory."""

from __future__ import annotations

from typing import BinaryIO, Final

import numpy as np

#: The memory of a file whose weights are none.
NOTHING: Final = np.empty(0, np.uint8)


def mapped(file: BinaryIO) -> np.ndarray:
    """Map an open file as bytes; that takes a descriptor until the last view of it is gone.

    It is private and writable, for DLPack passes on no read-only memory; nothing writes to it.
    """
    return np.memmap(file, np.uint8, mode="c")
