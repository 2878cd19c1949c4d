"""A file for several targets in C: the first is opened that this machine's CPU runs."""

import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import quantized_models
import resealed

import tvmfuse
from tvmfuse.build.artifact import Artifact
from tvmfuse.c.ep_context import save_ep_context
from tvmfuse.c.export import export

MISSING = "a feature of next year"
SIZES = ((32, 64), (64, 8))


@pytest.fixture(scope="module")
def artifact() -> Artifact:
    weights = [np.sin(np.arange(n * m, dtype=np.float32)).reshape(n, m) for n, m in SIZES]
    return tvmfuse.compile(quantized_models.products(*weights), target=["avx2", "avx512"])


@pytest.fixture(scope="module")
def path(artifact: Artifact, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("several") / "model.so"
    artifact.save(path)
    return path


def without(content: bytes, *places: int) -> bytes:
    """Return a file whose builds at these places no machine runs."""

    def need(index: dict[str, Any]) -> None:
        for place in places:
            index["header"]["builds"][place]["manifest"]["cpu_features"].append(MISSING)

    return resealed.changed(content, need)


@pytest.mark.parametrize("lacking", [(), (0,)], ids=["avx512 or avx2", "avx2"])
def test_it_runs_what_python_runs(
    in_watched_c: Callable[..., str], path: Path, tmp_path: Path, lacking: tuple[int, ...]
) -> None:
    file = tmp_path / "model.so"
    file.write_bytes(without(path.read_bytes(), *lacking))
    model = tvmfuse.load(file)
    feeds = {s.name: np.ones(tuple(map(int, s.shape)), s.dtype) for s in model.inputs}
    np.savez(tmp_path / "run.npz", *feeds.values(), *model(feeds).values())
    said = in_watched_c(
        """
        model = Model(given[0])
        inputs, outputs = arrays_of(given[1], model)
        assert bits(model.run(inputs)) == bits(outputs)
        print(c.tvmfuse_manifest(model.handle).decode())
        """,
        file,
        tmp_path / "run.npz",
    )
    assert json.loads(said)["target"] == model.manifest.target


def test_where_none_runs_it_is_said_what_each_lacks(
    in_watched_c: Callable[..., str], path: Path, tmp_path: Path
) -> None:
    (tmp_path / "model.so").write_bytes(without(path.read_bytes(), 0, 1))
    said = in_watched_c(
        "assert status_of(given[0]) == INCOMPATIBLE; print(error())", tmp_path / "model.so"
    )
    assert "was compiled for 2 targets, and each needs a feature that this machine's" in said
    assert f'"{MISSING}": compile the model on this machine' in said


def test_damage_and_lies_are_errors_in_words(
    in_watched_c: Callable[..., str], path: Path, tmp_path: Path
) -> None:
    content = path.read_bytes()
    for number, lie in zip(range(100), resealed.lies(content, seed=5), strict=False):
        (tmp_path / f"{number}").write_bytes(lie)
    in_watched_c(
        """
        for name in os.listdir(given[0]):
            try:
                Model(f"{given[0]}/{name}").close()
            except OSError as failed:
                assert failed.args[0] in (DAMAGED, INCOMPATIBLE), failed
        content = open(given[1], "rb").read()
        for place in np.random.default_rng(2).integers(0, len(content), 200):
            changed = bytearray(content)
            changed[place] ^= 1
            assert status_of(bytes(changed)) in (DAMAGED, INCOMPATIBLE)
        """,
        tmp_path,
        path,
    )


def test_onnxruntime_runs_it(
    in_onnxruntime: Callable[..., str], artifact: Artifact, path: Path, tmp_path: Path
) -> None:
    save_ep_context(artifact, tmp_path / "m.onnx")
    model = tvmfuse.load(path)
    feeds = {s.name: np.ones(tuple(map(int, s.shape)), s.dtype) for s in model.inputs}
    np.savez(tmp_path / "run.npz", *feeds.values(), *model(feeds).values())
    in_onnxruntime(
        """
        model = session(given[0])
        feeds, outputs = arrays_in(given[1], model)
        assert bits(model.run(None, feeds)) == bits(outputs)
        """,
        tmp_path / "m.onnx",
        tmp_path / "run.npz",
    )


def test_export_and_ep_context_take_it_whole(
    artifact: Artifact, path: Path, tmp_path: Path
) -> None:
    export(path, tmp_path / "model.tar.gz")
    with tarfile.open(tmp_path / "model.tar.gz") as archive:
        packed = archive.extractfile("model/model.so")
        assert packed is not None
        assert packed.read() == path.read_bytes()
    _, beside = save_ep_context(artifact, tmp_path / "m.onnx")
    assert beside.read_bytes() == path.read_bytes()
    (node,) = onnx.load(tmp_path / "m.onnx").graph.node
    assert node.op_type == "EPContext"
