"""A small model, and what it takes to make it wrong: for the tests of robustness."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import TensorProto, helper

from tvmfuse.errors import (
    MalformedModelError,
)
from tvmfuse.frontend.onnx import import_model

node = helper.make_node
X = {"x": ("float32", (2, 3))}
Y = {"y": "float32"}


def small_model() -> onnx.ModelProto:
    """A classifier with what fuzzing wants to hit: weights, attributes, shape arithmetic, an If."""
    rng = np.random.default_rng(0)

    def branch(name: str, operator: str) -> onnx.GraphProto:
        return helper.make_graph(
            [node(operator, ["pooled"], [name])],
            name,
            [],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None)],
        )

    return onnx_model(
        [
            node("Conv", ["image", "w", "b"], ["conv"], name="conv", pads=[1, 1, 1, 1]),
            node("BatchNormalization", ["conv", "b", "b", "b", "one"], ["norm"], name="norm"),
            node("Relu", ["norm"], ["relu"], name="relu"),
            node("MaxPool", ["relu"], ["pooled"], name="pool", kernel_shape=[2, 2], strides=[2, 2]),
            node("If", ["flag"], ["chosen"], name="choice", then_branch=branch("t", "Tanh"),
                else_branch=branch("e", "Exp")),
            node("Shape", ["chosen"], ["shape"], name="shape"),
            node("Slice", ["shape", "start", "end"], ["batch"], name="slice"),
            node("Concat", ["batch", "minus"], ["target"], name="concat", axis=0),
            node("Reshape", ["chosen", "target"], ["flat"], name="reshape"),
            node("Gemm", ["flat", "g"], ["logits"], name="gemm", transB=1, alpha=0.5),
            node("Softmax", ["logits"], ["y"], name="softmax", axis=-1),
        ],
        {"image": ("float32", ("batch", 3, 8, 8)), "flag": ("bool", ())},
        Y,
        {
            "w": rng.standard_normal((4, 3, 3, 3), dtype="float32"),
            "b": rng.standard_normal(4, dtype="float32"),
            "one": np.ones(4, "float32"),
            "start": np.array([0]),
            "end": np.array([1]),
            "minus": np.array([-1]),
            "g": rng.standard_normal((10, 64), dtype="float32"),
        },
    )  # fmt: skip


def refused(model: Any, *words: str, kind: type[Exception] = MalformedModelError) -> str:
    """Import a model that is refused, and check what the error says."""
    with pytest.raises(kind) as error:
        import_model(model)
    said = str(error.value)
    for word in words:
        assert word in said
    return said


def changed(change: Callable[[onnx.ModelProto], object]) -> onnx.ModelProto:
    model = small_model()
    change(model)
    return model


def with_input(change: Callable[[onnx.ValueInfoProto], object]) -> onnx.ModelProto:
    model = onnx_model([node("Relu", ["x"], ["y"], name="n")], X, Y)
    change(model.graph.input[0])
    return model


def external_tensor(name: str, dims: list[int], location: str, **more: object) -> TensorProto:
    """Return a tensor of float32 whose numbers lie in another file."""
    tensor = TensorProto(name=name, dims=dims, data_type=1, data_location=TensorProto.EXTERNAL)
    for key, value in {"location": location, **more}.items():
        tensor.external_data.add(key=key, value=str(value))
    return tensor


def beside(folder: Path, tensor: TensorProto, name: str = "m.onnx") -> Path:
    """Write a model that adds a tensor to its input."""
    model = onnx_model([node("Add", ["x", "w"], ["y"], name="n")], X, Y)
    model.graph.initializer.append(tensor)
    (folder / name).write_bytes(model.SerializeToString())
    return folder / name


def external(folder: Path, location: str, **more: object) -> Path:
    """Write a model whose three weights lie elsewhere."""
    return beside(folder, external_tensor("w", [3], location, **more))
