"""EliminateDropout: in inference, a dropout's readers read its operand."""

from typing import Any

import numpy as np
import onnx
import pytest
import tvm
from graphs import graph, onnx_model, ops, run, tensor
from onnx import helper
from reference import assert_agrees, reference
from tvm import tirx
from tvm.relax.op import exp, negative

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ops import dropout
from tvmfuse.passes.basic.eliminate_dropout import EliminateDropout
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = EliminateDropout()
X = tensor(2, 3)


@pytest.mark.parametrize("dtype", ["float32", "float16", "float64"])
def test_between_two_operators(dtype: str) -> None:
    x = tensor(2, 3, dtype=dtype)
    assert_rewrites(
        RULE,
        graph(lambda x, _: negative(dropout(exp(x), ratio=0.5, training=False)), x),
        graph(lambda x, _: negative(exp(x)), x),
        rtol=1e-3 if dtype == "float16" else 1e-5,  # a half has 11 bits
    )


def test_after_a_graph_input() -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, _: exp(dropout(x, ratio=0.5, training=False)), X),
        graph(lambda x, _: exp(x), X),
    )


def test_symbolic_shapes() -> None:
    x = tensor(tirx.Var("n", "int64"), 3)
    tvm.ir.assert_structural_equal(
        RULE(graph(lambda x, _: exp(dropout(x, ratio=0.5, training=False)), x)),
        graph(lambda x, _: exp(x), x),
    )


@pytest.mark.parametrize("ratio", [0.0, 0.5])
def test_declines_in_training_mode(ratio: float) -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: exp(dropout(x, ratio=ratio, training=True)), X),
        because="the dropout is in inference mode",
    )


def test_declines_at_a_graph_output() -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: dropout(exp(x), ratio=0.5, training=False), X),
        because="the result is no graph output",
    )


def test_ignores_other_operators() -> None:
    assert_ignores(RULE, graph(lambda x, _: exp(x), X))


@pytest.mark.parametrize("opset", [6, 7, 10, 12, 13, 22])
def test_every_opset(opset: int) -> None:
    constants = {"ratio": np.array(0.5, "float32")} if opset >= 12 else {}
    attributes: dict[str, Any] = {"is_test": 1} if opset == 6 else {}
    model = onnx_model(
        [
            helper.make_node("Exp", ["x"], ["e"]),
            helper.make_node("Dropout", ["e", *constants], ["d"], **attributes),
            helper.make_node("Neg", ["d"], ["y"]),
        ],
        {"x": ("float32", [2, 3])},
        {"y": "float32"},
        constants,
        opset=opset,
    )
    imported = import_model(model).module
    assert ops(imported) == ["exp", "dropout", "negative"]
    assert ops(RULE(imported)) == ["exp", "negative"]
    if opset > 6:  # onnxruntime's Dropout begins there
        check_numbers(model)


def check_numbers(model: onnx.ModelProto) -> None:
    feeds = {"x": np.linspace(-2, 2, 6, dtype="float32").reshape(2, 3)}
    (y,) = run(RULE(import_model(model).module), *feeds.values())
    assert_agrees({"y": y}, reference(model, feeds))


@pytest.mark.parametrize("mask_is_read", [["Not"], []], ids=["read", "returned"])
def test_a_mask_outlives_its_dropout(mask_is_read: list[str]) -> None:
    """ONNX Runtime keeps such a dropout for its mask; here the mask is computed by itself."""
    model = onnx_model(
        [
            helper.make_node("Dropout", ["x"], ["d", "mask"]),
            helper.make_node("Neg", ["d"], ["y"]),
            *[helper.make_node(op, ["mask"], ["m"]) for op in mask_is_read],
        ],
        {"x": ("float32", [2, 3])},
        {"y": "float32", "m" if mask_is_read else "mask": "bool"},
    )
    imported = import_model(model).module
    assert "dropout" in ops(imported)
    module = RULE(imported)
    assert "dropout" not in ops(module)
    feeds = {"x": np.ones((2, 3), "float32")}
    names = [o.name for o in model.graph.output]
    assert_agrees(dict(zip(names, run(module, feeds["x"]), strict=True)), reference(model, feeds))


def test_training_draws_and_is_another_operator() -> None:
    model = onnx_model(
        [
            helper.make_node("Dropout", ["x", "ratio", "training"], ["d"]),
            helper.make_node("Neg", ["d"], ["y"]),
        ],
        {"x": ("float32", [2, 3])},
        {"y": "float32"},
        {"ratio": np.array(0.5, "float32"), "training": np.array(1, "bool")},
    )
    found = ops(import_model(model).module)
    assert "random_bits" in found
    assert "dropout" not in found
