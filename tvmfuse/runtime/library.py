"""Opening a GPU's model in a compiled file: TVM loads its library."""

from __future__ import annotations

import os
from typing import Any, Final

import numpy as np
import tvm_ffi

from tvmfuse.errors import DamagedArtifactError, first_line
from tvmfuse.format.file import Build
from tvmfuse.runtime.forking import STEPS
from tvmfuse.runtime.functions import unique_path
from tvmfuse.runtime.on_gpu import Program
from tvmfuse.tensors import mapped_tensor, moved_to
from tvmfuse.tvm_runtime import cuda_module, runtime_function

LOAD: Final = "ffi.Module.load_from_file.so"


def open_program(memory: np.ndarray, build: Build, name: str) -> Program:
    """Open a GPU's model; its index and contents were checked.

    Args:
        memory: The compiled file's, mapped.
        build: What it says of itself.
        name: For errors.

    Raises:
        DamagedArtifactError: The system's loader refuses the library.
    """
    with STEPS, os.fdopen(os.memfd_create("tvmfuse model"), "wb+") as library:
        library.write(_piece(memory, build.library).data)
        library.flush()
        try:
            module = runtime_function(LOAD)(unique_path(library.fileno()), "so")
        except RuntimeError as error:
            reason = first_line(error)
            raise DamagedArtifactError(f"{name}: the system cannot load it: {reason}") from error
    device = tvm_ffi.device("cuda", 0)
    assert build.device_code is not None  # it is a GPU's
    _import_device_code(module, _piece(memory, build.device_code).tobytes())
    tensors = [
        mapped_tensor(memory[w.offset : w.offset + w.size], w.shape, w.dtype) for w in build.weights
    ]
    bound = len(tensors) - len(build.manifest.overridable)
    weights, defaults = [moved_to(w, device) for w in tensors[:bound]], tensors[bound:]
    return Program(module, weights, device, frozenset(build.aliased_outputs), defaults)


def _piece(memory: np.ndarray, place: tuple[int, int]) -> np.ndarray:
    offset, size = place
    return memory[offset : offset + size]


def _import_device_code(module: Any, code: bytes) -> None:
    """Give the kernels' launchers the kernels."""
    launchers = next(m for m in module.imports if m.kind == "library")
    launchers.import_module(cuda_module(code))
