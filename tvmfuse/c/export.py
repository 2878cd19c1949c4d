"""A compiled model with all that it takes to run it from C, in one archive: `export`."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from collections.abc import Mapping
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from tvmfuse.build.scratch import temporary_folder
from tvmfuse.c.library import SOURCES, build_library
from tvmfuse.errors import IncompatibleArtifactError
from tvmfuse.format.atomic import atomic_write
from tvmfuse.format.bundle import begins_as_bundle
from tvmfuse.format.file import check_contents, open_artifact, read_index
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.direct import SIZES
from tvmfuse.target.resolve import processor, resolve

README: Final = """\
{name}, compiled by tvmfuse, and what runs it without Python.

  model.so         the model: machine code and weights
  tvmfuse.h        the interface, every function documented
  libtvmfuse.so    the library, which needs libc alone; libtvmfuse.a: to be linked into a program
  run.c            a program that describes the model, and runs it on files or zeros

  cc run.c -I. -L. -ltvmfuse -Wl,-rpath,'$ORIGIN' -o run && ./run model.so
"""


def export(model: str | os.PathLike[str], output: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write an archive that runs on a machine with no Python; return the names of its files.

    The library in it is for the model's processor, which may be another than this machine's.
    Equal models and libraries make equal archives.

    Args:
        model: A compiled file.
        output: The archive to write, a ``.tar.gz``, in one folder of its name.

    Raises:
        ArtifactError: The file cannot be read, or the archive not written.
        DamagedArtifactError: It is truncated, altered or no compiled file.
        IncompatibleArtifactError: C cannot run it, and why.
        LinkerNotFoundError: No C compiler for its processor is in the PATH.
    """
    data, manifest = _checked(model)
    target = Path(output)
    folder = target.name.removesuffix(".gz").removesuffix(".tar").removesuffix(".tgz") or "model"
    with temporary_folder() as scratch:
        build_library(scratch, processor=processor(resolve(manifest.target)))
        files = {file.name: file.read_bytes() for file in sorted(scratch.iterdir())}
    files |= {
        "model.so": data,
        "run.c": (SOURCES / "examples" / "run.c").read_bytes(),
        "README": README.format(name=manifest.name).encode(),
    }
    ours = distribution("tvmfuse").files or ()
    files |= {file.name: file.read_binary() for file in ours if file.name == "LICENSE"}
    with atomic_write(target) as file:
        file.write(_archive(folder, files))
    return tuple(files)


def _checked(model: str | os.PathLike[str]) -> tuple[bytes, Manifest]:
    """Return a compiled file's bytes, and what it says of its model, if C can run it."""
    with open_artifact(model) as file:
        if begins_as_bundle(file):
            raise IncompatibleArtifactError(
                f"{model} leaves some of its nodes to another engine, which C has not"
            )
        index = read_index(file, str(model))
        check_contents(file, index, str(model))
        file.seek(0)
        data = file.read()
    _, size = index.record.payloads[0]
    if index.device_code is not None or f"__tvm_ffi_{SIZES}\0".encode() not in data[:size]:
        raise IncompatibleArtifactError(
            f"{model} has no compiled main that C can call: it is for a GPU, has control flow, or "
            "sizes that its data decide; load it with Python"
        )
    return data, index.manifest


def _archive(folder: str, files: Mapping[str, bytes]) -> bytes:
    """Return a compressed archive, which depends on nothing but the files."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as archive:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mode = len(data), 0o755 if name.endswith(".so") else 0o644
            archive.addfile(entry, io.BytesIO(data))
    # Weights hardly get smaller, at any level.
    return gzip.compress(written.getvalue(), compresslevel=1, mtime=0)
