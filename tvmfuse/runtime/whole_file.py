"""Opening a compiled file: its `main` as machine code, and what the virtual machine runs."""

from __future__ import annotations

import functools
import mmap
import os
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from tvmfuse.arrays import aligned, numpy_dtype
from tvmfuse.format.file import Build
from tvmfuse.runtime.compatibility import check_tvm, tvm_here
from tvmfuse.runtime.compiled_main import PREFIX, SIZES, Code, CompiledMain
from tvmfuse.runtime.mapping import NOTHING, bytes_of
from tvmfuse.runtime.threads import Workers
from tvmfuse.without_torch import import_ffi

if TYPE_CHECKING:
    from tvmfuse.runtime.virtual_machine import Program

MakeMain: TypeAlias = Callable[[Workers], CompiledMain]


def holds_main(library: bytes, build: Build) -> bool:
    """Whether a compiled file's library runs on the CPU without a virtual machine."""
    return build.device_code is None and f"{PREFIX}{SIZES}\0".encode() in library


def main_of(file: BinaryIO, pages: mmap.mmap, build: Build, name: str) -> MakeMain | None:
    """Return what makes a file's `main` callable; None where it takes the virtual machine.

    That is so of a file with code for usual sizes, too, which only the machine chooses among.

    Args:
        file: Index and contents were checked.
        pages: All of it, mapped; weights are read there.
        build: The one of its builds that runs here.
        name: For errors.

    Raises:
        DamagedArtifactError: The system's loader refuses the library.
    """
    if build.manifest.specialized:
        return None
    begin, size = build.library
    file.seek(begin)
    library = file.read(size)
    if not holds_main(library, build):
        return None
    code, memory = Code(library, name), bytes_of(pages) if build.weights else NOTHING
    weights = [
        aligned(memory[w.offset : w.offset + w.size].view(numpy_dtype(w.dtype)).reshape(w.shape))
        for w in build.weights
    ]
    return lambda workers: CompiledMain(code, build.manifest, weights, workers)


def program_of(
    file: BinaryIO, build: Build, name: str, *, is_needed: bool
) -> Callable[[], Program]:
    """Return what opens a file for TVM's virtual machine, once; the file may be closed then.

    Args:
        file: Index and contents were checked.
        build: The one of its builds that runs here.
        name: For errors.
        is_needed: Whether it is opened now.

    Raises:
        IncompatibleArtifactError: The machine is needed, and it is another TVM's.
    """

    def opened(file: BinaryIO) -> Program:
        check_tvm(tvm_here(), build.manifest, name)
        import_ffi()
        # Not before: it takes TVM.
        from tvmfuse.runtime.library import open_program

        return open_program(file, build, name)

    if is_needed:
        program = opened(file)
        return lambda: program
    kept = os.fdopen(os.dup(file.fileno()), "rb")
    later = functools.partial(opened, kept)
    weakref.finalize(later, kept.close)
    return later
