"""ConvBNFusion on ONNX models, against onnxruntime."""

import numpy as np
import pytest
from graphs import onnx_model, ops, run
from onnx.helper import make_node
from reference import assert_agrees, reference

from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.basic.conv_add_fusion import ConvAddFusion
from tvmfuse.passes.basic.conv_bn_fusion import ConvBNFusion
from tvmfuse.passes.basic.conv_mul_fusion import ConvMulFusion
from tvmfuse.passes.basic.eliminate_dropout import EliminateDropout
from tvmfuse.passes.basic.eliminate_identity import EliminateIdentity

RULE = ConvBNFusion()


@pytest.mark.parametrize("opset", [9, 14, 17, 22])
def test_a_model_ends_as_one_convolution(opset: int) -> None:
    rng = np.random.default_rng(0)
    sizes = {"w": (4, 3, 3, 3), "k": (4, 1, 1), "a": (1, 4, 1, 1), "g": (4,), "b": (4,), "m": (4,)}
    constants = {name: rng.standard_normal(s).astype("float32") for name, s in sizes.items()}
    nodes = [
        make_node("Identity", ["x"], ["i"]),
        make_node("Conv", ["i", "w"], ["c"], pads=[1, 1, 0, 0]),
        make_node("Mul", ["k", "c"], ["p"]),
        make_node("Dropout", ["p"], ["d"]),
        make_node("Add", ["d", "a"], ["s"]),
        make_node("BatchNormalization", ["s", "g", "b", "m", "v"], ["y"], epsilon=1e-3),
    ]
    feeds = {"x": rng.standard_normal((2, 3, 6, 5)).astype("float32")}
    model = onnx_model(
        nodes,
        {"x": ("float32", (2, 3, 6, 5))},
        {"y": "float32"},
        {**constants, "v": np.array([0, 1, 2, 3], "float32")},
        opset=opset,
    )
    module = import_model(model).module
    for rule in (EliminateIdentity(), EliminateDropout(), ConvMulFusion(), ConvAddFusion(), RULE):
        module = rule(module)
    assert ops(module) == ["conv"]
    assert_agrees({"y": run(module, feeds["x"])[0]}, reference(model, feeds))


def test_a_transposed_grouped_convolution_of_a_model() -> None:
    rng = np.random.default_rng(0)
    sizes = {"w": (4, 3, 3, 2), "c": (6,), "g": (6,), "b": (6,), "m": (6,)}
    constants = {name: rng.standard_normal(s).astype("float32") for name, s in sizes.items()}
    nodes = [
        make_node("ConvTranspose", ["x", "w", "c"], ["t"], group=2, strides=[2, 1]),
        make_node("BatchNormalization", ["t", "g", "b", "m", "v"], ["y"]),
    ]
    x = rng.standard_normal((1, 4, 3, 3)).astype("float32")
    model = onnx_model(
        nodes,
        {"x": ("float32", x.shape)},
        {"y": "float32"},
        {**constants, "v": np.arange(6, dtype="float32")},
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["conv_transpose"]
    assert_agrees({"y": run(module, x)[0]}, reference(model, {"x": x}))
