"""CommonSubexpressionElimination: what is computed twice is computed once."""

from __future__ import annotations

from typing import Any

import numpy as np
import tvm
from graphs import graph, onnx_model, ops, tensor
from onnx import helper
from tvm import relax, tirx
from tvm.relax import op
from tvm.relax.op import nn
from tvm.script import ir as I, relax as R

from tvmfuse.frontend.onnx.importer import import_model
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ops import conv, dropout
from tvmfuse.passes.basic.common_subexpression_elimination import CommonSubexpressionElimination
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites, assert_same_numbers

PASS = CommonSubexpressionElimination()
X = tensor(2, 3)


def test_equal_calls() -> None:
    def after(x: Any, emit: Any) -> Any:
        y = emit(op.exp(x))
        return op.add(y, y)

    assert_rewrites(PASS, graph(lambda x, _: op.add(op.exp(x), op.exp(x)), X), graph(after, X))


def test_equal_chains() -> None:
    def chain(x: Any) -> Any:
        return nn.softmax(op.add(op.negative(x), relax.const(1.0)), axis=1)

    def after(x: Any, emit: Any) -> Any:
        y = emit(chain(x))
        return op.multiply(y, y)

    assert_rewrites(PASS, graph(lambda x, _: op.multiply(chain(x), chain(x)), X), graph(after, X))


def test_equal_calls_of_our_own_operators() -> None:
    weight = relax.const(np.ones((2, 2, 1, 1), "float32"))

    def call(x: Any) -> Any:
        return conv(x, weight, strides=[1, 1], padding=[0] * 4, dilation=[1, 1])

    def after(x: Any, emit: Any) -> Any:
        y = emit(call(x))
        return op.add(y, y)

    image = tensor(1, 2, 3, 3)
    assert_rewrites(PASS, graph(lambda x, _: op.add(call(x), call(x)), image), graph(after, image))


def test_equal_elements_of_equal_tuples() -> None:
    def before(x: Any, emit: Any) -> Any:
        a, b = emit(op.split(x, 3, axis=1)), emit(op.split(x, 3, axis=1))
        return op.add(emit(a[1]), emit(b[1]))

    def after(x: Any, emit: Any) -> Any:
        y = emit(emit(op.split(x, 3, axis=1))[1])
        return op.add(y, y)

    assert_rewrites(PASS, graph(before, X), graph(after, X))


def test_equal_operands_in_a_tuple() -> None:
    def after(x: Any, emit: Any) -> Any:
        y = emit(op.concat([x, relax.const(np.ones((1, 3), "float32"))]))
        return op.add(y, y)

    def before(x: Any, _: Any) -> Any:
        ones = (relax.const(np.ones((1, 3), "float32")) for _ in range(2))
        return op.add(*(op.concat([x, one]) for one in ones))

    assert_rewrites(PASS, graph(before, X), graph(after, X))


def test_an_output_that_is_computed_before() -> None:
    def before(x: Any, emit: Any) -> Any:
        y = emit(op.exp(x))
        return [op.negative(y), op.exp(x)]

    def after(x: Any, emit: Any) -> Any:
        y = emit(op.exp(x), output=True)
        return [op.negative(y), y]

    assert_rewrites(PASS, graph(before, X), graph(after, X))


def test_each_output_stays_a_tensor_of_its_own() -> None:
    module = graph(lambda x, _: [op.exp(x), op.exp(x)], X)
    assert_declines(PASS, module, because="at most one of the calls is a graph output")


def test_only_the_first_of_two_outputs_takes_the_place_of_a_value() -> None:
    def before(x: Any, emit: Any) -> Any:
        return [op.negative(emit(op.exp(x))), op.exp(x), op.exp(x)]

    trace = Trace()
    after = PASS(graph(before, X), trace)
    assert ops(after) == ["exp", "negative", "exp"]
    assert list(trace.reasons) == ["at most one of the calls is a graph output"]
    assert_same_numbers(graph(before, X), after)


def test_symbolic_dimensions() -> None:
    n = tirx.Var("n", "int64")

    def call(x: Any) -> Any:
        return op.reshape(x, (n * 3,))

    before = PASS(graph(lambda x, _: op.add(call(x), call(x)), tensor(n, 3)))
    assert ops(before) == ["reshape", "add"]


