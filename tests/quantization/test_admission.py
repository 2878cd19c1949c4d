"""Models that cannot be quantized, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx.helper import make_node
from quantized_models import network, products, samples

import tvmfuse
from tvmfuse.errors import ArtifactError, ConfigurationError, UnsupportedModelError
from tvmfuse.frontend.onnx.source_graph import OnnxGraph
from tvmfuse.quantization.admission import admitted

WEIGHTS = np.ones((8, 8))


def quantized_already() -> onnx.ModelProto:
    nodes = [make_node("DynamicQuantizeLinear", ["x"], ["y", "s", "z"], name="q")]
    return onnx_model(nodes, {"x": ("float32", (2,))}, {"y": "uint8"})


def relu() -> onnx.ModelProto:
    return onnx_model([make_node("Relu", ["x"], ["y"])], {"x": ("float32", (2,))}, {"y": "float32"})


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (quantized_already, "quantized already: 'q' is a DynamicQuantizeLinear, one of 1"),
        (relu, "expected a model with Conv, ConvTranspose, Gemm or MatMul.*found none"),
        (lambda: products(WEIGHTS, dtype="float16"), "of float32, found float16: MatMul 'm0'"),
        (lambda: products(WEIGHTS, dtype="float64"), "of float32, found double: MatMul 'm0'"),
    ],
    ids=["quantized", "no products", "float16", "float64"],
)
def test_models_that_are_refused(model: Any, words: str) -> None:
    with pytest.raises(UnsupportedModelError, match=words):
        tvmfuse.quantize(model(), [])


def test_weights_beside_a_model_are_read(tmp_path: Path) -> None:
    place = tmp_path / "net.onnx"
    onnx.save(network(), place, save_as_external_data=True, size_threshold=0)
    found = admitted(OnnxGraph.of(place))
    assert found.graph.initializer == admitted(OnnxGraph.of(network())).graph.initializer


@pytest.mark.parametrize(
    ("excluded", "words"),
    [
        (["convv"], "cannot exclude node 'convv': none is called so; did you mean conv"),
        (["norm"], "cannot exclude node 'norm': onnxruntime folded it or fused it into another"),
    ],
)
def test_nodes_to_exclude_that_are_not_there(excluded: list[str], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        tvmfuse.quantize(network(), samples(1), exclude=excluded)


def test_nothing_left_to_quantize() -> None:
    with pytest.raises(UnsupportedModelError, match="left every node in float32"):
        tvmfuse.quantize(products(WEIGHTS), [{"x": np.ones((4, 8), np.float32)}], exclude="m0")


def test_ranges_that_are_not_finite_name_the_node() -> None:
    x = np.full((4, 8), 3e38, np.float32)  # their sums are beyond float32
    with pytest.raises(
        UnsupportedModelError, match="not finite, which have no range.*--exclude m0,"
    ):
        tvmfuse.quantize(products(WEIGHTS, WEIGHTS), [{"x": x}])


def test_a_place_that_cannot_be_written_is_said_before_the_work(tmp_path: Path) -> None:
    unread = iter(samples(1))
    with pytest.raises(ArtifactError, match="cannot write"):
        tvmfuse.quantize(network(), unread, output=tmp_path / "no" / "q.onnx")
    assert next(unread)
