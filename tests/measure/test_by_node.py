"""A graph computed node by node gives what it gives as a whole, and keeps nothing."""

from __future__ import annotations

import weakref
from typing import Any, Never

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx.reference import ReferenceEvaluator

from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx.source_graph import OnnxGraph
from tvmfuse.measure.against import interpreter
from tvmfuse.measure.by_node import by_node

X = np.random.default_rng(0).standard_normal((3, 4)).astype(np.float32)
node = onnx.helper.make_node


def branching() -> Any:
    """Return a model whose branches capture an outer value each."""

    def branch(op: Any) -> Any:
        return onnx.helper.make_graph(
            [node(op, ["a"], [op])], op, [], [onnx.ValueInfoProto(name=op)]
        )

    nodes = [
        node("Relu", ["x"], ["a"], name="relu"),
        node("If", ["yes"], ["c"], name="if", then_branch=branch("Neg"), else_branch=branch("Abs")),
        node("Split", ["c"], ["d", "y"], name="split", axis=1),
        node("MatMul", ["d", "w"], ["z"], name="matmul"),
    ]
    constants = {"yes": np.array(True), "w": np.ones((2, 5), np.float32)}
    return onnx_model(
        nodes, {"x": ("float32", (3, 4))}, {"y": "float32", "z": "float32"}, constants
    )


@pytest.mark.parametrize("engine", ["reference", "onnxruntime"])
def test_each_tensor_is_what_it_is_in_the_whole_model(engine: str) -> None:
    model = branching()
    run = interpreter(engine, OnnxGraph.of(model), 1).run
    found = dict(by_node(OnnxGraph.of(model), {"x": X}, run))
    assert [*found] == ["a", "c", "d", "y", "z"]
    np.testing.assert_array_equal(found["c"], -np.maximum(X, 0))
    y, z = ReferenceEvaluator(model).run(None, {"x": X})
    np.testing.assert_array_equal(found["y"], y)
    np.testing.assert_allclose(found["z"].astype("float32"), np.asarray(z), rtol=1e-6)


def test_a_tensor_lives_until_its_last_reader_ran() -> None:
    """Ten steps of a chain: never more than what a node reads and makes."""
    nodes = [node("Neg", [f"t{i}"], [f"t{i + 1}"], name=f"n{i}") for i in range(10)]
    model = onnx_model(nodes, {"t0": ("float32", (3, 4))}, {"t10": "float32"})
    living: weakref.WeakSet[Any] = weakref.WeakSet()
    most = 0

    class Watched(np.ndarray):
        pass

    def run(_model: Any, arrays: Any) -> Any:
        (array,) = arrays.values()
        result = (-array).view(Watched)
        living.add(_Handle.of(result))
        nonlocal most
        most = max(most, len(living))
        return [result]

    for _ in by_node(OnnxGraph.of(model), {"t0": X}, run):
        pass
    assert most == 2


class _Handle:
    """Dies with its array: arrays themselves cannot be members of a set."""

    @staticmethod
    def of(array: Any) -> Any:
        array.handle = _Handle()
        return array.handle


def test_a_node_that_cannot_be_computed_is_named() -> None:
    model = branching()

    def run(*_: Any) -> Never:
        raise ValueError("no such kernel\nand a listing")

    with pytest.raises(
        UnsupportedModelError, match=r"Relu .*'relu'.*compare its results: no such kernel$"
    ):
        list(by_node(OnnxGraph.of(model), {"x": X}, run))
