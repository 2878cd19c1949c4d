"""What a kernel that TVM opened calls for an index of no element: see `ops.checked_indices`."""

from __future__ import annotations

import ctypes
from typing import NoReturn

import tvm_ffi

from tvmfuse.errors import IndexOutOfRangeError
from tvmfuse.runtime.feeds import RANGE
from tvmfuse.tvm_runtime import REFUSES


def refuse(index: int, least: int, size: int, words: ctypes.c_void_p) -> NoReturn:
    """Say which index is out of range.

    Args:
        index: As the node is given it.
        least: The smallest one that there is.
        size: How many elements there are.
        words: Where the node's name lies, UTF-8, which ends with a 0.

    Raises:
        IndexOutOfRangeError: Always.
    """
    name = ctypes.string_at(words).decode()
    what = RANGE.format(least, size - 1, size)
    raise IndexOutOfRangeError(f"expected {what}, of {name!r}; found {index}")


def offer_refusal() -> None:
    """Let kernels that TVM opens from now on find `refuse`."""
    # What Python raises comes out of a kernel as the class that is registered under its name.
    tvm_ffi.register_error(IndexOutOfRangeError)
    tvm_ffi.register_global_func(REFUSES, refuse, override=True)
