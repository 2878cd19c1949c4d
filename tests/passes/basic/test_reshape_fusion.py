"""ReshapeFusion: reshapes that follow each other are one reshape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tvm
from graphs import graph, onnx_model, ops, run, tensor
from onnx import helper
from tvm import tirx
from tvm.relax import op
from tvm.script import ir as I, relax as R

from tvmfuse.frontend.onnx.importer import import_model
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.passes.basic.dead_code_elimination import DeadCodeElimination
from tvmfuse.passes.basic.reshape_fusion import ReshapeFusion
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

PASS = ReshapeFusion()
X = tensor(2, 12)
KEEPS = "no graph output becomes a graph input or another output"


def test_a_chain_becomes_one_reshape() -> None:
    def before(x: Any, _: Any) -> Any:
        y = op.flatten(op.expand_dims(op.reshape(op.exp(x), (2, 3, 4)), [0, -1]))
        return op.exp(op.squeeze(op.reshape(y, (4, 1, 6)), [1]))

    assert_rewrites(
        PASS,
        graph(before, X),
        graph(lambda x, _: op.exp(op.reshape(op.exp(x), (4, 6))), X),
    )


def test_a_reshape_to_the_same_shape_disappears() -> None:
    assert_rewrites(
        PASS,
        graph(lambda x, _: op.exp(op.reshape(x, (2, 12))), X),
        graph(lambda x, _: op.exp(x), X),
    )


def test_a_squeeze_of_nothing_disappears() -> None:
    assert_rewrites(
        PASS, graph(lambda x, _: op.exp(op.squeeze(x)), X), graph(lambda x, _: op.exp(x), X)
    )


def test_an_output_becomes_the_value_that_it_copies() -> None:
    assert_rewrites(
        PASS,
        graph(lambda x, _: op.squeeze(op.expand_dims(op.exp(x), [0]), [0]), X),
        graph(lambda x, _: op.exp(x), X),
    )


def test_an_output_that_would_be_an_input_stays_one_reshape() -> None:
    assert_rewrites(
        PASS,
        graph(lambda x, _: op.squeeze(op.expand_dims(x, [0]), [0]), X),
        graph(lambda x, _: op.reshape(x, (2, 12)), X),
    )


def test_all_readers_of_an_inner_reshape_pass_it_by() -> None:
    def before(x: Any, emit: Any) -> Any:
        y = emit(op.reshape(x, (24,)))
        return [op.exp(op.reshape(y, (4, 6))), op.exp(op.expand_dims(y, [0]))]

    def after(x: Any, _: Any) -> Any:
        return [op.exp(op.reshape(x, (4, 6))), op.exp(op.reshape(x, (1, 24)))]

    assert_rewrites(PASS, graph(before, X), graph(after, X))


def test_a_reshape_that_undoes_another_reads_its_operand() -> None:
    def build(x: Any, emit: Any, *, undo: bool) -> Any:
        x = emit(op.exp(x))
        y = emit(op.reshape(x, (24,)))
        return [op.log(y), op.exp(op.reshape(y, (2, 12)) if undo else x)]

    assert_rewrites(
        PASS,
        graph(lambda x, emit: build(x, emit, undo=True), X),
        graph(lambda x, emit: build(x, emit, undo=False), X),
    )


def test_symbolic_dimensions() -> None:
    n = tirx.Var("n", "int64")

    def before(x: Any, _: Any) -> Any:
        return op.exp(op.reshape(op.expand_dims(op.reshape(x, (n, 3, 4)), [0]), (n * 3, 4)))

    after = graph(lambda x, _: op.exp(op.reshape(x, (n * 3, 4))), tensor(n, 12))
    tvm.ir.assert_structural_equal(PASS(graph(before, tensor(n, 12))), after)


def test_a_reshape_to_the_same_symbolic_shape_disappears() -> None:
    n, m = tirx.Var("n", "int64"), tirx.Var("m", "int64")
    same = graph(lambda x, _: op.exp(op.reshape(x, (n * 2, m))), tensor(n + n, m))
    assert ops(PASS(same)) == ["exp"]


def test_ignores_one_reshape_to_another_symbolic_shape() -> None:
    n = tirx.Var("n", "int64")
    assert_ignores(PASS, graph(lambda x, _: op.reshape(x, (2, n)), tensor(n, 2)))


def test_ignores_one_reshape() -> None:
    assert_ignores(PASS, graph(lambda x, _: op.exp(op.reshape(x, (24,))), X))


def test_ignores_a_reshape_after_something_else() -> None:
    assert_ignores(PASS, graph(lambda x, _: op.reshape(op.exp(op.reshape(x, (24,))), (4, 6)), X))


def test_declines_where_something_else_reads_the_inner_reshape() -> None:
    def module(x: Any, emit: Any) -> Any:
        y = emit(op.reshape(x, (24,)))
        return [op.exp(y), op.reshape(y, (4, 6))]

    assert_declines(PASS, graph(module, X), because="the inner reshape has no other reader")


def test_declines_where_the_inner_reshape_is_an_output() -> None:
    def module(x: Any, emit: Any) -> Any:
        y = emit(op.reshape(x, (24,)), output=True)
        return [y, op.reshape(y, (4, 6))]

    assert_declines(PASS, graph(module, X), because="the inner reshape has no other reader")


def test_declines_to_return_an_input() -> None:
    assert_declines(PASS, graph(lambda x, _: op.reshape(x, (2, 12)), X), because=KEEPS)


def test_declines_to_return_a_tensor_twice() -> None:
    def module(x: Any, emit: Any) -> Any:
        y = emit(op.exp(x), output=True)
        return [y, op.reshape(y, (2, 12))]

    assert_declines(PASS, graph(module, X), because=KEEPS)


@I.ir_module
class Unknown:
    @R.function
    def main(x: R.Tensor((2, 12), "float32"), s: R.Shape(ndim=2)) -> R.Tensor(
        dtype="float32", ndim=2
    ):
        with R.dataflow():
            a = R.expand_dims(x, axis=[0])
            y = R.reshape(a, s)
            R.output(y)
        return y


def test_declines_where_the_final_shape_is_not_known() -> None:
    assert_declines(PASS, Unknown, because="the final shape is known")


@I.ir_module
class Blocks:
    @R.function
    def main(x: R.Tensor((2, 12), "float32")) -> R.Tuple(
        R.Tensor((4, 6), "float32"), R.Tensor((2, 12), "float32")
    ):
        with R.dataflow():
            inside = R.exp(x)
            y = R.reshape(inside, (24,))
            R.output(y)
        between = R.abs(x)
        with R.dataflow():
            z = R.reshape(y, (4, 6))
            w = R.exp(z)
            R.output(w)
        return (w, between)


def test_ignores_a_value_that_its_block_does_not_show() -> None:
    assert_ignores(PASS, Blocks)


def test_the_new_reshape_knows_the_nodes_of_the_chain() -> None:
    def module(x: Any, emit: Any) -> Any:
        y = emit(with_nodes(op.expand_dims(x, [0]), ["unsqueeze"]))
        return op.exp(emit(with_nodes(op.reshape(y, (24,)), ["reshape"])))

    trace = Trace()
    (_, call), *_ = Dataflow.of(PASS(graph(module, X), trace)["main"]).bindings
    assert nodes_of(call) == ("unsqueeze", "reshape")
    assert trace.fired == [("unsqueeze", "reshape")]


def test_stops_at_the_limit() -> None:
    def module(x: Any, _: Any) -> Any:
        return [op.exp(op.flatten(op.expand_dims(x, [0]))) for _ in range(2)]

    after = PASS(graph(module, X), Trace(limit=1))
    assert ops(after) == ["reshape", "exp", "expand_dims", "flatten", "exp"]


@I.ir_module
class Branches:
    @R.function
    def main(x: R.Tensor((2, 12), "float32"), condition: R.Tensor((), "bool")) -> R.Tensor(
        (4, 6), "float32"
    ):
        if condition:
            a = R.reshape(x, (24,))
            b = R.reshape(a, (4, 6))
            r = R.exp(b)
        else:
            c = R.expand_dims(x, axis=[0])
            d = R.reshape(c, (4, 6))
            r = R.negative(d)
        return r


def test_inside_branches() -> None:
    after = PASS(Branches)
    assert ops(after) == ["reshape", "exp", "reshape", "negative"]
    assert_ignores(PASS, after)


@pytest.mark.parametrize(
    ("shape", "allowzero"), [([0, 0, 4, 3], 0), ([0, -1, 4, 3], 0), ([2, 5, 4, 3], 1)]
)
def test_a_shape_that_copies_dimensions(shape: list[int], allowzero: int) -> None:
    nodes = [
        helper.make_node("Unsqueeze", ["x", "axis"], ["u"]),
        helper.make_node("Squeeze", ["u", "axis"], ["v"]),
        helper.make_node("Reshape", ["v", "shape"], ["y"], allowzero=allowzero),
        helper.make_node("Relu", ["y"], ["r"]),
    ]
    constants = {"axis": np.array([1]), "shape": np.array(shape)}
    batch = 2 if allowzero else "n"
    model = onnx_model(nodes, {"x": ("float32", (batch, 5, 12))}, {"r": "float32"}, constants)
    module = PASS(import_model(model).module)
    assert ops(module) == ["reshape", "relu"]
    x = np.arange(120, dtype="float32").reshape(2, 5, 12) - 60
    np.testing.assert_array_equal(run(module, x)[0], np.maximum(x, 0).reshape(2, 5, 4, 3))


@pytest.mark.parametrize("batch", ["n", 2])
def test_a_shape_that_the_model_computes(batch: int | str) -> None:
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Gather", ["s", "zero"], ["b"]),
        helper.make_node("Gather", ["s", "one"], ["t"]),
        helper.make_node("Unsqueeze", ["b", "axis"], ["b1"]),
        helper.make_node("Unsqueeze", ["t", "axis"], ["t1"]),
        helper.make_node("Concat", ["b1", "t1", "heads"], ["shape"], axis=0),
        helper.make_node("Reshape", ["x", "shape"], ["y"]),
        helper.make_node("Unsqueeze", ["y", "axis"], ["y1"]),
        helper.make_node("Reshape", ["y1", "flat"], ["z"]),
        helper.make_node("Relu", ["z"], ["r"]),
    ]
    constants = {
        "zero": np.array(0), "one": np.array(1), "axis": np.array([0]),
        "heads": np.array([4, -1]), "flat": np.array([-1, 3]),
    }  # fmt: skip
    model = onnx_model(nodes, {"x": ("float32", (batch, 5, 12))}, {"r": "float32"}, constants)
    module = PASS(import_model(model).module)
    assert ops(module) == ["reshape", "relu"]
    x = np.arange(120, dtype="float32").reshape(2, 5, 12) - 60
    np.testing.assert_array_equal(run(module, x)[0], np.maximum(x, 0).reshape(-1, 3))


def test_a_flattened_pool() -> None:
    nodes = [
        helper.make_node("GlobalAveragePool", ["x"], ["p"]),
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Gather", ["s", "zero"], ["n"]),
        helper.make_node("Unsqueeze", ["n", "zero_axis"], ["n1"]),
        helper.make_node("Concat", ["n1", "rest"], ["shape"], axis=0),
        helper.make_node("Reshape", ["p", "shape"], ["y"]),
        helper.make_node("Flatten", ["y"], ["z"]),
    ]
    constants = {
        "zero": np.array(0), "zero_axis": np.array([0]), "rest": np.array([-1, 1]),
    }  # fmt: skip
    model = onnx_model(nodes, {"x": ("float32", ("n", 4, 3, 3))}, {"z": "float32"}, constants)
    before = import_model(model).module
    after = DeadCodeElimination()(PASS(before))
    assert ops(after)[-1] == "reshape"
    assert len(ops(after)) == len(ops(before)) - 1
