"""The drop-in as tests take it, and the small models that they run."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np
import onnx
from graphs import onnx_model
from onnx import helper

from tvmfuse.onnxruntime_api.namespace import native_names, package_names

#: What ``import onnxruntime as ort`` and ``onnxruntime.capi._pybind_state`` are in a process where
#: onnxruntime is replaced.
ort = SimpleNamespace(**package_names())
C = SimpleNamespace(**native_names())

Test = TypeVar("Test", bound=Callable[..., None])

node = helper.make_node
X = np.array([[1, 2], [3, 4], [5, 6]], np.float32)


def accepts(*_cases: str, but: str = "") -> Callable[[Test], Test]:
    """Say which cases of onnxruntime's own test a test stands for; `page` reads that.

    Args:
        _cases: Their names, without ``test_``.
        but: What of them is not done.
    """
    del but
    return lambda test: test


def scaled(sizes: Any = (3, 2)) -> onnx.ModelProto:
    """Y = X * W, with W as `X` is."""
    return onnx_model(
        [node("Mul", ["X", "W"], ["Y"], name="mul")],
        {"X": ("float32", list(sizes))},
        {"Y": "float32"},
        {"W": X},
    )


def product() -> onnx.ModelProto:
    """y = x @ w + 1: of any number of rows of 3."""
    return onnx_model(
        [node("MatMul", ["x", "w"], ["h"]), node("Add", ["h", "one"], ["y"])],
        {"x": ("float32", ["rows", 3])},
        {"y": "float32"},
        {"w": np.arange(12, dtype=np.float32).reshape(3, 4), "one": np.ones(1, np.float32)},
    )


def texts() -> onnx.ModelProto:
    """y = x, of texts, which tvmfuse computes on the host."""
    kind = onnx.TensorProto.STRING
    graph = helper.make_graph(
        [node("Identity", ["x"], ["y"])],
        "texts",
        [helper.make_tensor_value_info("x", kind, [2, 2])],
        [helper.make_tensor_value_info("y", kind, [2, 2])],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def ordered() -> onnx.ModelProto:
    """Return a model of the texts in x, each once and in order: onnxruntime has to compute it."""
    model = texts()
    model.graph.node[0].op_type = "Unique"
    model.graph.output[0].type.tensor_type.shape.CopyFrom(onnx.TensorShapeProto())
    model.graph.output[0].type.tensor_type.shape.dim.add()
    return model


def session(model: onnx.ModelProto, options: Any = None, **settings: Any) -> Any:
    """Open a session of the drop-in."""
    return ort.InferenceSession(model.SerializeToString(), options, **settings)


def with_fallback() -> Any:
    """Return options with which onnxruntime computes what cannot be compiled."""
    options = ort.SessionOptions()
    options.fallback = "onnxruntime"
    return options
