"""PreShapeNodeElimination: a shape is read before the cast, not after it."""

from typing import Any

import numpy as np
import pytest
from graphs import graph, onnx_model, run, tensor
from onnx import TensorProto, helper
from reference import assert_agrees, reference
from tvm import IRModule
from tvm.ir import Expr
from tvm.relax.op import astype, exp, shape_of, shape_to_tensor, size

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.types import is_float
from tvmfuse.passes.basic.pre_shape_node_elimination import PreShapeNodeElimination
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import Optimizer
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = PreShapeNodeElimination()
X = tensor(2, 3)


def measured(shape: Any, dtypes: list[str]) -> IRModule:
    def compute(x: Any, _: Any) -> Any:
        for dtype in dtypes:
            x = astype(x, dtype)
        return shape(x)

    return graph(compute, X)


def as_tensor(x: Any) -> Any:
    return shape_to_tensor(shape_of(x))


@pytest.mark.parametrize("dtypes", [["float64"], ["int32"], ["bool"], ["int32", "float16"]])
def test_the_shape_of_a_cast(dtypes: list[str]) -> None:
    assert_rewrites(RULE, measured(as_tensor, dtypes), measured(as_tensor, []))


def test_the_size_of_a_cast() -> None:
    assert_rewrites(RULE, measured(size, ["int32"]), measured(size, []))


def test_several_shapes_of_one_cast() -> None:
    def of(cast: Any) -> Any:
        def compute(x: Any, emit: Any) -> Any:
            y = emit(astype(x, "int64")) if cast else x
            return [as_tensor(y), size(y), as_tensor(y)]

        return graph(compute, X)

    assert_rewrites(RULE, of(cast=True), of(cast=False))


def test_declines_where_the_cast_is_needed_anyway() -> None:
    def both(x: Any, emit: Any) -> Any:
        y = emit(astype(x, "float64"))
        return [as_tensor(y), exp(y)]

    assert_declines(RULE, graph(both, X), because="the cast is read for its shape only")


def test_declines_where_the_cast_is_an_output() -> None:
    def both(x: Any, emit: Any) -> Any:
        y = emit(astype(x, "float64"), output=True)
        return [as_tensor(y), y]

    assert_declines(RULE, graph(both, X), because="the cast is read for its shape only")


def test_ignores_other_shapes_and_other_casts() -> None:
    assert_ignores(RULE, graph(lambda x, _: [as_tensor(x), astype(exp(x), "float64")], X))


READS = {
    "Shape": [helper.make_node("Expand", ["x", "s"], ["y"])],
    "Size": [
        helper.make_node("Cast", ["s"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["x", "f"], ["y"]),
    ],
}


@pytest.mark.parametrize("measure", READS)
def test_a_whole_model(measure: str) -> None:
    """The importer works the shape out; no cast of the measured tensor survives the Basic tier."""
    model = onnx_model(
        [
            helper.make_node("Cast", ["z"], ["wide"], to=TensorProto.DOUBLE),
            helper.make_node(measure, ["wide"], ["s"]),
            *READS[measure],
        ],
        {"x": ("float32", [1, 3]), "z": ("float32", ["n", 3])},
        {"y": "float32"},
    )
    imported = import_model(model).module
    basic = Optimizer(Selection.of("basic")).run_on_operators(imported)
    casts = [call for _, call in Dataflow.of(basic["main"]).bindings if _casts_floats(call)]
    assert not casts
    feeds = {"x": np.ones((1, 3), "float32"), "z": np.ones((2, 3), "float32")}
    assert_agrees({"y": run(basic, *feeds.values())[0]}, reference(model, feeds))


def _casts_floats(call: Expr) -> bool:
    return op_name(call) == "relax.astype" and is_float(call.args[0])
