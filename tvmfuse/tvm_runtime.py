"""TVM's runtime without TVM's compiler, in this process.

`tvm_ffi` and ``libtvm_runtime.so`` (3 MB) run a compiled model; ``import tvm`` would also load the
compiler (260 MB). A later ``import tvm`` finds the runtime loaded and shares it.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import sys
from pathlib import Path
from typing import Any, Final

import tvm_ffi

from tvmfuse.errors import ArtifactError, IncompatibleArtifactError

#: The runtime itself; the functions that some kernels call (sort, top-k).
LIBRARIES: Final = ("libtvm_runtime.so", "libtvm_runtime_extra.so")

# Ctrl-C while TVM calls Python: without this it comes out of TVM as a RuntimeError.
tvm_ffi.register_error("KeyboardInterrupt", KeyboardInterrupt)

#: What kernels call where an index is out of range: see `runtime.out_of_range`.
REFUSES: Final = "tvmfuse.index_out_of_range"

#: What `main` calls where a size is not what it has to be: see `build.feed_checks`.
WRONG_SIZE: Final = "tvmfuse.wrong_size"

#: What CUDA takes beside them; it needs NVIDIA's driver and CUDA's runtime.
CUDA_LIBRARY: Final = "libtvm_runtime_cuda.so"


@functools.cache
def runtime_function(name: str) -> Any:
    """Return one of TVM's runtime functions by its registered name."""
    load_tvm_runtime()
    return tvm_ffi.get_global_func(name)


@functools.cache
def quick_function(name: str) -> Any:
    """Return one likewise that keeps Python's lock, which takes as long to drop as its work."""
    load_tvm_runtime()
    found = tvm_ffi.get_global_func(name)
    found.release_gil = False
    return found


@functools.cache
def runtime_symbol(name: str) -> Any:
    """Return one of the runtime's C functions, for `ctypes`."""
    load_tvm_runtime()
    return getattr(ctypes.CDLL(str(_path(LIBRARIES[0]))), name)


@functools.cache
def load_tvm_runtime() -> None:
    """Load TVM's runtime, unless ``import tvm`` did.

    Raises:
        ArtifactError: It is not installed.
    """
    if "tvm" not in sys.modules:
        for name in LIBRARIES:
            ctypes.CDLL(str(_path(name)), ctypes.RTLD_GLOBAL)


def cuda_module(code: bytes) -> Any:
    """Return the module of a GPU's kernels.

    Args:
        code: As `cuda_code.build` makes it.

    Raises:
        IncompatibleArtifactError: The CUDA runtime or the NVIDIA driver is missing.
    """
    load_tvm_runtime()
    try:
        ctypes.CDLL(str(_path(CUDA_LIBRARY)), ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise IncompatibleArtifactError(
            f"TVM's runtime for CUDA does not load: {error}: install the NVIDIA driver and the "
            "CUDA runtime that it names"
        ) from error
    return runtime_function("ffi.Module.load_from_bytes.cuda")(code)


def _path(library: str) -> Path:
    spec = importlib.util.find_spec("tvm")
    for folder in spec.submodule_search_locations or () if spec else ():
        if (path := Path(folder, "lib", library)).is_file():
            return path
    raise ArtifactError(f"TVM's {library} is not installed: pip install 'apache-tvm>=0.27,<0.28'")
