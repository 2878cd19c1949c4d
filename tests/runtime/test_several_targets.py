"""A file for several targets: a machine runs the most demanding one that it can."""

import hashlib
import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import fallbacks
import numpy as np
import onnx
import pretended_cpu
import pytest
from click.testing import CliRunner
from graphs import onnx_model
from onnx.helper import make_node

import tvmfuse
from tvmfuse.build.artifact import Artifact
from tvmfuse.cli import main
from tvmfuse.errors import (
    ConfigurationError,
    DamagedArtifactError,
    FallbackWarning,
    IncompatibleArtifactError,
    UnverifiedArtifactError,
)
from tvmfuse.format.file import open_artifact, read_builds
from tvmfuse.manifest import Manifest
from tvmfuse.target import host_cpu
from tvmfuse.target.resolve import required_cpu_features, resolve

AVX2, AVX512 = "core-avx2", "skylake-avx512"
RNG = np.random.default_rng(0)
TABLE = RNG.standard_normal((1000, 64)).astype(np.float32)
IDS = np.array([3, 999, 0, 3])

needs_avx512 = pytest.mark.skipif(
    not host_cpu.cpu_features().issuperset(required_cpu_features(resolve("avx512"))),
    reason="this CPU has no AVX-512",
)


def looked_up() -> onnx.ModelProto:
    """Return a product of rows of a table, which no target packs in a way of its own."""
    weight = RNG.standard_normal((64, 48)).astype(np.float32)
    nodes = [
        make_node("Gather", ["table", "ids"], ["rows"]),
        make_node("MatMul", ["rows", "weight"], ["y"]),
    ]
    constants = {"table": TABLE, "weight": weight}
    return onnx_model(nodes, {"ids": ("int64", (4,))}, {"y": "float32"}, constants)


MODEL = looked_up()


def mcpu(manifest: Manifest) -> str:
    return str(json.loads(manifest.target)["mcpu"])


@pytest.fixture(scope="module")
def artifact() -> Artifact:
    return tvmfuse.compile(MODEL, target=["avx2", "avx512"])


