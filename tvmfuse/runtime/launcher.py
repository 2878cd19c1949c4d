"""The launcher of parallel loops that the models of this process share.

Each compiled model holds it: machine code that needs no TVM. That of the first model that is opened
stays and serves all others, so that there is one set of worker threads. `build/native/launcher.c`
says how it works.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Final, TypeAlias

#: The functions of a library that return the address of what they hand out.
LAUNCHER: Final = "tvmfuse_launcher"
RECORDER: Final = "tvmfuse_recorder"

Find: TypeAlias = Callable[[str], Callable[..., int]]
"""Returns a library's function, of addresses, by its name; raises an AttributeError if it has none.
"""

_Install = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_MakePool = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int, ctypes.c_int)
_Use = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)  # It takes nanoseconds: Python's lock is kept.


class _Functions(ctypes.Structure):
    """What `launcher.c` hands out."""

    _fields_ = (("install", _Install), ("make_pool", _MakePool), ("use", _Use))


_Record = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int)
_Recorded = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)


class _Recorder(ctypes.Structure):
    """What `launcher.c` hands out for noting the times of pieces."""

    _fields_ = (("record", _Record), ("recorded", _Recorded))


class Launcher:
    """The code in one library, which stays in memory.

    Args:
        find: Of that library.

    Attributes:
        find: Of that library.
        launch: The address of what compiled code is to launch its loops by.
    """

    def __init__(self, find: Find) -> None:
        self.find = find
        self._functions = _Functions.from_address(find(LAUNCHER)())
        self.launch = int(self._functions.install(None))

    def install(self, stock: int) -> None:
        """Take TVM's launcher, for the loops of threads that never called `use`, by its address."""
        self._functions.install(stock)

    def make_pool(self, threads: int, *, spin: bool) -> int:
        """Return a new pool, which is never freed; its workers start with the first loop.

        Args:
            threads: How many compute, the calling one included.
            spin: Whether workers may wait actively for a while where the cores are quiet.

        Raises:
            MemoryError: There is none.
        """
        if pool := self._functions.make_pool(threads, spin):
            return int(pool)
        raise MemoryError("no memory for a pool of threads")

    def recorder(self) -> tuple[Callable[[int, int, int, int], None], Callable[[int], int]]:
        """Return what lets a pool note the times of pieces, and what ends that; see `record`."""
        found = _Recorder.from_address(self.find(RECORDER)())
        return found.record, found.recorded

    def use(self, pool: int) -> None:
        """Let kernels that this thread calls compute on a pool."""
        self._functions.use(pool)


_process: Final[list[Launcher]] = []


def share(find: Find) -> tuple[Launcher, bool]:
    """Return the launcher of this process, and whether it is a library's: if that is the first.

    Args:
        find: Of the library. Another one is not asked: each that is keeps a key of the process's
            threads, of which there are 1024.
    """
    is_first = not _process
    if is_first:
        _process.append(Launcher(find))
    return _process[0], is_first


def has_one() -> bool:
    """Whether this process has a launcher."""
    return bool(_process)


def current() -> Launcher:
    """Return the launcher of this process, which `share` was given."""
    return _process[0]
