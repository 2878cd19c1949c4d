"""How code that TVM linked in memory raises errors about its inputs; a library has its own way.

``native/packed.c`` has the same words.
"""

from __future__ import annotations

import ctypes
from typing import NoReturn

import tvm_ffi

from tvmfuse.errors import IndexOutOfRangeError, SizesError
from tvmfuse.runtime.failures import ASKED
from tvmfuse.runtime.feeds import RANGE
from tvmfuse.tvm_runtime import REFUSES, WRONG_SIZE


def refuse_index(index: int, least: int, size: int, words: ctypes.c_void_p) -> NoReturn:
    """Say which index is out of range; see `ops.checked_indices`.

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


def refuse_size(found: int, wanted: int, words: str) -> NoReturn:
    """Say which size is not what it has to be; see `build.feed_checks`.

    Args:
        found: That size.
        wanted: What it has to be.
        words: How that follows from others.

    Raises:
        SizesError: Always.
    """
    raise SizesError(f"{ASKED}: one size is {found}, and has to be {wanted}{words}")


def offer_refusals() -> None:
    """Let code that TVM opens from now on find them."""
    for error in (IndexOutOfRangeError, SizesError):
        tvm_ffi.register_error(error)  # so what Python raises comes out of compiled code as it is
    tvm_ffi.register_global_func(REFUSES, refuse_index, override=True)
    tvm_ffi.register_global_func(WRONG_SIZE, refuse_size, override=True)
