"""Opening a build in a compiled file: what runs it, on the CPU or on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from tvmfuse.arrays import aligned, numpy_dtype
from tvmfuse.format.file import Build
from tvmfuse.runtime.compatibility import check_tvm, tvm_here
from tvmfuse.runtime.compiled_main import FixedWeights
from tvmfuse.runtime.functions import LibraryFunctions
from tvmfuse.runtime.on_cpu import OnCpu
from tvmfuse.runtime.threads import Workers
from tvmfuse.without_torch import import_ffi

Open: TypeAlias = Callable[[Workers], Any]
"""Makes an `OnCpu` or an `OnGpu`."""


def opened(memory: np.ndarray, build: Build, name: str) -> Open:
    """Return what runs a build.

    Args:
        memory: The compiled file's, mapped and checked; weights are read there.
        build: The one of its builds that runs here.
        name: For errors.

    Raises:
        DamagedArtifactError: The system's loader refuses the library.
        IncompatibleArtifactError: It is a GPU's, and of another TVM.
    """
    if build.device_code is not None:
        return _on_gpu(memory, build, name)
    begin, size = build.library
    functions = LibraryFunctions(memory[begin : begin + size].data, name)
    weights = [
        aligned(memory[w.offset : w.offset + w.size].view(numpy_dtype(w.dtype)).reshape(w.shape))
        for w in build.weights
    ]
    bound = len(weights) - len(build.manifest.overridable)
    fixed, defaults = FixedWeights(weights[:bound]), weights[bound:]
    return lambda workers: OnCpu(build.manifest, functions, fixed, defaults, workers)


def _on_gpu(memory: np.ndarray, build: Build, name: str) -> Open:
    check_tvm(tvm_here(), build.manifest, name)
    import_ffi()
    # Not before: it takes TVM.
    from tvmfuse.runtime.library import open_program
    from tvmfuse.runtime.on_gpu import OnGpu

    program = open_program(memory, build, name)
    return lambda _workers: OnGpu(build.manifest, program)
