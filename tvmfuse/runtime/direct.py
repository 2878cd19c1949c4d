"""A compiled model's one function that writes results where it is told, if it has one.

`tvmfuse.build.compiled_main` says what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import tvm_ffi

from tvmfuse.runtime.compiled_main import DIRECT
from tvmfuse.tensors import empty

#: What says how many bytes lie between, of a model that is quick to run.
MEMORY: Final = "main_direct_memory"


@dataclass(frozen=True)
class Direct:
    """The function.

    Attributes:
        call: Returns 1.
        nbytes: How many bytes lie between inputs and results.
    """

    call: Callable[..., int]
    nbytes: int

    def memory(self) -> tvm_ffi.Tensor:
        """Return new memory for what lies between, for one call at a time."""
        return empty((max(self.nbytes, 1),), "uint8")


def direct_of(module: Any) -> Direct | None:
    """Return a module's function, if it has one and calls take a part of the time; else None."""
    # To ask for what is not there is an error, of which TVM's runtime takes a backtrace.
    if not module.implements_function(MEMORY, query_imports=True):
        return None
    call, nbytes = (module.get_function(n, query_imports=True) for n in (DIRECT, MEMORY))
    return Direct(call, nbytes())
