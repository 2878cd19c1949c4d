"""NoopElimination: adding zero and multiplying by one disappear."""

from typing import Any

import numpy as np
import pytest
import tvm
from graphs import graph, onnx_model, ops, run, tensor
from onnx import helper
from reference import assert_agrees, reference
from tvm import tirx
from tvm.relax.op import add, divide, exp, expand_dims, multiply, negative, subtract

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.passes.basic.noop_elimination import NoopElimination
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = NoopElimination()
X = tensor(2, 3)
FORMS = {
    "x+0": lambda x, c: add(x, c(0)),
    "0+x": lambda x, c: add(c(0), x),
    "x-0": lambda x, c: subtract(x, c(0)),
    "x*1": lambda x, c: multiply(x, c(1)),
    "1*x": lambda x, c: multiply(c(1), x),
    "x/1": lambda x, c: divide(x, c(1)),
}


def of(dtype: str = "float32", shape: tuple[int, ...] = ()) -> Any:
    return lambda number: constant(np.full(shape, number, dtype))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_every_form(form: str, dtype: str) -> None:
    x = tensor(2, 3, dtype=dtype)
    assert_rewrites(
        RULE,
        graph(lambda x, _: negative(FORMS[form](x, of(dtype))), x),
        graph(lambda x, _: negative(x), x),
    )


@pytest.mark.parametrize("dtype", ["float16", "float64", "int8", "int64", "uint8"])
def test_any_dtype(dtype: str) -> None:
    x = tensor(2, 3, dtype=dtype)
    assert_rewrites(
        RULE,
        graph(lambda x, _: expand_dims(add(multiply(of(dtype)(1), x), of(dtype)(0)), 0), x),
        graph(lambda x, _: expand_dims(x, 0), x),
    )


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (3,), (2, 1), (2, 3)])
def test_any_shape_that_does_not_broadcast_the_operand(shape: tuple[int, ...]) -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, _: exp(add(x, of(shape=shape)(0))), X),
        graph(lambda x, _: exp(x), X),
    )


def test_before_a_graph_output() -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, _: multiply(exp(x), of()(1)), X),
        graph(lambda x, _: exp(x), X),
    )


def test_symbolic_shapes() -> None:
    x = tensor(tirx.Var("n", "int64"), 3)
    tvm.ir.assert_structural_equal(
        RULE(graph(lambda x, _: exp(add(of(shape=(1, 3))(0), x)), x)),
        graph(lambda x, _: exp(x), x),
    )


def test_negative_zero_nan_and_infinity() -> None:
    """``-0.0 + 0.0`` is 0.0; without the sum it stays -0.0, which is equal to it."""
    x = np.array([-0.0, 0.0, np.nan, np.inf, -np.inf, 1e-45], "float32")
    for form, zero in [*((f, 0.0) for f in FORMS), ("x+0", -0.0)]:
        module = graph(
            lambda x, _, f=form, z=zero: FORMS[f](negative(x), lambda n: of()(n or z)), tensor(6)
        )
        (before,), (after,) = run(module, x), run(RULE(module), x)
        np.testing.assert_array_equal(before, after)
        np.testing.assert_array_equal(after, -x)


@pytest.mark.parametrize("shape", [(1, 1, 1), (4, 2, 3), (1, 2, 3)])
def test_declines_where_the_result_has_another_shape(shape: tuple[int, ...]) -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: exp(add(x, of(shape=shape)(0))), X),
        because="the constant does not broadcast the operand",
    )


def test_declines_where_a_symbolic_dimension_may_be_one() -> None:
    x = tensor(tirx.Var("n", "int64"), 1)
    assert_declines(
        RULE,
        graph(lambda x, _: exp(add(x, of(shape=(1, 4))(0))), x),
        because="the constant does not broadcast the operand",
    )


def test_declines_between_a_graph_input_and_a_graph_output() -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: add(x, of()(0)), X),
        because="no graph output becomes a graph input or another output",
    )


@pytest.mark.parametrize(
    "compute",
    [
        lambda x, _: subtract(of()(0), x),
        lambda x, _: divide(of()(1), x),
        lambda x, _: add(x, of()(1)),
        lambda x, _: multiply(x, of()(0)),
        lambda x, _: add(x, of()(np.nan)),
        lambda x, _: add(x, constant(np.array([0, 0, 1e-30], "float32"))),
        lambda x, _: add(x, x),
    ],
    ids=["0-x", "1/x", "x+1", "x*0", "x+nan", "nearly 0", "x+x"],
)
def test_ignores_what_changes_something(compute: Any) -> None:
    assert_ignores(RULE, graph(compute, X))


def test_operands_of_two_dtypes_are_no_relax() -> None:
    with pytest.raises(TypeError, match="same datatype"):
        graph(lambda x, _: add(x, of("float64")(0)), X)


@pytest.mark.parametrize(
    ("op", "operands"),
    [("Add", "xc"), ("Add", "cx"), ("Sub", "xc"), ("Mul", "xd"), ("Mul", "dx"), ("Div", "xd")],
)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_a_whole_model(op: str, operands: str, dtype: str) -> None:
    model = onnx_model(
        [
            helper.make_node(op, list(operands), ["z"]),
            helper.make_node("Abs", ["z"], ["y"]),
        ],
        {"x": (dtype, ["n", 3])},
        {"y": dtype},
        {"c": np.zeros((1,), dtype), "d": np.ones((), dtype)},
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["abs"]
    feeds = {"x": np.arange(-3, 3).reshape(2, 3).astype(dtype)}
    assert_agrees({"y": run(module, feeds["x"])[0]}, reference(model, feeds))
