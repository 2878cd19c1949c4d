"""Compiled files in memory."""

from __future__ import annotations

import mmap
import os
from typing import BinaryIO

import numpy as np


def in_memory(content: bytes) -> BinaryIO:
    """Open a file that has no name, and these bytes."""
    file = os.fdopen(os.memfd_create("tvmfuse file"), "wb+")
    file.write(content)
    file.seek(0)
    return file


def pages_of(file: BinaryIO) -> mmap.mmap:
    """Map an open file; that takes a descriptor until the last view of it is gone.

    It is private and writable, for DLPack passes on no read-only memory; nothing writes to it. A
    page that was read once is there for whoever reads it next by the same map.
    """
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)


def mapped(file: BinaryIO) -> np.ndarray:
    """Map an open file as bytes; see `pages_of`."""
    return bytes_of(pages_of(file))


def bytes_of(pages: mmap.mmap) -> np.ndarray:
    """Return a mapped file as bytes."""
    return np.frombuffer(pages, np.uint8)
