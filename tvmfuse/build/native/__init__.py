"""What each model brings along beside its kernels, for each processor: see ``native.c``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tvm.target import Target

from tvmfuse import _tvm
from tvmfuse.target.resolve import processor


def native_module(target: Target) -> Any:
    """Return TVM's LLVM module of that code, for the processor of a target."""
    return _tvm.llvm_from_ir(Path(__file__).with_name(f"{processor(target)}.ll"))