def test_the_merged_call_knows_the_nodes_of_all() -> None:
    def module(x: Any, emit: Any) -> Any:
        calls = [emit(with_nodes(op.exp(x), [f"exp_{i}"])) for i in range(3)]
        return op.concat(calls)

    trace = Trace()
    _, call = Dataflow.of(PASS(graph(module, X), trace)["main"]).bindings[0]
    assert nodes_of(call) == ("exp_0", "exp_1", "exp_2")
    assert trace.fired == [("exp_0", "exp_1"), ("exp_0", "exp_1", "exp_2")]


def test_ignores_calls_that_differ() -> None:
    def module(x: Any, _: Any) -> Any:
        return [
            op.exp(x),
            op.log(x),
            nn.softmax(x, axis=0),
            nn.softmax(x, axis=1),
            op.add(x, relax.const(0.0)),
            op.add(x, relax.const(-0.0)),
            op.subtract(x, relax.const(1.0)),
            op.subtract(relax.const(1.0), x),
            op.reshape(x, (6,)),
            op.reshape(x, (3, 2)),
            op.astype(x, "int32"),
            op.astype(x, "int64"),
        ]

    assert_ignores(PASS, graph(module, X))


def test_ignores_large_constants_that_are_two_objects() -> None:
    def module(x: Any, _: Any) -> Any:
        a, b = (relax.const(np.ones((40_000,), "float32")) for _ in range(2))
        return [op.add(x, a), op.add(x, b)]

    assert_ignores(PASS, graph(module, tensor(1)))


def test_declines_random_numbers() -> None:
    def module(x: Any, _: Any) -> Any:
        return op.add(*(dropout(x, ratio=0.5, training=True) for _ in range(2)))

    assert_declines(PASS, graph(module, X), because="equal calls give equal results")


def test_stops_at_the_limit() -> None:
    module = graph(lambda x, _: op.concat([op.exp(x) for _ in range(4)]), X)
    assert ops(PASS(module, Trace(limit=2))) == ["exp", "exp", "concat"]


@I.ir_module
class Branches:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), condition: R.Tensor((), "bool")) -> R.Tensor(
        (2, 3), "float32"
    ):
        y = R.exp(x)
        if condition:
            a = R.exp(x)
            b = R.log(a)
            r = R.sqrt(b)
        else:
            c = R.log(y)
            r = R.negative(c)
        d = R.log(y)
        return R.add(d, r)


@I.ir_module
class MergedBranches:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), condition: R.Tensor((), "bool")) -> R.Tensor(
        (2, 3), "float32"
    ):
        y = R.exp(x)
        if condition:
            a = y
            b = R.log(a)
            r = R.sqrt(b)
        else:
            c = R.log(y)
            r = R.negative(c)
        d = R.log(y)
        return R.add(d, r)


def test_a_branch_reads_what_is_computed_before_it_and_nothing_else() -> None:
    after = PASS(Branches)
    tvm.ir.assert_structural_equal(after, MergedBranches)
    assert_ignores(PASS, after)


@I.ir_module
class Blocks:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        with R.dataflow():
            inside = R.exp(x)
            y = R.negative(inside)
            z = R.log(x)
            R.output(y, z)
        between = R.abs(y)
        with R.dataflow():
            again = R.exp(x)
            w = R.add(again, between)
            v = R.add(w, z)
            u = R.add(v, R.log(x))
            R.output(u)
        return u


def test_a_value_does_not_leave_its_dataflow_block() -> None:
    after = PASS(Blocks)
    assert ops(after) == ["exp", "negative", "log", "abs", "exp", "add", "add", "add"]
    relax.analysis.well_formed(after)
    assert_same_numbers(Blocks, after)


def test_layers_of_a_model_share_a_mask() -> None:
    nodes = [
        helper.make_node("Cast", ["mask"], ["m1"], to=1),
        helper.make_node("Cast", ["mask"], ["m2"], to=1),
        helper.make_node("Add", ["x", "m1"], ["y"]),
        helper.make_node("Add", ["y", "m2"], ["z"]),
    ]
    inputs = {"x": ("float32", ("n", 3)), "mask": ("int64", ("n", 3))}
    module = import_model(onnx_model(nodes, inputs, {"z": "float32"})).module
    assert ops(PASS(module)) == ["astype", "add", "add"]
