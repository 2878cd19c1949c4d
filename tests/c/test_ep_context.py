"""tvmfuse.c.ep_context: a compiled model as an ONNX model of one EPContext node."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import TensorProto, helper
from pretended import tvmfuse_cli

import tvmfuse
from tvmfuse.build.artifact import LibraryCode
from tvmfuse.c import ep_context
from tvmfuse.c.ep_context import save_ep_context
from tvmfuse.errors import ArtifactError, IncompatibleArtifactError


def negative() -> onnx.ModelProto:
    nodes = [helper.make_node("Neg", ["x"], ["y"])]
    model = onnx_model(nodes, {"x": ("float32", ("n", 3))}, {"y": "float32"})
    helper.set_model_props(model, {"author": "somebody"})
    return model


def attributes(model: onnx.ModelProto) -> dict[str, object]:
    (node,) = model.graph.node
    assert (node.op_type, node.domain) == ("EPContext", "com.microsoft")
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


def test_the_node_has_the_models_inputs_and_outputs_and_names_the_file_beside(
    tmp_path: Path,
) -> None:
    written = save_ep_context(tvmfuse.compile(negative()), tmp_path / "net_ctx.onnx")
    assert written == (tmp_path / "net_ctx.onnx", tmp_path / "net_ctx_tvmfuse.so")
    model = onnx.load(written[0])
    onnx.checker.check_model(model)
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ("n", 3))
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ("n", 3))
    assert (list(model.graph.input), list(model.graph.output)) == ([x], [y])
    assert [(p.key, p.value) for p in model.metadata_props] == [("author", "somebody")]
    assert attributes(model) == {
        "main_context": 1,
        "embed_mode": 0,
        "ep_cache_context": b"net_ctx_tvmfuse.so",
        "ep_sdk_version": tvmfuse.__version__.encode(),
        "partition_name": model.graph.name.encode(),
        "source": b"tvmfuse",
    }
    given = np.array([[1, -2, 0]], np.float32)
    assert np.array_equal(tvmfuse.load(written[1])(x=given)["y"], -given)


def test_an_embedded_file_is_the_same_one(tmp_path: Path) -> None:
    artifact = tvmfuse.compile(negative())
    artifact.save(tmp_path / "net.so")
    assert save_ep_context(artifact, tmp_path / "m.onnx", embed=True) == (tmp_path / "m.onnx",)
    found = attributes(onnx.load(tmp_path / "m.onnx"))
    assert found["embed_mode"] == 1
    assert found["ep_cache_context"] == (tmp_path / "net.so").read_bytes()


def test_what_c_cannot_run_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    artifact = tvmfuse.compile(negative())
    assert isinstance(artifact.code, LibraryCode)
    of_a_gpu = replace(artifact, code=replace(artifact.code, device_code=b"kernels"))
    with pytest.raises(IncompatibleArtifactError, match="is for a GPU, which C does not run"):
        save_ep_context(of_a_gpu, tmp_path / "m.onnx")
    narrow = [helper.make_node("Cast", ["x"], ["y"], to=TensorProto.INT4)]
    model = onnx_model(narrow, {"x": ("float32", ("n",))}, {"y": "int4"})
    model.opset_import[0].version, model.ir_version = 21, 10
    with pytest.raises(IncompatibleArtifactError, match=r"y: int4\[n\]: onnxruntime packs such"):
        save_ep_context(tvmfuse.compile(model), tmp_path / "m.onnx")
    passed = onnx_model([helper.make_node("Neg", ["x"], ["y"])], {"x": ("float32", (3,))}, {})
    passed.graph.output.append(passed.graph.input[0])
    with pytest.raises(IncompatibleArtifactError, match="x: .* it is an input and an output"):
        save_ep_context(tvmfuse.compile(passed), tmp_path / "m.onnx")
    assert not [*tmp_path.iterdir()]


def test_what_does_not_fit_into_an_onnx_model_is_not_embedded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ep_context, "MOST_BYTES", 1000)
    artifact = tvmfuse.compile(negative())
    with pytest.raises(ArtifactError, match=r"an ONNX model holds 2 GiB.*without embed"):
        save_ep_context(artifact, tmp_path / "m.onnx", embed=True)
    save_ep_context(artifact, tmp_path / "m.onnx")


def test_the_command_names_what_it_wrote(tmp_path: Path) -> None:
    onnx.save(negative(), tmp_path / "net.onnx")
    command = ("compile", tmp_path / "net.onnx", "-o", tmp_path / "net_ctx.onnx")
    done = tvmfuse_cli(*command, "--ep-context")
    assert done.exit_code == 0, done.output
    words = " ".join(done.output.split()).replace(" /", "/")
    assert "net_ctx.onnx and" in words
    assert "net_ctx_tvmfuse.so" in words
    done = tvmfuse_cli(*command, "--ep-context", "--embed", "--json")
    assert json.loads(done.output)["bytes"] == (tmp_path / "net_ctx.onnx").stat().st_size
    done = tvmfuse_cli(*command, "--embed")
    assert done.exit_code == 2
    assert "--embed is for --ep-context" in done.output
