"""Runs compiled files for AArch64 on this machine, by qemu and the C library."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from tvmfuse.c.library import FLAGS, INCLUDE, build_library, c_compiler

PROCESSOR: Final = "aarch64"
TARGET: Final = "neoverse-n1"
"""What models are compiled for, where a test says nothing else."""

EMULATORS: Final = ("qemu-aarch64", "qemu-aarch64-static")
PACKAGES: Final = "gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
SOURCE: Final = Path(__file__).with_name("runs.c")

CODES: Final = {"i": 0, "u": 1, "f": 2, "b": 6}
KINDS: Final = {0: "int", 1: "uint", 2: "float"}


def missing() -> str:
    """Return what this machine has to have, in words, and has not; empty where it has all."""
    tools = [f"{PROCESSOR}-linux-gnu-gcc", " or ".join(EMULATORS)]
    lacking = [t for t in tools if not any(map(shutil.which, t.split(" or ")))]
    return f"no {', no '.join(lacking)} is installed: apt-get install {PACKAGES}" * bool(lacking)


class Emulator:
    """A program for AArch64 that runs models, and what starts it here.

    Args:
        folder: Where the program and the C library are built.
    """

    def __init__(self, folder: Path) -> None:
        compiler = c_compiler(PROCESSOR)
        build_library(folder, ["-Werror"], PROCESSOR)
        self._program = folder / "runs"
        linked = [f"-L{folder}", "-ltvmfuse", f"-Wl,-rpath,{folder}", "-o", str(self._program)]
        command = [compiler, *FLAGS, "-Werror", f"-I{INCLUDE}", str(SOURCE), *linked]
        subprocess.run(command, check=True, timeout=60)
        loader = [compiler, "-print-file-name=ld-linux-aarch64.so.1"]
        found = subprocess.run(loader, check=True, capture_output=True, text=True, timeout=60)
        self._root = Path(found.stdout.strip()).resolve().parent.parent
        self._emulator = next(filter(None, map(shutil.which, EMULATORS)))

    def run(
        self, feeds: Mapping[Path, Sequence[np.ndarray]], cpu: str = "max"
    ) -> dict[Path, list[np.ndarray] | str]:
        """Run models in one process; return the outputs of each, or why it does not run.

        Args:
            feeds: Of each folder, which has ``model.so``, the inputs in the model's order.
            cpu: One of `qemu-aarch64 -cpu help`.
        """
        for folder, arrays in feeds.items():
            (folder / "inputs").write_bytes(b"".join(map(_written, arrays)))
            for name in ("outputs", "error"):
                (folder / name).unlink(missing_ok=True)
        self.start(self._program, *feeds, cpu=cpu)
        return {folder: _result(folder) for folder in feeds}

    def start(
        self, program: Path, *arguments: Path | str, cpu: str = "max", folder: Path | None = None
    ) -> None:
        """Run a program to its end, which has to be a good one; in a folder, if it is given."""
        command = [self._emulator, "-cpu", cpu, "-L", self._root, program, *arguments]
        done = subprocess.run(
            [*map(str, command)],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, f"exit status {done.returncode}: {done.stderr}"


def _result(folder: Path) -> list[np.ndarray] | str:
    if (folder / "error").exists():
        return (folder / "error").read_text()
    return [*_read((folder / "outputs").read_bytes())]


def _written(array: np.ndarray) -> bytes:
    kind = struct.pack("=BBHi", CODES[array.dtype.kind], 8 * array.itemsize, 1, array.ndim)
    return kind + struct.pack(f"={array.ndim}q", *array.shape) + array.tobytes()


def _read(data: bytes) -> Iterator[np.ndarray]:
    at = 0
    while at < len(data):
        code, bits, _, rank = struct.unpack_from("=BBHi", data, at)
        shape = struct.unpack_from(f"={rank}q", data, at + 8)
        dtype = np.dtype("bool" if code == CODES["b"] else f"{KINDS[code]}{bits}")
        at += 8 + 8 * rank
        count = int(np.prod(shape, dtype=np.int64))
        yield np.frombuffer(data, dtype, count, at).reshape(shape)
        at += count * dtype.itemsize
