"""The machine code by which this process calls models on TVM's virtual machine.

Each compiled model holds it. That of the first model that TVM opens stays and serves all others.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from tvmfuse.runtime.compiled_main import address_of, tell_too
from tvmfuse.runtime.forking import STEPS
from tvmfuse.runtime.launcher import Launcher, share
from tvmfuse.tvm_runtime import runtime_symbol

#: TVM's name of what a kernel calls with a parallel loop; where a library keeps its address.
LAUNCH: Final = "TVMBackendParallelLaunch"
SLOT: Final = f"__{LAUNCH}"

#: What older files lack: see ``build/native/quick_calls.c``, ``choices.c``, ``watched_memory.c``.
QUICK: Final = "tvmfuse_quick_call"
CHOOSER: Final = "tvmfuse_chooser"
WATCHED: Final = "tvmfuse_watched_memory"

#: TVM's names of what counts who holds an object.
COUNTS: Final = ("TVMFFIObjectIncRef", "TVMFFIObjectDecRef")


class QuickFunctions:
    """The functions of one library.

    Args:
        module: TVM's, of that library.

    Attributes:
        known: Whether tensors are like those that are known; see ``build/native/arguments.c``.
        call: Calls a function with tensors, if they are.
        quick_call: Makes a method that calls without Python's checks; None in older files.
        chooser: Makes a function that chooses among some; likewise.
        watched_memory: Makes a method that sees writes; likewise.
    """

    def __init__(self, module: Any) -> None:
        self._module = module
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
        """Have the process's launcher take the place of TVM's in what TVM opens from now on.

        Threads that never chose a pool still compute as TVM has it.
        """
        given = [address_of(runtime_symbol(name)) for name in (LAUNCH, *COUNTS)]
        own = Launcher(self._function)
        launcher = share(own)
        for each in (own, launcher):  # the first, because its library counts who holds an object
            each.install(*given)
        launch = ctypes.c_void_p(launcher.launch)
        runtime_symbol("TVMFFIEnvModRegisterContextSymbol")(SLOT.encode(), launch)
        tell_too(runtime_symbol("TVMFFIErrorSetRaisedFromCStr"))


_process: Final[list[QuickFunctions]] = []


def ensure(open_library: Callable[[], Any]) -> None:
    """See that this process has such functions, before TVM opens a library.

    Args:
        open_library: Returns TVM's module of a library that holds them; called if there are none.
    """
    with STEPS:
        if not _process:
            found = QuickFunctions(open_library())
            found.install()
            _process.append(found)


def functions() -> QuickFunctions:
    """Return those of this process, which `ensure` found."""
    return _process[0]
