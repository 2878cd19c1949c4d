"""If: one branch where the condition is known, both where it is not."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, ops
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of

node = helper.make_node
Y = {"y": "float32"}


def branch(*nodes: onnx.NodeProto, outputs: Sequence[str] = ("r",)) -> onnx.GraphProto:
    values = [helper.make_tensor_value_info(o, 1, None) for o in outputs]
    return helper.make_graph(list(nodes), "branch", [], values)


def if_(
    then: Any, otherwise: Any, outputs: Sequence[str] = ("y",), name: str = "choice"
) -> onnx.NodeProto:
    return node("If", ["c"], list(outputs), name, then_branch=then, else_branch=otherwise)


def model_of(
    *nodes: Any, shape: Any = ("n", 3), outputs: Any = Y, constants: Any = None
) -> onnx.ModelProto:
    return onnx_model(list(nodes), {"x": ("float32", shape), "c": ("bool", [])}, outputs, constants)


def feeds(n: int = 2) -> Any:
    x = np.random.default_rng(0).standard_normal((n, 3)).astype("float32")
    return [{"x": x, "c": np.array(c)} for c in (True, False)]


def test_a_condition_of_the_data(agrees: Any) -> None:
    model = model_of(if_(branch(node("Exp", ["x"], ["r"])), branch(node("Neg", ["x"], ["r"]))))
    agrees(model, *feeds())


def test_what_comes_before_and_after(agrees: Any) -> None:
    """A value and a weight from outside; the result is read on; one branch computes nothing."""
    model = model_of(
        node("Abs", ["x"], ["a"]),
        if_(
            branch(node("Mul", ["a", "w"], ["r"])),
            branch(node("Identity", ["a"], ["r"])),
            outputs=["h"],
        ),
        node("Add", ["h", "a"], ["y"]),
        constants={"w": np.array([1, 2, 3], "float32")},
    )
    agrees(model, *feeds())


def test_several_outputs_and_branches_in_branches(agrees: Any) -> None:
    inner = if_(
        branch(node("Sin", ["x"], ["r"])),
        branch(node("Cos", ["x"], ["r"])),
        outputs=["p"],
        name="inner",
    )
    outer = if_(
        branch(inner, node("Neg", ["p"], ["q"]), outputs=["p", "q"]),
        branch(node("Exp", ["x"], ["p2"]), node("Abs", ["x"], ["q2"]), outputs=["p2", "q2"]),
        outputs=["y", "z"],
    )
    agrees(model_of(outer, outputs={"y": "float32", "z": "float32"}), *feeds())


def test_branches_of_different_shapes(agrees: Any) -> None:
    double = branch(node("Concat", ["x", "x"], ["r"], axis=0))
    agrees(model_of(if_(double, branch(node("Neg", ["x"], ["r"])))), *feeds())


def test_a_known_condition_leaves_one_branch() -> None:
    """torch squeezes a dimension if it is 1; onnxruntime refuses the branch that is not taken."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "one"], ["d"]),
        node("Equal", ["d", "one"], ["c"]),
        if_(branch(node("Squeeze", ["x", "axes"], ["r"])), branch(node("Identity", ["x"], ["r"]))),
    ]
    constants = {"one": np.array(1), "axes": np.array([1])}
    for shape, expected, result in (((2, 1), ["squeeze"], (2,)), ((2, 3), ["identity"], (2, 3))):
        imported = import_model(onnx_model(nodes, {"x": ("float32", shape)}, Y, constants))
        assert ops(imported.module) == expected
        assert imported.outputs[0].shape == result


def test_names_reach_into_branches() -> None:
    model = model_of(
        if_(branch(node("Exp", ["x"], ["r"], "e")), branch(node("Neg", ["x"], ["r"], "n")))
    )
    named = {
        n
        for _, value in Dataflow.of(import_model(model).module["main"]).bindings
        for n in nodes_of(value)
    }
    assert {"choice", "e", "n"} <= named


def test_branches_that_cannot_be_one_value_are_refused() -> None:
    flat = branch(node("Flatten", ["x"], ["f"]), node("ReduceSum", ["f"], ["r"], keepdims=0))
    with pytest.raises(
        UnsupportedModelError,
        match=r"node 'choice'\): 'y' is of rank 0 where .* and else of rank 2",
    ):
        import_model(model_of(if_(flat, branch(node("Neg", ["x"], ["r"])))))


def test_what_cannot_be_compiled_in_a_branch_is_named() -> None:
    stranger = node("Unheard", ["x"], ["d"], "stranger", domain="my.domain")
    bad = branch(stranger, node("Add", ["x", "d"], ["r"]))
    model = model_of(if_(bad, branch(node("Neg", ["x"], ["r"]))), shape=(3, 3))
    model.opset_import.append(helper.make_opsetid("my.domain", 2))
    with pytest.raises(UnsupportedModelError, match=r"Unheard \(opset 2, node 'stranger'\)"):
        import_model(model)


@pytest.mark.parametrize("shape", [(2, 3), ("n", 3)], ids=["fixed", "symbolic"])
def test_branches_that_both_allocate(shape: Any) -> None:
    def steps(op: str) -> onnx.GraphProto:
        return branch(
            node(op, ["x"], ["a"]), node("MatMul", ["a", "w"], ["b"]), node("Softmax", ["b"], ["r"])
        )

    weights = {"w": np.arange(9, dtype="float32").reshape(3, 3)}
    model = model_of(
        if_(steps("Exp"), steps("Neg"), ("h",)),
        node("Relu", ["h"], ["y"]),
        shape=shape,
        constants=weights,
    )
    for level in ("none", "all"):
        compiled = tvmfuse.compile(model, level=level).load()
        for feed in feeds():
            assert_agrees(compiled(feed), reference(model, feed))
