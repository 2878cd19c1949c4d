"""Machine code that TVM links in memory, where no linker is installed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Final

from tvm import tirx
from tvm.ir import PointerType, PrimType, Var
from tvm.tirx import Bind, Evaluate, IfThenElse, PrimFunc, SeqStmt, op

from tvmfuse import _tvm
from tvmfuse.build.kernel_calls import null
from tvmfuse.build.refusals import offer_refusals
from tvmfuse.errors import InputError, SizesError
from tvmfuse.runtime.failures import FAILURES, StoppedError
from tvmfuse.runtime.forking import STEPS
from tvmfuse.runtime.functions import Function, tell_too
from tvmfuse.runtime.launcher import share
from tvmfuse.schedules.loop_nests import SCHEDULED
from tvmfuse.tvm_runtime import runtime_symbol

#: TVM's name of what a kernel calls with a parallel loop; where a library keeps its address.
LAUNCH: Final = "TVMBackendParallelLaunch"
SLOT: Final = f"__{LAUNCH}"

#: With this behind a function's name, what calls it with an array of tagged values.
WITH_ARRAY: Final = "_with_array"


def with_array(name: str, function: PrimFunc) -> PrimFunc:
    """Return a function that calls another one of its module with an array of tagged values."""
    values, result = (Var(n, PointerType(PrimType("void"))) for n in ("values", "result"))
    given = null(), values, len(function.params), result
    returned = op.call_extern("int32", f"{_tvm.SYMBOL_PREFIX}{name}", *given)
    failed = tirx.NE(returned, tirx.const(0, "int32"))
    called = IfThenElse(failed, Evaluate(op.tvm_throw_last_error()), None)
    body = SeqStmt([Bind(result, op.tvm_stack_alloca("tvm_ffi_any", 1)), called])
    return PrimFunc([values], body).with_attr(SCHEDULED, 1)


class JittedFunctions:
    """The functions of a model, which TVM finds.

    Args:
        made: LLVM's module.
        native: What a library would bring along.
    """

    def __init__(self, made: Any, native: Callable[[], Any]) -> None:
        launch_in_tvm(native)
        self._module = made

    def function(self, name: str) -> Function:
        """Return one of them."""
        run = self._module[f"{name}{WITH_ARRAY}"]

        def call(args: Any, count: int) -> None:
            del count  # as many as it was compiled for
            try:
                run(ctypes.c_void_p(ctypes.addressof(args)))
            except (*FAILURES, InputError) as error:
                kind = "InputError" if isinstance(error, SizesError) else type(error).__name__
                raise StoppedError(kind, str(error)) from error

        return call

    def address(self, name: str) -> int:
        """Return 0: TVM does not say where one begins."""
        del name
        return 0


_installed: Final = list[Any]()


def launch_in_tvm(native: Callable[[], Any]) -> None:
    """Have the process's launcher take the place of TVM's in what TVM opens from now on.

    Args:
        native: See `JittedFunctions`.
    """
    with STEPS:
        if _installed:
            return
        module = native()
        launcher, _is_first = share(module.get_function)
        tell_too(runtime_symbol("TVMFFIErrorSetRaisedFromCStr"))
        launcher.install(ctypes.cast(runtime_symbol(LAUNCH), ctypes.c_void_p).value or 0)
        launch = ctypes.c_void_p(launcher.launch)
        runtime_symbol("TVMFFIEnvModRegisterContextSymbol")(SLOT.encode(), launch)
        offer_refusals()
        _installed.append(module)
