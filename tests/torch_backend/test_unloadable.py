"""A kept entry whose library the system cannot load is compiled anew, and replaced."""

from __future__ import annotations

import shutil
import struct
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import nn

from tvmfuse.build.kernels.cache import Entry, KernelCache
from tvmfuse.build.linker import link_shared
from tvmfuse.torch_backend.backend import tvmfuse_backend

X = torch.linspace(-1, 1, 24).reshape(4, 6)


def run(folder: Path) -> None:
    """Compile a network, compare it with eager, call it once more."""
    torch._dynamo.reset()
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU()).eval()
    call = torch.compile(model, backend=tvmfuse_backend, options={"cache": str(folder)})
    with torch.no_grad():
        for x in (X, -X):
            torch.testing.assert_close(call(x), model(x))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept")
    run(folder)
    return folder


def of_another_machine(library: bytes) -> bytes:
    return library[:18] + struct.pack("<H", 243) + library[20:]  # RISC-V


def compiled(code: str) -> Callable[[bytes], bytes]:
    """Return what compiles a library of C code."""

    def made(_library: bytes) -> bytes:
        if shutil.which("cc") is None:
            pytest.skip("there is no C compiler")
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "code.c"), Path(folder, "code.o")
            source.write_text(code)
            subprocess.run(["cc", "-c", "-fPIC", source, "-o", target], check=True)
            link_shared(target.with_suffix(".so"), [target])
            return target.with_suffix(".so").read_bytes()

    return made


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "half of it": lambda library: library[: len(library) // 2],
    "its head alone": lambda library: library[:80],
    "nothing": lambda _: b"",
    "zeros": lambda library: bytes(len(library)),
    "for another machine": of_another_machine,
    "calling what is nowhere": compiled("void nowhere(void); void call(void) { nowhere(); }"),
    "lacking all of ours": compiled("int number;"),
}


def libraries(folder: Path) -> dict[str, tuple[Entry, bytes, bytes]]:
    """Return the entries of artifacts, each with its library and the rest of it."""
    cache, found = KernelCache(folder), {}
    for file in folder.iterdir():
        entry = cache.get(file.stem)
        if entry is not None and "manifest" in entry.header:
            size = entry.header["library"]
            found[file.stem] = entry, entry.code[:size], entry.code[size:]
    return found


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_library_that_cannot_be_loaded(kept: Path, tmp_path: Path, damage: str) -> None:
    folder = Path(shutil.copytree(kept, tmp_path / "kept"))
    ((key, (entry, library, rest)),) = libraries(folder).items()
    damaged = DAMAGES[damage](library)
    header = {**entry.header, "library": len(damaged)}
    KernelCache(folder).put({key: Entry(header, damaged + rest)})
    with pytest.warns(UserWarning, match="a kept entry is not used, and compiled anew"):
        run(folder)
    ((_, repaired, _),) = libraries(folder).values()
    assert len(repaired) == len(library)
