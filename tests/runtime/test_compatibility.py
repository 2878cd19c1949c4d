"""compatibility: what this machine cannot run is refused, and says what it would take."""

import dataclasses
import json
from typing import Any

import pytest

from tvmfuse.errors import IncompatibleArtifactError
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.compatibility import MISSING, Host, check_runs_on, check_tvm, tvm_here
from tvmfuse.target import host_cpu, tile_permission
from tvmfuse.target.host_cpu import cpu_features

CPU = Manifest(
    "model",
    (),
    (),
    target=json.dumps({"kind": "llvm", "mcpu": "skylake-avx512"}),
    cpu_features=("avx2", "avx512bw", "avx512f"),
    versions={"apache-tvm": "0.27.0.post1"},
)
GPU = dataclasses.replace(
    CPU, target=json.dumps({"kind": "cuda", "arch": "sm_80"}), cpu_features=()
)
HOST = Host(frozenset({"avx2", "avx512f", "avx512bw", "fma"}), (9, 0))
TILES = dataclasses.replace(CPU, cpu_features=("amx-int8", "amx-tile"))
TILES_HOST = dataclasses.replace(HOST, cpu_features=HOST.cpu_features | {"amx-int8", "amx-tile"})


def for_gpu(arch: str) -> Manifest:
    return dataclasses.replace(GPU, target=json.dumps({"kind": "cuda", "arch": arch}))


@pytest.mark.parametrize("manifest", [CPU, GPU, for_gpu("sm_90"), for_gpu("sm_90a")])
def test_a_machine_with_all_it_takes_is_let_through(manifest: Any) -> None:
    check_runs_on(HOST, manifest, "m.so")


@pytest.mark.parametrize(
    ("host", "manifest", "words"),
    [
        (
            dataclasses.replace(HOST, cpu_features=frozenset({"avx2", "fma"})),
            CPU,
            (
                "m.so was compiled for skylake-avx512, and this machine's CPU lacks avx512bw, avx512f: "
                "compile the model with target='llvm' on this machine, or for an older CPU"
            ),
        ),
        (
            dataclasses.replace(HOST, compute_capability=None),
            GPU,
            (
                "m.so was compiled for CUDA (sm_80), and this machine has no NVIDIA GPU that its "
                "driver (libcuda.so.1) shows: run it where one is, or compile with target='llvm'"
            ),
        ),
        (
            dataclasses.replace(HOST, compute_capability=(7, 5)),
            GPU,
            (
                "m.so was compiled for sm_80, and this machine's GPU is sm_75: "
                "compile the model with target='cuda -arch=sm_75'"
            ),
        ),
        (
            dataclasses.replace(HOST, compute_capability=(10, 0)),
            for_gpu("sm_90a"),
            (
                "m.so was compiled for sm_90a, and this machine's GPU is sm_100: "
                "compile the model with target='cuda -arch=sm_100'"
            ),
        ),
        (
            dataclasses.replace(TILES_HOST, gives_tiles=False),
            TILES,
            (
                "m.so may use the CPU's matrix unit (AMX), and Linux does not let this process use "
                "its registers"
            ),
        ),
    ],
)
def test_what_is_missing_is_named(host: Any, manifest: Any, words: str) -> None:
    with pytest.raises(IncompatibleArtifactError) as error:
        check_runs_on(host, manifest, "m.so")
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("tvm", "versions", "words"),
    [
        (
            "0.28.1",
            CPU.versions,
            (
                "m.so was compiled with apache-tvm 0.27.0.post1, and here is apache-tvm 0.28.1: "
                "compile the model again, or pip install apache-tvm==0.27.0.post1"
            ),
        ),
        (
            MISSING,
            CPU.versions,
            (
                "m.so is for a GPU, which takes TVM's runtime, and apache-tvm is not installed: pip "
                "install apache-tvm==0.27.0.post1"
            ),
        ),
        ("0.27.0", {}, "compiled with apache-tvm an unknown version"),
    ],
)
def test_another_tvm_does_not_run_it(tvm: str, versions: Any, words: str) -> None:
    check_tvm("0.27.0.post2", CPU, "m.so")
    with pytest.raises(IncompatibleArtifactError) as error:
        check_tvm(tvm, dataclasses.replace(CPU, versions=versions), "m.so")
    assert words in str(error.value)


@pytest.mark.parametrize("granted", [False, True])
def test_registers_of_a_matrix_unit_are_asked_for_where_code_may_use_them(
    granted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(host_cpu, "cpu_features", lambda: TILES_HOST.cpu_features)

    def answer() -> bool:
        asked.append(True)
        return granted

    monkeypatch.setattr(tile_permission, "granted", answer)
    assert not Host.here(CPU).gives_tiles
    assert asked == []
    assert Host.here(TILES).gives_tiles == granted


def test_here_is_this_machine() -> None:
    here = Host.here(CPU)
    assert here.cpu_features == cpu_features()
    assert tvm_here().startswith("0.27.")
    assert here.compute_capability is None
