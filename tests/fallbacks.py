"""Models of which some nodes go to onnxruntime, for the tests of that."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse
from tvmfuse.build.artifact import Artifact
from tvmfuse.errors import FallbackWarning
from tvmfuse.frontend.onnx.convert.table import CONVERTERS

node = helper.make_node
rng = np.random.default_rng(0)
W, V = (rng.standard_normal((4, 4), dtype="float32") for _ in range(2))


def refuse(monkeypatch: pytest.MonkeyPatch, *operators: str) -> None:
    """Take some operators' converters away, so that there is something to hand over."""
    for operator in operators:
        monkeypatch.delitem(CONVERTERS, operator)


def compiled(model: onnx.ModelProto, **options: Any) -> Artifact:
    """Compile a model, some nodes of which go over."""
    with pytest.warns(FallbackWarning, match="onnxruntime computes"):
        return tvmfuse.compile(model, fallback="onnxruntime", **options)


def engines(artifact: Artifact) -> str:
    """Return the parts' engines in one word: `t` ours, `o` onnxruntime's."""
    return "".join(part.engine[0] for part in artifact.manifest.parts)


def handed(artifact: Artifact) -> list[str]:
    return [node.operator for node in artifact.manifest.handed_over]


def expected(model: onnx.ModelProto, feeds: dict[str, Any]) -> list[Any]:
    """Return what onnxruntime computes of the whole model, without optimizations."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    found: list[Any] = session.run(None, feeds)
    return found


def agree(model: onnx.ModelProto, run: Any, feeds: dict[str, Any]) -> None:
    """Compare all outputs of a loaded model with onnxruntime's."""
    for found, wanted in zip(run.run(None, feeds), expected(model, feeds), strict=True):
        if isinstance(wanted, list):
            for a, b in zip(found, wanted, strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
        elif wanted.dtype == object:
            assert found.tolist() == wanted.tolist()
        else:
            assert found.dtype == wanted.dtype
            np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


def chain(*, batch: object = "n") -> onnx.ModelProto:
    """Return ``sin(x @ w) @ v``, for any number of rows."""
    return onnx_model(
        [node("MatMul", ["x", "w"], ["a"], "first"), node("Sin", ["a"], ["b"], "wave"),
         node("MatMul", ["b", "v"], ["y"], "last")],
        {"x": ("float32", [batch, 4])}, {"y": "float32"}, {"w": W, "v": V},
    )  # fmt: skip


def words() -> onnx.ModelProto:
    """Return a model of strings in order, which tvmfuse does not find, beside a product."""
    model = onnx_model(
        [node("Unique", ["s"], ["t"], "words"),
         node("MatMul", ["x", "w"], ["y"], "product")],
        {"x": ("float32", ["n", 4])}, {"y": "float32"}, {"w": W}, opset=20,
    )  # fmt: skip
    texts = onnx.TensorProto.STRING
    model.graph.input.append(helper.make_tensor_value_info("s", texts, ["words"]))
    model.graph.output.append(helper.make_tensor_value_info("t", texts, None))
    return model


def silently(model: onnx.ModelProto, **options: Any) -> Artifact:
    """Compile a model of which nothing goes over."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        return tvmfuse.compile(model, fallback="onnxruntime", **options)


WORDS = {"s": np.array(["Monday", "b"], object), "x": np.ones((3, 4), "float32")}
