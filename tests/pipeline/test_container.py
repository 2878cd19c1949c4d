"""The file of offline mode: same numbers, no passes; damage and foreign targets are refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

import tvmfuse
from tvmfuse.demo import wee_net
from tvmfuse.errors import (
    ArtifactError,
    ConfigurationError,
    DamagedArtifactError,
    IncompatibleArtifactError,
)
from tvmfuse.format.graph_file import is_graph_file
from tvmfuse.pipeline import container
from tvmfuse.target.resolve import resolve


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("offline") / "wee.onnx"  # recognised whatever its name
    artifact = tvmfuse.compile(wee_net(), save_optimized=path)
    return artifact, path


def feeds(artifact: Any, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    return {s.name: rng.standard_normal(s.shape).astype(s.dtype) for s in artifact.manifest.inputs}


@pytest.mark.parametrize("as_bytes", [False, True], ids=["path", "bytes"])
def test_gives_the_same_numbers_without_a_pass(saved: Any, as_bytes: bool) -> None:
    artifact, path = saved
    again = tvmfuse.compile(path.read_bytes() if as_bytes else path, level="none")
    assert again.manifest.inputs == artifact.manifest.inputs
    assert again.manifest.kernels == artifact.manifest.kernels
    assert again.manifest.passes_ran == artifact.manifest.passes_ran
    x = feeds(artifact)
    (left,), (right,) = artifact.load()(x).values(), again.load()(x).values()
    np.testing.assert_array_equal(left, right)


def test_a_session_takes_it(saved: Any) -> None:
    artifact, path = saved
    x = feeds(artifact)
    session = tvmfuse.InferenceSession(str(path))
    (expected,) = artifact.load()(x).values()
    np.testing.assert_array_equal(session.run(None, x)[0], expected)


def test_symbolic_dimensions_and_integer_weights_survive(tmp_path: Path) -> None:
    table = np.arange(400, dtype="int64").reshape(100, 4)
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "i"], ["y"], name="look_up")],
        "gather",
        [helper.make_tensor_value_info("i", TensorProto.INT64, ["n"])],
        [helper.make_tensor_value_info("y", TensorProto.INT64, ["n", 4])],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = tmp_path / "gather.graph"
    tvmfuse.compile(model, save_optimized=path)
    run = tvmfuse.compile(path).load()
    for n in (1, 7):
        index = np.arange(n, dtype="int64") * 3
        np.testing.assert_array_equal(run(i=index)["y"], table[index])


def test_its_report_says_what_the_passes_did(saved: Any) -> None:
    artifact, path = saved
    assert tvmfuse.compile(path).report == artifact.report
    assert tvmfuse.explain(path) == artifact.report
    assert artifact.report.fired()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"level": "basic"}, "level basic"),
        ({"dims": {"n": 2}}, "dims n"),
        ({"shapes": {"x": (1, 3, 64, 64), "a": (1,)}}, "shapes a, x"),
        ({"disabled_pass": "Op Fusion;ConvBNFusion"}, "disabled_pass ConvBNFusion, FuseOps"),
        ({"enabled_pass": "CastChainElimination"}, "enabled_pass CastChainElimination"),
        ({"level": 1, "dims": {"n": 2}}, "level basic, dims n"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("verb", [tvmfuse.compile, tvmfuse.explain])
def test_what_would_change_it_is_refused(saved: Any, verb: Any, options: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=f"already, at level all, .* is {words}: compile"):
        verb(saved[1], **options)


def test_what_it_is_already_may_be_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "basic.graph"
    tvmfuse.compile(wee_net(), level="basic", disabled_pass="ConvBNFusion", save_optimized=path)
    for level in ("basic", "none", "all"):
        again = tvmfuse.compile(
            path, level=level, disabled_pass=["ConvBNFusion", "NhwcTransformer"], dims={}
        )
        assert again.manifest.level == "basic"


def test_a_sessions_options_cannot_change_it(saved: Any) -> None:
    options = tvmfuse.SessionOptions()
    options.add_free_dimension_override_by_name("batch", 2)
    with pytest.raises(ConfigurationError, match="asked for is dims batch"):
        tvmfuse.InferenceSession(str(saved[1]), options)


def test_it_is_no_compiled_model(saved: Any) -> None:
    for function in (tvmfuse.inspect, tvmfuse.load):
        with pytest.raises(DamagedArtifactError, match="is an optimized graph.*: compile it"):
            function(saved[1])


@pytest.mark.parametrize("keep", [0.0, 0.01, 0.3, 0.999])
def test_a_truncated_file_is_refused(saved: Any, tmp_path: Path, keep: float) -> None:
    data = saved[1].read_bytes()
    cut = tmp_path / "cut"
    cut.write_bytes(data[: max(9, int(len(data) * keep))])
    with pytest.raises(DamagedArtifactError, match="truncated"):
        tvmfuse.compile(cut)


@pytest.mark.parametrize("place", [60, 5000, -1])
def test_an_altered_file_is_refused(saved: Any, tmp_path: Path, place: int) -> None:
    data = bytearray(saved[1].read_bytes())
    data[place] ^= 1
    altered = tmp_path / "altered"
    altered.write_bytes(data)
    with pytest.raises(DamagedArtifactError, match="truncated or altered"):
        tvmfuse.compile(altered)


def test_a_foreign_target_is_refused_once_layouts_depend_on_it(saved: Any, tmp_path: Path) -> None:
    from dataclasses import replace

    graph = container.read(saved[1], resolve("avx2"))
    assert graph.target is None
    laid_out = tmp_path / "laid_out"
    container.write(replace(graph, target=str(resolve("avx2"))), laid_out)
    assert container.read(laid_out, resolve("avx2")).inputs == graph.inputs
    with pytest.raises(IncompatibleArtifactError, match="optimize the model for this target"):
        container.read(laid_out, resolve("avx512"))


def test_another_tvm_is_refused(saved: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "version", lambda _: "0.99.0")
    with pytest.raises(IncompatibleArtifactError, match="here is 0.99.0"):
        container.read(saved[1], resolve("llvm"))


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="no/such/folder"):
        tvmfuse.compile(wee_net(), save_optimized=tmp_path / "no/such/folder/x")


@pytest.mark.parametrize("name", ["m" * 300, "a\0b", ""], ids=["long", "nul", "folder"])
def test_what_cannot_be_read_is_none(name: Any, tmp_path: Path) -> None:
    assert not is_graph_file(tmp_path / name)
    with pytest.raises(tvmfuse.errors.ModelError):
        tvmfuse.compile(tmp_path / name)
