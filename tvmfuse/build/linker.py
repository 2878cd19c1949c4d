"""Linking object files into a shared library with what is installed."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tvmfuse.build.tools import run_tool
from tvmfuse.errors import ArtifactError, LinkerNotFoundError

#: Compilers find the C library's functions by themselves; a bare linker leaves them to be found
#: when the library is loaded, by a process that has them. Those of C take half the time.
COMPILERS: Final = ("cc", "gcc", "clang", "c++", "g++", "clang++")
LINKERS: Final = ("ld", "ld.lld", "ld.bfd", "ld.gold")


def installed(processor: str = "") -> bool:
    """Whether a compiler or linker for a processor is in the PATH; see `link_shared`."""
    return any(shutil.which(tool) for tool in _tools(processor))


def is_foreign(processor: str) -> bool:
    """Whether code for a processor, by the name that Linux gives it, is not for this machine's."""
    return processor not in ("", platform.machine())


def _tools(processor: str) -> tuple[str, ...]:
    """Return the compilers and linkers for a processor, by the names that Linux gives them."""
    if not is_foreign(processor):
        return (*COMPILERS, *LINKERS)
    crossing = [f"{processor}-linux-gnu-{tool}" for tool in ("gcc", "g++", "ld")]
    return (*crossing, "ld.lld")


def link_shared(
    output: str | Path,
    objects: Sequence[str | Path],
    aliases: Mapping[str, str] = MappingProxyType({}),
    processor: str = "",
) -> None:
    """Link a shared library with the first compiler or linker in the PATH that can.

    Args:
        output: The library.
        objects: Object files.
        aliases: Further names of symbols that the objects define.
        processor: What the objects are for, ``aarch64`` say; empty for this machine's.

    Raises:
        LinkerNotFoundError: None is installed.
        ArtifactError: None of those installed can.
    """
    failures = []
    for tool in _tools(processor):
        if (found := shutil.which(tool)) is None:
            continue
        # A symbol that is not there is to be an error of loading, and no end of the process later.
        flags, prefix, libraries = ["-shared", "-z", "now"], "", list[str]()
        if not tool.endswith(LINKERS):
            flags, prefix, libraries = ["-shared", "-fPIC", "-Wl,-z,now"], "-Wl,", ["-lm"]
        flags += [f"{prefix}--defsym={alias}={symbol}" for alias, symbol in aliases.items()]
        command = [found, *flags, "-o", str(output), *map(str, objects), *libraries]
        done = run_tool(command, Path(output).parent)
        if done.returncode == 0:
            return
        failures.append(f"{found}: {(done.stderr or done.stdout).strip()}")
    if failures:
        raise ArtifactError(f"cannot link a shared library: {'; '.join(failures)}")
    if is_foreign(processor):
        raise LinkerNotFoundError(
            f"a model for {processor} is linked by one of {', '.join(_tools(processor))}, and none "
            f"is in the PATH: install one, as in 'apt-get install binutils-{processor}-linux-gnu'"
        )
    raise LinkerNotFoundError(
        "saving a model links a shared library, and no C compiler and no linker is in the PATH: "
        "install one, as in 'apt-get install binutils', 'dnf install binutils', 'apk add binutils' "
        "or 'conda install binutils'; running the model here, with Artifact.load(), needs none"
    )
