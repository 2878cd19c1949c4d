"""The launcher of parallel loops that the models of this process share.

Each compiled model holds it: machine code that needs no TVM. That of the first model that is opened
stays and serves all others, so that there is one set of worker threads. `build/native/launcher.c`
says how it works.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Final, TypeAlias

from tvmfuse.errors import IncompatibleArtifactError

#: The functions of a library that return the address of what they hand out.
LAUNCHER: Final = "tvmfuse_launcher"
RECORDER: Final = "tvmfuse_recorder"

Find: TypeAlias = Callable[[str], Callable[[], int]]
"""Returns a library's function by its name; raises an AttributeError where it has none."""

_Install = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
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
        launch: The address of what compiled code is to launch its loops by.
    """

    def __init__(self, find: Find) -> None:
        self._find = find
        self._functions = _Functions.from_address(find(LAUNCHER)())
        self.launch = int(self._functions.install(None, None, None))

    def install(self, stock: int, retain: int, release: int) -> None:
        """Take what TVM has; each is an address.

        Args:
            stock: Of what launches the loops of threads that never called `use`.
            retain: Of what counts one more who holds an object.
            release: Of what counts one less.
        """
        self._functions.install(stock, retain, release)

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
        """Return what lets a pool note the times of pieces, and what ends that; see `record`.

        Raises:
            IncompatibleArtifactError: The file that was opened first is of a tvmfuse without.
        """
        try:
            found = _Recorder.from_address(self._find(RECORDER)())
        except AttributeError:
            raise IncompatibleArtifactError(
                "the first model that this process opened was compiled by an older tvmfuse, whose "
                "launcher times no pieces of loops: compile it again, or open another one first"
            ) from None
        return found.record, found.recorded

    def use(self, pool: int) -> None:
        """Let kernels that this thread calls compute on a pool."""
        self._functions.use(pool)


_process: Final[list[Launcher]] = []


def share(found: Launcher) -> Launcher:
    """Return the launcher of this process: the one that is found, if it is the first."""
    if not _process:
        _process.append(found)
    return _process[0]


def has_one() -> bool:
    """Whether this process has a launcher."""
    return bool(_process)


def current() -> Launcher:
    """Return the launcher of this process, which `share` was given."""
    return _process[0]
