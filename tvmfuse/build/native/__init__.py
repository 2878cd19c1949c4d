"""What each model brings along beside its kernels, for each processor: see ``native.c``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import tvm_ffi
from tvm.target import Target

from tvmfuse import _tvm
from tvmfuse.build.kernels.machine_code import object_file
from tvmfuse.runtime.virtual_machine import ALLOCATES_LARGE, ALLOCATES_SIZED
from tvmfuse.target.resolve import processor

#: What bytecode calls by these names: see ``sizes.c``, and ``pages.c`` for the last.
HEAP: Final = "tvmfuse_size_heap"
SHAPE: Final = "tvmfuse_shape"
FITS: Final = "tvmfuse_fits"
SIZED_TENSOR: Final = ALLOCATES_SIZED
TENSOR: Final = ALLOCATES_LARGE


def native_module(target: Target) -> Any:
    """Return TVM's LLVM module of that code, for the processor of a target."""
    return _llvm_module(processor(target))


def native_object(target: Target) -> bytes:
    """Return its object file, which LLVM makes once for each processor."""
    return _object_file(processor(target))


def _llvm_module(name: str) -> Any:
    return _tvm.llvm_from_ir(Path(__file__).with_name(f"{name}.ll"))


@cache
def offer_to_bytecode(target: Target) -> None:
    """Let bytecode that is not linked with that code call it."""
    module = native_module(target)
    for name in (HEAP, SHAPE, FITS, SIZED_TENSOR, TENSOR):
        tvm_ffi.register_global_func(name, module.get_function(name), override=True)


@cache
def _object_file(name: str) -> bytes:
    return object_file(_llvm_module(name))
