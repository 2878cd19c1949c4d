"""A model's machine code in this process, called without TVM: see `tvmfuse.build.compiled_main`."""

from __future__ import annotations

import _ctypes
import ctypes
import itertools
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

from tvmfuse.errors import DamagedArtifactError
from tvmfuse.runtime.failures import DAMAGED, StoppedError
from tvmfuse.runtime.forking import STEPS
from tvmfuse.runtime.launcher import share
from tvmfuse.runtime.structures import ADDRESS, TaggedValue

#: What takes inputs, weights, results, memory for what lies between, and who is told of kernels;
#: and the same, with results in the memory of inputs.
MAIN: Final = "main"
IN_PLACE: Final = "main_in_place"

#: With this behind its name, what takes inputs, and numbers that it sets.
SIZES: Final = "_sizes"

#: How a library names the functions that are called by TVM's convention.
PREFIX: Final = "__tvm_ffi_"

Function: TypeAlias = Callable[[Any, int], object]
"""Takes an array of tagged values, and how many they are; raises a `StoppedError` if it fails."""


class Functions(Protocol):
    """The functions of a model."""

    def function(self, name: str) -> Function:
        """Return one of them; a `StoppedError` says that it is not there."""

    def address(self, name: str) -> int:
        """Return where one begins, as C calls it; 0 where that cannot be known."""


_counter: Final = itertools.count(1)
_said: Final = threading.local()
_told_too: Final = list[Callable[[bytes, bytes], object]]()


@ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)
def _listen(kind: bytes, message: bytes) -> None:
    """Note what compiled code says as it fails."""
    _said.words = kind.decode(), message.decode(errors="replace")
    for tell in _told_too:
        tell(kind, message)


def tell_too(tell: Callable[[bytes, bytes], object]) -> None:
    """Have TVM told of errors, too: the launcher of loops may be that of a library opened here."""
    _told_too.append(tell)


def address_of(function: Any) -> int:
    """Return the address of a C function."""
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)


class LibraryFunctions:
    """A library that was loaded from memory: of a process's first one the launcher is used.

    Args:
        data: The library.
        name: For errors.

    Raises:
        DamagedArtifactError: The system's loader refuses it, or it is none of a model.
    """

    def __init__(self, data: bytes | memoryview, name: str) -> None:
        try:
            with STEPS, os.fdopen(os.memfd_create("tvmfuse model"), "wb+") as file:
                file.write(data)
                file.flush()
                handle = _ctypes.dlopen(unique_path(file.fileno()), os.RTLD_NOW)
        except OSError as error:
            raise DamagedArtifactError(f"{name}: the system cannot load it: {error}") from error
        self._library = ctypes.CDLL(name, handle=handle)
        self._returned = ctypes.byref(TaggedValue())
        try:
            launcher, is_first = share(self._handing_out)
            self._set("__TVMBackendParallelLaunch", launcher.launch)
            self._set("__TVMFFIErrorSetRaisedFromCStr", address_of(_listen))
        except (StoppedError, ValueError) as error:  # ctypes' of a variable that it does not find
            raise DamagedArtifactError(f"{name}: {error}") from error
        if not is_first:
            # Not as the process ends: a thread may be running it.
            weakref.finalize(self, _ctypes.dlclose, handle).atexit = False

    def function(self, name: str) -> Function:
        """Return one of its functions."""
        function, returned = self._function(name), self._returned

        def call(args: Any, count: int) -> None:
            if function(None, args, count, returned):
                kind, words = _said.__dict__.pop("words", ("", "the model did not say why"))
                raise StoppedError(kind, words)

        return call

    def address(self, name: str) -> int:
        """Return where one begins."""
        return address_of(self._function(name))

    def _function(self, name: str) -> Any:
        try:
            function = getattr(self._library, PREFIX + name)
        except AttributeError:
            words = f"its library has no function {name!r}: compile the model again"
            raise StoppedError(DAMAGED, words) from None
        function.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p)
        return function

    def _handing_out(self, name: str) -> Callable[..., int]:
        """Return a function that takes addresses and returns an address."""
        function, result = self._function(name), TaggedValue()

        def call(*addresses: int) -> int:
            values = [TaggedValue(ADDRESS, 0, each) for each in addresses]
            args = (TaggedValue * len(values))(*values)
            function(None, args, len(addresses), ctypes.byref(result))
            return int(result.value)

        return call

    def _set(self, slot: str, address: int) -> None:
        ctypes.c_void_p.in_dll(self._library, slot).value = address


def unique_path(descriptor: int) -> str:
    """Return a path to an open file that no other library was ever opened by.

    The system's loader takes two libraries of one name for one, even when the file was replaced.
    So a number is spelled in the path, in slashes (0) and slashes with a dot (1).
    """
    bits = f"{next(_counter):b}"
    return f"/proc/self/fd{''.join('/.' if bit == '1' else '/' for bit in bits)}/{descriptor}"
