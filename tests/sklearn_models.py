"""Models as skl2onnx writes them by default, for the tests of strings and maps."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import tvmfuse
from tvmfuse.errors import FallbackWarning

ML, MICROSOFT = "ai.onnx.ml", "com.microsoft"
RNG = np.random.default_rng(3)
X = RNG.standard_normal((5, 4)).astype("float32")
WEIGHTS = RNG.standard_normal(12).tolist()
LABELS = ["spam", "ham", "eggs"]
LINEAR: dict[str, Any] = {
    "coefficients": WEIGHTS, "intercepts": [0.1, -0.2, 0.3], "post_transform": "SOFTMAX",
}  # fmt: skip


def ml(operator: str, inputs: list[str], outputs: list[str], **attributes: Any) -> onnx.NodeProto:
    name = operator if operator != "LabelEncoder" else ""
    return helper.make_node(operator, inputs, outputs, name, domain=ML, **attributes)


def dicts_of(key: int) -> onnx.TypeProto:
    """Return the type of a list of dicts from labels to floats."""
    number = helper.make_tensor_type_proto(TensorProto.FLOAT, [])
    return helper.make_sequence_type_proto(helper.make_map_type_proto(key, number))


def of(
    nodes: list[onnx.NodeProto],
    inputs: dict[str, tuple[Any, list[Any]]],
    outputs: dict[str, Any],
    version: int = 1,
    **constants: np.ndarray,
) -> onnx.ModelProto:
    """Return a model; an output is given by its element type, or by its type."""
    values = [helper.make_tensor_value_info(n, k, s) for n, (k, s) in inputs.items()]
    results = [
        helper.make_value_info(n, k)
        if isinstance(k, onnx.TypeProto)
        else helper.make_tensor_value_info(n, k, None)
        for n, k in outputs.items()
    ]
    tensors = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, "sklearn", values, results, tensors)
    opsets = [helper.make_opsetid(*o) for o in (("", 21), (ML, version), (MICROSOFT, 1))]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def rows(count: Any = "n") -> dict[str, tuple[Any, list[Any]]]:
    return {"X": (TensorProto.FLOAT, [count, 4])}


def logistic(labels: list[Any], version: int = 1) -> onnx.ModelProto:
    """Return LogisticRegression: a label and a dict for each row."""
    texts = isinstance(labels[0], str)
    kind = "strings" if texts else "ints"
    element = TensorProto.STRING if texts else TensorProto.INT64
    nodes = [
        ml("LinearClassifier", ["X"], ["label", "raw"], **{f"classlabels_{kind}": labels}, **LINEAR),
        helper.make_node("Identity", ["label"], ["output_label"]),
        ml("Normalizer", ["raw"], ["scores"], norm="L1"),
        ml("ZipMap", ["scores"], ["output_probability"],
           **{f"classlabels_{'strings' if texts else 'int64s'}": labels}),
    ]  # fmt: skip
    outputs = {"output_label": element, "output_probability": dicts_of(element)}
    return of(nodes, rows(), outputs, version)


def silently(model: onnx.ModelProto, **options: Any) -> Any:
    """Compile a model of which all is ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        return tvmfuse.compile(model, **options)


def same(found: list[Any], wanted: list[Any]) -> None:
    """Compare labels exactly, and scores within 1e-5."""
    for a, b in zip(found, wanted, strict=True):
        if isinstance(b, list):
            assert [[*map(repr, row)] for row in a] == [[*map(repr, row)] for row in b]
            np.testing.assert_allclose([[*r.values()] for r in a], [[*r.values()] for r in b], 1e-5)
            assert all(type(v) is float for row in a for v in row.values())
        elif b.dtype.kind == "f":
            np.testing.assert_allclose(a, b, 1e-5, 1e-6)
        else:
            assert (a.dtype, a.tolist()) == (b.dtype, b.tolist())


def table(zeros: int = 1) -> onnx.ModelProto:
    """Return ColumnTransformer: a number scaled, a string as one of many, and a classifier."""
    nodes = [
        ml("Scaler", ["age"], ["scaled"], offset=[30.0], scale=[0.1]),
        ml("OneHotEncoder", ["colour"], ["hot"], cats_strings=["red", "green", "blue"], zeros=zeros),
        helper.make_node("Reshape", ["hot", "flat"], ["colours"]),
        helper.make_node("Concat", ["scaled", "colours"], ["features"], axis=1),
        ml("LinearClassifier", ["features"], ["label", "scores"], classlabels_strings=LABELS, **LINEAR),
        ml("ZipMap", ["scores"], ["dicts"], classlabels_strings=LABELS),
    ]  # fmt: skip
    inputs = {"age": (TensorProto.FLOAT, ["n", 1]), "colour": (TensorProto.STRING, ["n", 1])}
    outputs = {"label": TensorProto.STRING, "dicts": dicts_of(TensorProto.STRING)}
    return of(nodes, inputs, outputs, flat=np.array([-1, 3]))


TABLE = {
    "age": np.array([[20], [31.5], [44]], "float32"),
    "colour": np.array([["green"], ["mauve"], ["red"]], object),
}
