"""Builds the C library that runs compiled models: `build_library`.

``python -m tvmfuse.c.library FOLDER`` does it, too, and for another processor ``FOLDER aarch64``.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from tvmfuse.build.linker import COMPILERS, is_foreign
from tvmfuse.build.scratch import temporary_folder
from tvmfuse.build.tools import run_tool
from tvmfuse.errors import ArtifactError, LinkerNotFoundError

SOURCES: Final = Path(__file__).parent
INCLUDE: Final = SOURCES / "include"
"""The folder of the headers, for a compiler's ``-I``."""

FLAGS: Final = ("-std=c11", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra")
LIBRARIES: Final = ("-ldl", "-lpthread")
"""Parts of the C library that older ones have in files of their own."""

ARCHIVERS: Final = ("ar", "gcc-ar", "llvm-ar")


def build_library(folder: Path, flags: Sequence[str] = (), processor: str = "") -> Path:
    """Compile ``libtvmfuse.so`` and ``libtvmfuse.a``; return the first one's path.

    Args:
        folder: Where to; it is made if need be, and gets the headers for C and C++, too. The static
            library is left out where nothing is installed that makes one.
        flags: Further ones, of the compiler.
        processor: What it is for, ``aarch64`` say; empty for this machine's.

    Raises:
        LinkerNotFoundError: No C compiler for it is in the PATH.
        ArtifactError: It cannot compile the library, or `folder` cannot be written to.
    """
    c_compiler(processor)  # or the folder would be made for nothing
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with temporary_folder() as scratch:
            return _built(folder, scratch, flags, processor)
    except OSError as error:
        raise ArtifactError(f"cannot build the C library in {folder}: {error}") from error


def c_compiler(processor: str = "") -> str:
    """Return the path of the first C compiler in the PATH.

    Args:
        processor: What it compiles for, ``aarch64`` say; empty for this machine's.

    Raises:
        LinkerNotFoundError: There is none.
    """
    names = [name for name in COMPILERS if "+" not in name]
    if (found := _found(names, processor)) is not None:
        return found
    if is_foreign(processor):
        raise LinkerNotFoundError(
            f"the C library for {processor} is compiled by {processor}-linux-gnu-gcc, which is not "
            f"in the PATH: install it, as in 'apt-get install gcc-{processor}-linux-gnu'"
        )
    raise LinkerNotFoundError(
        f"the C library is compiled by one of {', '.join(names)}, and none is in the PATH: install "
        "one, as in 'apt-get install gcc libc6-dev' or 'dnf install gcc'"
    )


def compile_objects(
    sources: Iterable[Path], folder: Path, flags: Sequence[str], processor: str = ""
) -> list[str]:
    """Compile C files into a folder; return the paths of the object files.

    Raises:
        LinkerNotFoundError: No C compiler for that processor is in the PATH.
        ArtifactError: It cannot compile one of them.
    """
    compiler = c_compiler(processor)
    objects = []
    for source in sorted(sources):
        objects.append(str(folder / f"{source.stem}.o"))
        run([compiler, *FLAGS, *flags, "-c", str(source), "-o", objects[-1]], folder)
    return objects


def _found(names: Sequence[str], processor: str) -> str | None:
    """Return the path of the first tool that is there, by the names that Linux gives them."""
    prefix = f"{processor}-linux-gnu-" if is_foreign(processor) else ""
    return next(filter(None, (shutil.which(prefix + name) for name in names)), None)


def run(command: Sequence[str], scratch: Path) -> None:
    """Run a compiler or what belongs to it.

    Raises:
        ArtifactError: It fails, and what it says.
    """
    done = run_tool(command, scratch)
    if done.returncode:
        raise ArtifactError(f"cannot build the C library: {done.stderr.strip()}")


def _built(folder: Path, scratch: Path, flags: Sequence[str], processor: str) -> Path:
    objects = compile_objects(SOURCES.glob("*.c"), scratch, flags, processor)
    library, static = scratch / "libtvmfuse.so", scratch / "libtvmfuse.a"
    # It is never unloaded: compiled code keeps addresses of its functions.
    linking = ["-shared", "-Wl,-soname,libtvmfuse.so", "-Wl,-z,defs,-z,now,-z,nodelete"]
    if any(flag.startswith("-fsanitize") for flag in flags):
        linking[-1] = "-Wl,-z,now,-z,nodelete"  # A sanitizer's functions are the process's.
    run(
        [c_compiler(processor), *flags, *linking, "-o", str(library), *objects, *LIBRARIES], scratch
    )
    archiver = _found(ARCHIVERS, processor)
    if archiver is not None:
        run([archiver, "rcs", str(static), *objects], scratch)
    for file in (library, static, *INCLUDE.iterdir()):
        if file.exists():
            shutil.copy(file, folder)
    return folder / library.name


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("python -m tvmfuse.c.library FOLDER [PROCESSOR]")
    print(build_library(Path(sys.argv[1]), processor="".join(sys.argv[2:])))  # noqa: T201
