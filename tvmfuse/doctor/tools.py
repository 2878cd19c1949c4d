"""What compiling takes beside Python: a linker, and a folder for compiled kernels."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tvmfuse.build import linker
from tvmfuse.build.kernels.cache import LIMIT, cache_folder
from tvmfuse.build.kernels.shared import SUFFIX
from tvmfuse.doctor.diagnosis import Check

#: Seconds that a compiler may take to say its version.
ANSWER_S: Final = 10
#: The bits that let others than the owner write.
OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


def check_tools(environment: Mapping[str, str]) -> Iterator[Check]:
    """Yield the linker and the kernel cache that a process with this environment has.

    Args:
        environment: Of `PATH`, `HOME` and `XDG_CACHE_HOME`.
    """
    yield check_linker(environment.get("PATH"))
    folder = cache_folder(environment)
    if folder is None:
        problem = "this user has no home: set XDG_CACHE_HOME to a folder that can be written"
        yield Check("tools", "kernel cache", "", problem)
    else:
        yield check_cache(folder)


def check_linker(path: str | None) -> Check:
    """Return the first compiler or linker of a PATH, with the first line that it says of itself."""
    names = (*linker.COMPILERS, *linker.LINKERS)
    tool = next((found for name in names if (found := shutil.which(name, path=path))), None)
    if tool is None:
        problem = "none is in the PATH, and saving a model links one: apt-get install binutils"
        return Check("tools", "linker", "", problem)
    try:
        said = subprocess.run(
            [tool, "--version"], capture_output=True, text=True, timeout=ANSWER_S, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        return Check("tools", "linker", tool, f"does not run: {error}")
    return Check("tools", "linker", f"{tool}, {said.stdout.partition(chr(10))[0]}")


def check_cache(folder: Path) -> Check:
    """Return what a folder of compiled kernels holds, and whether it can be used."""
    if not folder.exists():
        place = next(p for p in folder.parents if p.exists())
        usable = place.is_dir() and os.access(place, os.W_OK | os.X_OK)
        problem = "" if usable else f"{place} cannot be written: kernels are compiled each time"
        return Check("tools", "kernel cache", f"{folder}, not made yet", problem)
    status = folder.stat()
    mode = stat.S_IMODE(status.st_mode)
    if not folder.is_dir():
        return Check("tools", "kernel cache", f"{folder}", "is no folder: remove it")
    readable = os.access(folder, os.R_OK | os.X_OK)
    sizes = [e.stat().st_size for e in folder.glob(f"*{SUFFIX}")] if readable else []
    size = f"kernels: {len(sizes)}, {sum(sizes) >> 20} of {LIMIT >> 20} MiB"
    return Check("tools", "kernel cache", f"{folder}, {size}, mode {mode:04o}", _unusable(folder))


def _unusable(folder: Path) -> str:
    status = folder.stat()
    if status.st_uid not in (os.geteuid(), 0):
        return f"belongs to user {status.st_uid}: set XDG_CACHE_HOME to a folder of your own"
    if status.st_mode & OTHERS_WRITE:
        return f"others can write there, and what it holds is run: chmod 700 {folder}"
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return f"cannot be written, so that kernels are not kept: chmod 700 {folder}"
    return ""
