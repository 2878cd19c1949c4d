"""linker: whatever compiler or linker there is; without any, saving says what to install."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from relax_models import WITHOUT_TORCH, affine, succeeds

from tvmfuse.build import linker
from tvmfuse.build.assemble import build
from tvmfuse.build.kernels.compile import compile_kernels
from tvmfuse.errors import ArtifactError, IncompatibleArtifactError, LinkerNotFoundError
from tvmfuse.runtime.loading import load
from tvmfuse.target.resolve import resolve

X = np.random.default_rng(0).standard_normal((3, 16), dtype="float32")


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return a function that leaves just these programs in the PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()

    def leave(*programs: str) -> Path:
        for name in programs:
            if (found := shutil.which(name)) is None:
                pytest.skip(f"{name} is not installed")
            (folder / name).symlink_to(found)
        monkeypatch.setenv("PATH", str(folder))
        monkeypatch.setattr("tvmfuse.build.assemble.link_shared", linker.link_shared)
        return folder

    return leave


@pytest.mark.parametrize("programs", [("ld",), ("gcc", "ld"), ("c++", "ld")], ids="+".join)
def test_one_of_them_is_enough(only: Any, tmp_path: Path, programs: tuple[str, ...]) -> None:
    affines = affine()
    artifact = affines.build()
    only(*programs)
    artifact.save(tmp_path / "model.so")
    y = load(tmp_path / "model.so")(x=X)["y"]
    np.testing.assert_allclose(y, affines.reference(X)[0], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("programs", [("ld",), ("ld.gold",), ("gcc", "ld")], ids="+".join)
def test_each_gives_kernels_their_names_in_the_model(only: Any, programs: tuple[str, ...]) -> None:
    affines = affine()
    only(*programs)
    compiled = compile_kernels(affines.module, resolve("llvm"))
    artifact = build(compiled.module, resolve("llvm"), affines.manifest, code=compiled.code)
    y = artifact.load()(x=X)["y"]
    np.testing.assert_allclose(y, affines.reference(X)[0], rtol=1e-5, atol=1e-5)


def test_without_any_it_says_what_to_install(only: Any, tmp_path: Path) -> None:
    artifact = affine().build()
    only()
    with pytest.raises(LinkerNotFoundError) as error:
        artifact.save(tmp_path / "model.so")
    assert "'apt-get install binutils'" in str(error.value)
    assert "Artifact.load(), needs none" in str(error.value)
    assert not list(tmp_path.glob("*.so*"))


@pytest.mark.usefixtures("just_in_time")
def test_without_any_the_model_runs_in_process(only: Any) -> None:
    only()
    affines = affine()
    y = affines.build().load()(x=X)["y"]
    np.testing.assert_allclose(y, affines.reference(X)[0], rtol=1e-5, atol=1e-5)


def test_a_broken_compiler_is_passed_over(only: Any, tmp_path: Path) -> None:
    artifact = affine().build()
    folder = only("ld")
    (folder / "cc").write_text("#!/bin/sh\nexit 1\n")
    (folder / "cc").chmod(0o755)
    artifact.save(tmp_path / "model.so")
    assert load(tmp_path / "model.so")(x=X)["y"].shape == (3, 8)


def test_broken_tools_say_what_they_say(only: Any, tmp_path: Path) -> None:
    folder = only()
    (folder / "cc").write_text("#!/bin/sh\necho cannot find -lm >&2; exit 1\n")
    (folder / "cc").chmod(0o755)
    with pytest.raises(
        ArtifactError, match=f"cannot link a shared library: {folder}/cc: cannot find -lm"
    ):
        linker.link_shared(tmp_path / "out.so", [os.devnull])


@pytest.fixture
def crossing(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine is an x86-64, wherever the test runs."""
    monkeypatch.setattr("platform.machine", lambda: "x86_64")


def test_another_processor_s_model_says_which_linker_it_takes(
    only: Any, crossing: None, tmp_path: Path
) -> None:
    only("ld")
    model = affine()
    assert linker.installed()
    assert not linker.installed("aarch64")
    artifact = build(model.module, resolve("neoverse-n1"), model.manifest)
    with pytest.raises(LinkerNotFoundError, match="'apt-get install binutils-aarch64-linux-gnu'"):
        artifact.save(tmp_path / "model.so")


def test_another_processor_s_linker_is_called_by_its_name(
    only: Any, crossing: None, tmp_path: Path
) -> None:
    folder = only()
    for name in ("ld", "aarch64-linux-gnu-ld"):
        (folder / name).write_text(f"#!/bin/sh\necho {name} $*; exit 1\n")
        (folder / name).chmod(0o755)
    with pytest.raises(
        ArtifactError,
        match=f"shared library: {folder}/aarch64-linux-gnu-ld: .*ld -shared -z now -o",
    ) as error:
        linker.link_shared(tmp_path / "out.so", [os.devnull], processor="aarch64")
    assert "-fPIC" not in str(error.value)


@pytest.mark.parametrize("tool", ["aarch64-linux-gnu-ld", "ld.lld", "aarch64-linux-gnu-gcc"])
def test_a_model_is_linked_for_another_processor(
    only: Any, crossing: None, tmp_path: Path, tool: str
) -> None:
    only(tool)
    model = affine()
    target = resolve("neoverse-n1")
    compiled = compile_kernels(model.module, target)
    artifact = build(compiled.module, target, model.manifest, code=compiled.code)
    artifact.save(tmp_path / "model.so")
    # ELF's e_machine: EM_AARCH64.
    assert (tmp_path / "model.so").read_bytes()[18:20] == b"\xb7\x00"
    with pytest.raises(IncompatibleArtifactError, match="was compiled for neoverse-n1"):
        load(tmp_path / "model.so")


FULL_DISK = """
import tempfile
sys.path.insert(0, sys.argv[1])
from relax_models import WITHOUT_TORCH, affine, succeeds
from tvmfuse.errors import ArtifactError
artifact = affine().build()
tempfile.tempdir = sys.argv[2]
try:
    artifact.save(sys.argv[3])
except ArtifactError as error:
    print(error)
"""
IN_NAMESPACE = ["unshare", "--map-root-user", "--mount"]


def test_a_full_temporary_folder_is_named(tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    mount = f"mount -t tmpfs -o size=16k tmpfs {full}"
    if subprocess.run(
        [*IN_NAMESPACE, "sh", "-c", mount], capture_output=True, check=False
    ).returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    program = shlex.join([sys.executable, "-c", WITHOUT_TORCH + FULL_DISK])
    arguments = shlex.join(
        [str(Path(__file__).parent.parent), str(full), str(tmp_path / "model.so")]
    )
    done = subprocess.run(
        [*IN_NAMESPACE, "sh", "-c", f"{mount} && {program} {arguments}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "cannot link the model in a temporary folder" in succeeds(done)
    assert not (tmp_path / "model.so").exists()
