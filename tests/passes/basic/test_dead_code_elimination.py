"""DeadCodeElimination: what no output depends on is not computed."""

from __future__ import annotations

from typing import Any

import tvm
from graphs import graph, onnx_model, ops, tensor
from onnx import helper
from tvm import relax
from tvm.relax import op
from tvm.script import ir as I, relax as R

from tvmfuse.frontend.onnx.importer import import_model
from tvmfuse.ir.provenance import with_nodes
from tvmfuse.passes.basic.dead_code_elimination import DeadCodeElimination
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

PASS = DeadCodeElimination()
X = tensor(2, 3)


def test_a_chain_that_nobody_reads() -> None:
    def before(x: Any, emit: Any) -> Any:
        emit(op.log(emit(op.exp(emit(op.negative(x))))))
        return op.sqrt(x)

    assert_rewrites(PASS, graph(before, X), graph(lambda x, _: op.sqrt(x), X))


def test_what_something_else_reads_stays() -> None:
    def build(x: Any, emit: Any, *, dead: bool) -> Any:
        y = emit(op.exp(x))
        if dead:
            emit(op.log(y))
        return op.negative(y)

    assert_rewrites(
        PASS,
        graph(lambda x, emit: build(x, emit, dead=True), X),
        graph(lambda x, emit: build(x, emit, dead=False), X),
    )


def test_ignores_a_graph_without_dead_parts() -> None:
    assert_ignores(PASS, graph(lambda x, _: op.negative(op.exp(x)), X))


def test_ignores_an_output_that_nothing_else_reads() -> None:
    assert_ignores(PASS, graph(lambda x, _: [op.exp(x), op.negative(x)], X))


def test_a_dead_element_of_a_tuple() -> None:
    def before(x: Any, emit: Any) -> Any:
        pair = emit(relax.Tuple([emit(op.exp(x)), emit(op.negative(x))]))
        return op.sqrt(pair[0])

    assert_rewrites(PASS, graph(before, X), graph(lambda x, _: op.sqrt(op.exp(x)), X))


def test_ignores_a_tuple_whose_elements_are_all_read() -> None:
    def module(x: Any, emit: Any) -> Any:
        pair = emit(relax.Tuple([emit(op.exp(x)), emit(op.negative(x))]))
        return op.add(pair[0], pair[1])

    assert_ignores(PASS, graph(module, X))


def test_an_unread_result_of_a_split() -> None:
    def before(x: Any, emit: Any) -> Any:
        parts = emit(op.split(x, 3, axis=1))
        emit(parts[2])
        return [parts[0], emit(parts[1])]

    def after(x: Any, emit: Any) -> Any:
        parts = emit(op.split(x, 3, axis=1))
        return [parts[0], emit(parts[1])]

    assert_rewrites(PASS, graph(before, X), graph(after, X))


def test_stops_at_the_limit() -> None:
    def module(x: Any, emit: Any) -> Any:
        emit(op.log(emit(op.exp(x))))
        return op.sqrt(x)

    trace = Trace(limit=1)
    after = PASS(graph(module, X), trace)
    assert len(trace.fired) == 1
    assert ops(after) == ["exp", "sqrt"]


def test_the_trace_names_the_nodes() -> None:
    def module(x: Any, emit: Any) -> Any:
        emit(with_nodes(op.exp(x), ["exp_3"]))
        return op.sqrt(x)

    trace = Trace()
    PASS(graph(module, X), trace)
    assert trace.fired == [("exp_3",)]


@I.ir_module
class Printing:
    @R.function(pure=False)
    def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        y = R.exp(x)
        _ = R.print(y, format="{}")
        return x


def test_declines_what_has_an_effect() -> None:
    assert_declines(PASS, Printing, because="the call has no effect beside its value")


@I.ir_module
class Checked:
    @R.function
    def main(x: R.Tensor(ndim=2, dtype="float32")) -> R.Tensor(dtype="float32", ndim=2):
        with R.dataflow():
            y = R.match_cast(x, R.Tensor((2, 3), "float32"))
            z = R.exp(x)
            R.output(z)
        return z


def test_ignores_a_check_of_a_shape() -> None:
    assert_ignores(PASS, Checked)


@I.ir_module
class Certain:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        with R.dataflow():
            y = R.match_cast(x, R.Tensor((2, 3), "float32"))
            z = R.exp(x)
            R.output(z)
        return z


def test_a_check_of_what_is_certain() -> None:
    assert ops(PASS(Certain)) == ["exp"]
    assert PASS(Certain)["main"].body.blocks[0].bindings[0].value.op.name == "relax.exp"


@I.ir_module
class Branches:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), condition: R.Tensor((), "bool")) -> R.Tensor(
        (2, 3), "float32"
    ):
        y = R.exp(x)
        dead = R.negative(y)
        if condition:
            unread = R.log(dead)
            r = R.sqrt(y)
        else:
            r = R.negative(x)
        return r


@I.ir_module
class LiveBranches:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), condition: R.Tensor((), "bool")) -> R.Tensor(
        (2, 3), "float32"
    ):
        y = R.exp(x)
        if condition:  # noqa: SIM108
            r = R.sqrt(y)
        else:
            r = R.negative(x)
        return r


def test_inside_a_branch() -> None:
    after = PASS(Branches)
    tvm.ir.assert_structural_equal(after, LiveBranches)
    assert_ignores(PASS, after)


def test_the_unread_part_of_a_model() -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["y"]),
        helper.make_node("Exp", ["y"], ["unread"]),
        helper.make_node("Neg", ["y"], ["z"]),
    ]
    model = onnx_model(nodes, {"x": ("float32", ("n", 3))}, {"z": "float32"})
    assert ops(PASS(import_model(model).module)) == ["relu", "negative"]
