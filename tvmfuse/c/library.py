"""Builds the C library that runs compiled models: `build_library`.

``python -m tvmfuse.c.library FOLDER`` does it, too.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from tvmfuse.build.linker import COMPILERS
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


def build_library(folder: Path, flags: Sequence[str] = ()) -> Path:
    """Compile ``libtvmfuse.so`` and ``libtvmfuse.a``; return the first one's path.

    Args:
        folder: Where to; it is made if need be, and gets the headers for C and C++, too. The static
            library is left out where nothing is installed that makes one.
        flags: Further ones, of the compiler.

    Raises:
        LinkerNotFoundError: No C compiler is in the PATH.
        ArtifactError: It cannot compile the library, or `folder` cannot be written to.
    """
    c_compiler()  # or the folder would be made for nothing
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with temporary_folder() as scratch:
            return _built(folder, scratch, flags)
    except OSError as error:
        raise ArtifactError(f"cannot build the C library in {folder}: {error}") from error


def c_compiler() -> str:
    """Return the path of the first C compiler in the PATH.

    Raises:
        LinkerNotFoundError: There is none.
    """
    names = [name for name in COMPILERS if "+" not in name]
    for name in names:
        if (found := shutil.which(name)) is not None:
            return found
    raise LinkerNotFoundError(
        f"the C library is compiled by one of {', '.join(names)}, and none is in the PATH: install "
        "one, as in 'apt-get install gcc libc6-dev' or 'dnf install gcc'"
    )


def compile_objects(sources: Iterable[Path], folder: Path, flags: Sequence[str]) -> list[str]:
    """Compile C files into a folder; return the paths of the object files.

    Raises:
        LinkerNotFoundError: No C compiler is in the PATH.
        ArtifactError: It cannot compile one of them.
    """
    compiler = c_compiler()
    objects = []
    for source in sorted(sources):
        objects.append(str(folder / f"{source.stem}.o"))
        run([compiler, *FLAGS, *flags, "-c", str(source), "-o", objects[-1]], folder)
    return objects


def run(command: Sequence[str], scratch: Path) -> None:
    """Run a compiler or what belongs to it.

    Raises:
        ArtifactError: It fails, and what it says.
    """
    done = run_tool(command, scratch)
    if done.returncode:
        raise ArtifactError(f"cannot build the C library: {done.stderr.strip()}")


def _built(folder: Path, scratch: Path, flags: Sequence[str]) -> Path:
    objects = compile_objects(SOURCES.glob("*.c"), scratch, flags)
    library, static = scratch / "libtvmfuse.so", scratch / "libtvmfuse.a"
    # It is never unloaded: compiled code keeps addresses of its functions.
    linking = ["-shared", "-Wl,-soname,libtvmfuse.so", "-Wl,-z,defs,-z,now,-z,nodelete"]
    if any(flag.startswith("-fsanitize") for flag in flags):
        linking[-1] = "-Wl,-z,now,-z,nodelete"  # A sanitizer's functions are the process's.
    run([c_compiler(), *flags, *linking, "-o", str(library), *objects, *LIBRARIES], scratch)
    archiver = next(filter(None, map(shutil.which, ARCHIVERS)), None)
    if archiver is not None:
        run([archiver, "rcs", str(static), *objects], scratch)
    for file in (library, static, *INCLUDE.iterdir()):
        if file.exists():
            shutil.copy(file, folder)
    return folder / library.name


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python -m tvmfuse.c.library FOLDER")
    print(build_library(Path(sys.argv[1])))  # noqa: T201
