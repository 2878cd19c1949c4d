"""CastElimination: the readers of a cast to the same type read its operand."""

import pytest
import tvm
from graphs import graph, onnx_model, ops, tensor
from onnx import TensorProto, helper
from tvm import tirx
from tvm.relax.op import astype, exp, expand_dims

from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.basic.cast_elimination import CastElimination
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = CastElimination()
X = tensor(2, 3)


@pytest.mark.parametrize("dtype", ["float32", "float16", "float64", "int8", "int64", "bool"])
def test_the_same_dtype(dtype: str) -> None:
    x = tensor(2, 3, dtype=dtype)
    assert_rewrites(
        RULE,
        graph(lambda x, _: expand_dims(astype(x, dtype), 0), x),
        graph(lambda x, _: expand_dims(x, 0), x),
    )


def test_before_a_graph_output() -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, _: astype(exp(x), "float32"), X),
        graph(lambda x, _: exp(x), X),
    )


def test_symbolic_shapes() -> None:
    x = tensor(tirx.Var("n", "int64"))
    tvm.ir.assert_structural_equal(
        RULE(graph(lambda x, _: exp(astype(x, "float32")), x)), graph(lambda x, _: exp(x), x)
    )


@pytest.mark.parametrize("dtype", ["float64", "float16", "int32", "bool"])
def test_declines_another_dtype(dtype: str) -> None:
    assert_declines(
        RULE, graph(lambda x, _: astype(exp(x), dtype), X), because="the dtype stays the same"
    )


def test_declines_between_a_graph_input_and_a_graph_output() -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: astype(x, "float32"), X),
        because="no graph output becomes a graph input or another output",
    )


def test_ignores_other_operators() -> None:
    assert_ignores(RULE, graph(lambda x, _: exp(x), X))


def test_a_whole_model() -> None:
    model = onnx_model(
        [
            helper.make_node("Cast", ["x"], ["c"], to=TensorProto.FLOAT),
            helper.make_node("Exp", ["c"], ["y"]),
        ],
        {"x": ("float32", ["n", 3])},
        {"y": "float32"},
    )
    assert ops(RULE(import_model(model).module)) == ["exp"]
