"""The launcher of parallel loops that the models of this process share.

Each compiled model holds it: machine code that needs no TVM. That of the first model that is opened
stays and serves all others, so that there is one set of worker threads. `build/native/launcher.c`
says how it works.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from tvmfuse.errors import IncompatibleArtifactError
from tvmfuse.runtime.forking import STEPS
from tvmfuse.tvm_runtime import runtime_symbol

#: TVM's name of what a kernel calls with a parallel loop; where a library keeps its address.
LAUNCH: Final = "TVMBackendParallelLaunch"
SLOT: Final = f"__{LAUNCH}"

#: What older files lack: see ``build/native/quick_calls.c``, ``choices.c``, ``watched_memory.c``.
QUICK: Final = "tvmfuse_quick_call"
CHOOSER: Final = "tvmfuse_chooser"
WATCHED: Final = "tvmfuse_watched_memory"
RECORDER: Final = "tvmfuse_recorder"

#: TVM's names of what counts who holds an object.
COUNTS: Final = ("TVMFFIObjectIncRef", "TVMFFIObjectDecRef")

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
        module: TVM's, of that library.
    """

    def __init__(self, module: Any) -> None:
        self._module = module
        self._functions = _Functions.from_address(self._function("tvmfuse_launcher")())
        self.known: Callable[..., bool] = self._function("tvmfuse_known")
        self.call: Callable[..., Any] = self._function("tvmfuse_call")
        self.quick_call: Callable[[int], int] | None = None
        self.chooser: Callable[..., Callable[..., Any]] | None = None
        self.watched_memory: Callable[[int], int] | None = None
        with suppress(AttributeError):  # to ask for it first says nothing of what LLVM links later
            self.quick_call = self._function(QUICK)
            self.chooser = self._function(CHOOSER)
            self.watched_memory = self._function(WATCHED)

    def _function(self, name: str) -> Any:
        return self._module.get_function(name, query_imports=True)

    def install(self) -> None:
        """Take the place of TVM's launcher in every library that TVM opens from now on.

        Threads that never called `use` still compute as TVM has it.
        """
        given = (ctypes.cast(runtime_symbol(n), ctypes.c_void_p) for n in (LAUNCH, *COUNTS))
        ours = ctypes.c_void_p(self._functions.install(*given))
        runtime_symbol("TVMFFIEnvModRegisterContextSymbol")(SLOT.encode(), ours)

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
            found = _Recorder.from_address(self._function(RECORDER)())
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


def ensure(open_library: Callable[[], Any]) -> None:
    """See that this process has a launcher, before a library is opened that shall use it.

    Args:
        open_library: Returns TVM's module of a library that holds one; called if there is none yet.
    """
    with STEPS:
        if not _process:
            found = Launcher(open_library())
            found.install()
            _process.append(found)


def current() -> Launcher:
    """Return the launcher of this process, which `ensure` found."""
    return _process[0]
