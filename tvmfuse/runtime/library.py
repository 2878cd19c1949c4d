"""Opening a compiled file's shared library in this process."""

from __future__ import annotations

import os
import weakref
from typing import Any, BinaryIO, Final

import numpy as np
import tvm_ffi

from tvmfuse.errors import ArtifactError, DamagedArtifactError, first_line
from tvmfuse.format.file import Build
from tvmfuse.runtime.compiled_main import unique_path
from tvmfuse.runtime.forking import STEPS
from tvmfuse.runtime.mapping import NOTHING, mapped
from tvmfuse.runtime.quick_functions import ensure
from tvmfuse.runtime.virtual_machine import Program
from tvmfuse.tensors import CPU, mapped_tensor, moved_to
from tvmfuse.tvm_runtime import cuda_module, runtime_function

_open: Final[weakref.WeakValueDictionary[tuple[int, int, int], Program]] = (
    weakref.WeakValueDictionary()
)


def open_program(file: BinaryIO, build: Build, name: str) -> Program:
    """Open a file whose index and contents were checked.

    The library is opened through the file that was checked, not by its path once more; one that
    does not stand at the file's start is copied to memory. The system hands out one library for one
    file, so that two models of one file share a program.

    Raises:
        ArtifactError: The file was overwritten in place while a model of it is loaded.
        DamagedArtifactError: The system's loader refuses the library.
    """
    status = os.fstat(file.fileno())
    key = (status.st_dev, status.st_ino, build.library[0])
    with STEPS:
        program = _open.get(key)
        if program is None:
            memory = mapped(file) if build.weights else NOTHING
            if build.library[0]:
                program = open_part(file, 0, memory, build, name)
            else:
                program = _program(file, file, 0, memory, build, name)
            _open[key] = program
    if program.sha256 != build.manifest.sha256:
        raise ArtifactError(
            f"{name} was overwritten in place while a model loaded from it is in use: write to "
            "another file and rename it, as Artifact.save does"
        )
    return program


def open_part(file: BinaryIO, offset: int, memory: np.ndarray, build: Build, name: str) -> Program:
    """Open a compiled file that lies in another one; its index and contents were checked.

    The system loads a library from a file's start: it is copied to memory. Weights are not.

    Args:
        file: The other one.
        offset: Where it begins.
        memory: All of the other file, as `mapped` returns it.
        build: What it says of itself.
        name: For errors.

    Raises:
        DamagedArtifactError: The system's loader refuses the library.
    """
    begin, size = build.library
    with STEPS, os.fdopen(os.memfd_create("tvmfuse part"), "wb+") as library:
        file.seek(offset + begin)
        library.write(file.read(size))
        library.flush()
        return _program(library, file, offset, memory[offset:], build, name)


def load_library(file: BinaryIO, name: str, size: int = -1) -> Any:
    """Load the library in an open file, which may be closed then.

    Args:
        file: Begins with it.
        name: For errors.
        size: The library's; by default it is all of the file.

    Raises:
        DamagedArtifactError: The system's loader refuses the library.
    """
    try:
        ensure(lambda: _copy(file, size))
        return _load(file)
    except RuntimeError as error:
        reason = first_line(error)
        raise DamagedArtifactError(f"{name}: the system cannot load it: {reason}") from error


def _load(file: BinaryIO) -> Any:
    return runtime_function("ffi.Module.load_from_file.so")(unique_path(file.fileno()), "so")


def _copy(file: BinaryIO, size: int) -> Any:
    """Load a library from memory: it is to stay, whatever becomes of the model and its file."""
    with os.fdopen(os.memfd_create("tvmfuse launcher"), "wb+") as memory:
        file.seek(0)
        memory.write(file.read(size))
        memory.flush()
        return _load(memory)


def _program(
    library: BinaryIO, file: BinaryIO, start: int, memory: np.ndarray, build: Build, name: str
) -> Program:
    """Open a library, and what belongs to it in a file that begins at `start` of an open one.

    In `memory`, it begins at the start.
    """
    module, device = load_library(library, name, build.library[1]), CPU
    if build.device_code:
        device = tvm_ffi.device("cuda", 0)
        offset, length = build.device_code
        _import_device_code(module, file, (start + offset, length))
    tensors = [
        mapped_tensor(memory[w.offset : w.offset + w.size], w.shape, w.dtype) for w in build.weights
    ]
    bound = len(tensors) - len(build.manifest.overridable)
    weights, defaults = [moved_to(w, device) for w in tensors[:bound]], tensors[bound:]
    aliased = frozenset(build.aliased_outputs)
    said = build.manifest
    return Program(module, weights, device, aliased, defaults, said.sha256, bool(said.shared))


def _import_device_code(module: Any, file: BinaryIO, place: tuple[int, int]) -> None:
    """Give the kernels' launchers the kernels."""
    offset, size = place
    file.seek(offset)
    kernels = cuda_module(file.read(size))
    launchers = next(m for m in module.imports if m.kind == "library")
    launchers.import_module(kernels)
