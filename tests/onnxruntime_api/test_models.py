"""Models of sequences, optional values and trees, as onnxruntime's test of its API has them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from graphs import onnx_model
from onnx import TensorProto, helper
from onnxruntime_api.drop_in import accepts, node, ort, session, with_fallback

from tvmfuse.errors import FallbackWarning

PAIR = [np.arange(6).reshape(2, 3), np.ones((2, 3), "int64")]


def sequence(name: str) -> Any:
    return helper.make_tensor_sequence_value_info(name, TensorProto.INT64, [2, 3])


def tensor(name: str, *sizes: int) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.INT64, sizes)


def model(operator: str, inputs: Any, output: Any, opset: int = 17) -> onnx.ModelProto:
    given = [node(operator, [i.name for i in inputs], [output.name])]
    graph = helper.make_graph(given, "graph", inputs, [output])
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


@accepts(
    "sequence_length",
    "sequence_construct",
    "sequence_insert",
    but="the fallback has what is not compiled",
)
@pytest.mark.parametrize(
    ("operator", "inputs", "output", "feeds", "expected"),
    [
        ("SequenceLength", [sequence("s")], tensor("y"), {"s": PAIR}, np.int64(2)),
        ("SequenceConstruct", [tensor("a", 2, 3), tensor("b", 2, 3)], sequence("y"),
         {"a": PAIR[0], "b": PAIR[1]}, PAIR),
        ("SequenceInsert", [sequence("s"), tensor("t", 2, 3)], sequence("y"),
         {"s": [], "t": PAIR[0]}, PAIR[:1]),
    ],
    ids=["length", "construct", "insert"],
)  # fmt: skip
def test_lists_are_sequences(
    operator: str, inputs: Any, output: Any, feeds: Any, expected: Any
) -> None:
    proto = model(operator, inputs, output)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        opened = session(proto, with_fallback())
    theirs = onnxruntime.InferenceSession(proto.SerializeToString())
    for ours, other in (
        (opened.get_inputs(), theirs.get_inputs()),
        (opened.get_outputs(), theirs.get_outputs()),
    ):
        assert [(a.name, a.type) for a in ours] == [(a.name, a.type) for a in other]
    np.testing.assert_array_equal(opened.run(["y"], feeds)[0], expected)


@accepts("run_model_with_optional_sequence_input", but="by the fallback")
def test_an_optional_sequence_is_a_list() -> None:
    floats = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, [5]))
    kind = helper.make_optional_type_proto(floats)
    values = [helper.make_value_info(name, kind) for name in ("x", "y")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        opened = session(model("Identity", values[:1], values[1], 16), with_fallback())
    x = [np.arange(5, dtype=np.float32)]
    np.testing.assert_array_equal(opened.run(["y"], {"x": x})[0], x)


def ensemble(modes: list[str], values: list[float], weights: list[float], **attributes: Any) -> Any:
    """One tree: a branch on feature 0 with two leaves, or a leaf alone."""
    count, leaves = len(modes), [place for place, mode in enumerate(modes) if mode == "LEAF"]
    given = node(
        "TreeEnsembleClassifier", ["X"], ["label", "probs"], domain="ai.onnx.ml",
        nodes_treeids=[0] * count, nodes_nodeids=[*range(count)], nodes_featureids=[0] * count,
        nodes_values=values, nodes_modes=modes,
        nodes_truenodeids=[1 if mode != "LEAF" else 0 for mode in modes],
        nodes_falsenodeids=[2 if mode != "LEAF" else 0 for mode in modes],
        nodes_missing_value_tracks_true=[0] * count, nodes_hitrates=[1.0] * count,
        class_treeids=[0] * len(leaves), class_nodeids=leaves, class_ids=[0] * len(leaves),
        class_weights=weights, classlabels_int64s=[0, 1], post_transform="LOGISTIC",
        **{"base_values": [-0.405], **attributes},
    )  # fmt: skip
    graph = helper.make_graph(
        [given],
        "trees",
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, [None, 3])],
        [
            helper.make_tensor_value_info("label", TensorProto.INT64, [None]),
            helper.make_tensor_value_info("probs", TensorProto.FLOAT, [None, 2]),
        ],
    )
    opsets = [helper.make_opsetid("", 15), helper.make_opsetid("ai.onnx.ml", 3)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


@accepts("tree_ensemble_logistic")
@pytest.mark.parametrize(
    ("proto", "expected"),
    [
        (ensemble(["BRANCH_LT", "LEAF", "LEAF"], [0.5, 0, 0], [0.3, -0.3]), -0.105),
        (ensemble(["LEAF"], [0.0], [0.0]), -0.405),
        (ensemble(["LEAF"], [0.0], [-0.405], base_values=[0.0]), -0.405),
    ],
    ids=["branch", "leaf", "leaf below zero"],
)
def test_trees_give_the_logistic_of_their_sum(proto: Any, expected: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        opened = session(proto, with_fallback())
    x = np.array([[0.1, 0, 0]], np.float32)
    probability = 1 / (1 + np.exp(-expected))
    np.testing.assert_allclose(opened.run(None, {"X": x})[1][0, 1], probability, atol=1e-5)


def test_outputs_need_no_types() -> None:
    """Whoever marks tensors as outputs, as `polygraphy run --onnx-outputs mark all`, states none."""
    nodes = [
        node("Relu", ["x"], ["a"]),
        node("Shape", ["a"], ["n"]),
        node("SequenceConstruct", ["a", "x"], ["s"]),
    ]
    marked = onnx_model(nodes, {"x": ("float32", ["rows", 3])}, {"a": "float32"})
    del marked.graph.output[:]
    marked.graph.output.extend(onnx.ValueInfoProto(name=name) for name in ("n", "s", "a"))
    theirs, ours = (
        package.InferenceSession(marked.SerializeToString()) for package in (onnxruntime, ort)
    )
    assert [(o.name, o.type, o.shape) for o in ours.get_outputs()] == [
        (o.name, o.type, o.shape) for o in theirs.get_outputs()
    ]
    feeds = {"x": np.array([[1, -2, 3]], np.float32)}
    number, pair, values = ours.run(None, feeds)
    assert number.tolist() == [1, 3]
    np.testing.assert_array_equal(values, [[1, 0, 3]])
    np.testing.assert_array_equal(pair, [values, feeds["x"]])