@pytest.fixture(scope="module")
def path(artifact: Artifact, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("several") / "model.so"
    artifact.save(path)
    return path


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the file of one target, by its CPU."""
    folder = tmp_path_factory.mktemp("alone")
    for cpu in (AVX2, AVX512):
        tvmfuse.compile(MODEL, target=cpu).save(folder / cpu)
    return lambda cpu: folder / cpu


@pytest.mark.parametrize(
    ("host", "taken"),
    [
        ("haswell", AVX2),
        ("znver3", AVX2),
        pytest.param("skylake-avx512", AVX512, marks=needs_avx512),
        pytest.param("icelake-server", AVX512, marks=needs_avx512),
    ],
)
def test_the_most_demanding_target_is_taken_and_computes_what_its_own_file_does(
    monkeypatch: pytest.MonkeyPatch,
    path: Path,
    artifact: Artifact,
    alone: Callable[[str], Path],
    host: str,
    taken: str,
) -> None:
    pretended_cpu.be(monkeypatch, host)
    expected = tvmfuse.load(alone(taken))(ids=IDS)["y"]
    for run in (tvmfuse.load(path), artifact.load()):
        assert mcpu(run.manifest) == taken
        assert run.manifest.target in run.manifest.targets
        np.testing.assert_array_equal(run(ids=IDS)["y"], expected)


def test_where_none_runs_it_is_said_what_each_lacks(
    monkeypatch: pytest.MonkeyPatch, path: Path, artifact: Artifact
) -> None:
    monkeypatch.setattr(
        host_cpu,
        "cpu_features",
        lambda: frozenset(required_cpu_features(resolve("haswell"))) - {"fma"},
    )
    for load in (partial(tvmfuse.load, path), artifact.load):
        with pytest.raises(IncompatibleArtifactError) as error:
            load()
        said = str(error.value)
        assert "was compiled for 2 targets, and this machine's CPU lacks " in said
        assert "avx512bw" in said.partition(f" for {AVX512}; ")[0]
        assert f"; fma for {AVX2}: compile the model with target='llvm'" in said


def test_the_manifest_lists_all_targets_whatever_the_order_they_are_given_in(
    path: Path, artifact: Artifact
) -> None:
    said = tvmfuse.inspect(path)
    assert [json.loads(target)["mcpu"] for target in said.targets] == [AVX512, AVX2]
    assert said == artifact.save(path)
    other = tvmfuse.compile(MODEL, target=("avx512", "avx2"))
    assert other.manifest.targets == said.targets


def test_one_target_in_a_list_is_that_target() -> None:
    manifest = tvmfuse.compile(MODEL, target=["avx2"]).manifest
    assert (mcpu(manifest), manifest.targets) == (AVX2, ())


def test_weights_of_equal_bytes_are_stored_once(path: Path, alone: Callable[[str], Path]) -> None:
    with open_artifact(path) as file:
        first, second = read_builds(file, "model")
    places = [{(w.offset, w.size) for w in build.weights} for build in (first, second)]
    assert TABLE.nbytes in {size for _, size in places[0] & places[1]}
    sizes = [os.path.getsize(alone(cpu)) for cpu in (AVX2, AVX512)]
    assert os.path.getsize(path) < sum(sizes) - TABLE.nbytes + 10_000


def test_an_altered_byte_shows_in_whichever_target_it_is(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    with open_artifact(path) as file:
        builds = read_builds(file, "model")
    places = [begin + size // 2 for b in builds for begin, size in (b.library, *places_of(b))]
    for place in places:
        changed = bytearray(content)
        changed[place] ^= 1
        (tmp_path / "model.so").write_bytes(changed)
        with pytest.raises(DamagedArtifactError, match="was altered after it was written"):
            tvmfuse.load(tmp_path / "model.so")
    (tmp_path / "model.so").write_bytes(content[:-1])
    with pytest.raises(DamagedArtifactError, match="is truncated"):
        tvmfuse.load(tmp_path / "model.so")


def places_of(build: Any) -> list[tuple[int, int]]:
    return [(weight.offset, weight.size) for weight in build.weights]


def test_its_digest_is_of_the_whole_file(path: Path) -> None:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert tvmfuse.load(path, sha256=digest).manifest.name == "graph"
    with pytest.raises(UnverifiedArtifactError):
        tvmfuse.load(path, sha256="0" * 64)


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        ([], "target: expected one or more, found none"),
        (["avx2", "avx2"], "the targets avx2 and avx2 need the same CPU features"),
        (["avx2", "avx512", "haswell"], "the targets avx2 and haswell need the same CPU features"),
        (["avx2", "cuda"], "several targets in one file are for the CPU, found .*cuda"),
        (["avx2", "neoverse-n1"], "are for one processor, found aarch64 and x86_64"),
        (["avx2", "avx1024"], "no target is called 'avx1024'"),
    ],
)
def test_what_cannot_be_in_one_file_is_refused(targets: list[str], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        tvmfuse.compile(MODEL, target=targets)


@pytest.mark.parametrize("option", ["save_optimized", "dump_ir"])
def test_what_is_of_one_target_is_refused(option: str, tmp_path: Path) -> None:
    options: Any = {option: tmp_path / "written"}
    with pytest.raises(ConfigurationError, match=f"{option}=: for one target, and there are sever"):
        tvmfuse.compile(MODEL, target=["avx2", "avx512"], **options)


def test_a_model_in_parts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    fallbacks.refuse(monkeypatch, "Sin")
    nodes = [make_node("Sin", ["x"], ["s"]), make_node("MatMul", ["s", "s"], ["y"])]
    model = onnx_model(nodes, {"x": ("float32", (3, 3))}, {"y": "float32"})
    with (
        pytest.warns(FallbackWarning),
        pytest.raises(ConfigurationError, match="compiled in parts, .* for one target only"),
    ):
        tvmfuse.compile(model, target=["avx2", "avx512"], fallback="onnxruntime")


def test_progress_says_for_which_target() -> None:
    steps: list[str] = []
    tvmfuse.compile(MODEL, target=["avx2", "avx512"], progress=steps.append)
    names = [step.partition(": ")[0] for step in steps]
    assert list(dict.fromkeys(names)) == ["avx512", "avx2"]


def test_on_the_command_line(tmp_path: Path) -> None:
    model, path = tmp_path / "m.onnx", tmp_path / "m.so"
    onnx.save(MODEL, model)
    targets = ["--target", "avx2,avx512", "--target", "llvm -mcpu=znver4 -mattr=-gfni"]
    done = CliRunner().invoke(main, ["compile", str(model), "-o", str(path), *targets])
    assert done.exit_code == 0, done.output
    shown = CliRunner().invoke(main, ["inspect", str(path), "--json"])
    found = [json.loads(target)["mcpu"] for target in json.loads(shown.output)["targets"]]
    assert found == ["znver4", AVX512, AVX2]
