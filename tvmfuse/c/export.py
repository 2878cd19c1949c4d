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
from tvmfuse.c.runnable import read_runnable
from tvmfuse.format.atomic import atomic_write
from tvmfuse.target.resolve import processor, resolve

README: Final = """\
{name}, compiled by tvmfuse, and what runs it without Python.

  model.so         the model: machine code and weights
  tvmfuse.h        the interface, every function documented; tvmfuse.hpp: for C++
  libtvmfuse.so    the library, which needs libc alone; libtvmfuse.a: to be linked into a program
  run.c, run.cpp   a program that describes the model, and runs it on files or zeros
  languages        the same interface and program in Rust, Go, C# and Node

In C:
  cc run.c -I. -L. -ltvmfuse -Wl,-rpath,'$ORIGIN' -o run && ./run model.so

In other languages, after
  export LD_LIBRARY_PATH=$PWD CGO_CFLAGS=-I$PWD CGO_LDFLAGS=-L$PWD RUSTFLAGS=-L$PWD
one of
  c++ -std=c++17 run.cpp -I. -L. -ltvmfuse -o run && ./run model.so
  cargo run -q --offline --manifest-path languages/rust/Cargo.toml --example run model.so
  (cd languages/go && go build -o ../../run ./run) && ./run model.so
  mcs -unsafe -out:run.exe languages/csharp/*.cs && mono run.exe model.so
  npm install --prefix languages/node && node languages/node/run.js model.so
"""
PROGRAMS: Final = ("run.c", "run.cpp")
LANGUAGES: Final = (
    "rust/Cargo.toml",
    "rust/*/*.rs",
    "go/go.mod",
    "go/*.go",
    "go/run/*.go",
    "csharp/*.cs",
    "node/package.json",
    "node/*.js",
)
"""Patterns of what other languages take, and not of what was built there."""


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
    data, manifest = read_runnable(model)
    target = Path(output)
    folder = target.name.removesuffix(".gz").removesuffix(".tar").removesuffix(".tgz") or "model"
    with temporary_folder() as scratch:
        build_library(scratch, processor=processor(resolve(manifest.target)))
        files = {file.name: file.read_bytes() for file in sorted(scratch.iterdir())}
    readme = README.format(name=manifest.name)
    files |= {"model.so": data, "README": readme.encode()}
    files |= {program: (SOURCES / "examples" / program).read_bytes() for program in PROGRAMS}
    languages = SOURCES / "languages"
    sources = sorted(file for pattern in LANGUAGES for file in languages.glob(pattern))
    files |= {str(file.relative_to(SOURCES)): file.read_bytes() for file in sources}
    ours = distribution("tvmfuse").files or ()
    files |= {file.name: file.read_binary() for file in ours if file.name == "LICENSE"}
    with atomic_write(target) as file:
        file.write(_archive(folder, files))
    return tuple(files)


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
