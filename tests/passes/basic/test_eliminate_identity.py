"""EliminateIdentity: an identity's readers read its operand."""

from typing import Any

import numpy as np
import pytest
import tvm
from graphs import graph, onnx_model, ops, run, tensor
from onnx import helper
from reference import assert_agrees, reference
from tvm import tirx
from tvm.relax.op import add, exp, expand_dims, negative

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ops import identity
from tvmfuse.passes.basic.eliminate_identity import EliminateIdentity
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = EliminateIdentity()
X = tensor(2, 3)


def test_between_two_operators() -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, _: negative(identity(exp(x))), X),
        graph(lambda x, _: negative(exp(x)), X),
    )


def test_after_a_graph_input() -> None:
    assert_rewrites(RULE, graph(lambda x, _: exp(identity(x)), X), graph(lambda x, _: exp(x), X))


def test_before_a_graph_output() -> None:
    assert_rewrites(RULE, graph(lambda x, _: identity(exp(x)), X), graph(lambda x, _: exp(x), X))


def test_before_a_graph_output_whose_operand_is_read_elsewhere() -> None:
    def before(x: Any, emit: Any) -> Any:
        y = emit(exp(x))
        return [identity(y), negative(y)]

    def after(x: Any, emit: Any) -> Any:
        y = emit(exp(x), output=True)
        return [y, negative(y)]

    assert_rewrites(RULE, graph(before, X), graph(after, X))


@pytest.mark.parametrize("dtype", ["float16", "float64", "int8", "bool"])
def test_any_dtype(dtype: str) -> None:
    x = tensor(2, 3, dtype=dtype)
    assert_rewrites(
        RULE,
        graph(lambda x, _: expand_dims(identity(x), 0), x),
        graph(lambda x, _: expand_dims(x, 0), x),
    )


def test_chains_and_several_readers() -> None:
    def before(x: Any, emit: Any) -> Any:
        y = emit(identity(identity(exp(x))))
        return [add(y, y), negative(y)]

    def after(x: Any, emit: Any) -> Any:
        y = emit(exp(x))
        return [add(y, y), negative(y)]

    assert_rewrites(RULE, graph(before, X), graph(after, X))


def test_symbolic_shapes() -> None:
    x = tensor(tirx.Var("n", "int64"), 3)
    tvm.ir.assert_structural_equal(
        RULE(graph(lambda x, _: exp(identity(x)), x)), graph(lambda x, _: exp(x), x)
    )


def test_declines_between_a_graph_input_and_a_graph_output() -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: [identity(x), exp(x)], X),
        because="no graph output becomes a graph input or another output",
    )


def test_declines_where_the_operand_is_an_output_too() -> None:
    def both(x: Any, emit: Any) -> Any:
        y = emit(exp(x), output=True)
        return [y, identity(y)]

    assert_declines(
        RULE,
        graph(both, X),
        because="no graph output becomes a graph input or another output",
    )


def test_declines_where_two_outputs_are_identities_of_one_value() -> None:
    def two(x: Any, emit: Any) -> Any:
        y = emit(exp(x))
        return [identity(y), identity(y)]

    assert_declines(RULE, graph(two, X), because="a graph output is its operand's only identity")


def test_ignores_other_operators() -> None:
    assert_ignores(RULE, graph(lambda x, _: exp(x), X))


def test_the_producer_keeps_its_name() -> None:
    trace = Trace()
    module = RULE(
        graph(
            lambda x, emit: negative(
                emit(with_nodes(identity(emit(with_nodes(exp(x), ["Exp_0"]))), ["Identity_1"]))
            ),
            X,
        ),
        trace,
    )
    assert trace.fired == [("Identity_1",)]
    assert nodes_of(module["main"].body.blocks[0].bindings[0].value) == ("Exp_0",)


def test_a_whole_model() -> None:
    model = onnx_model(
        [
            helper.make_node("Identity", ["x"], ["a"]),
            helper.make_node("Exp", ["a"], ["b"]),
            helper.make_node("Identity", ["b"], ["c"]),
            helper.make_node("Neg", ["c"], ["d"]),
            helper.make_node("Identity", ["d"], ["y"]),
            helper.make_node("Identity", ["x"], ["same"]),
        ],
        {"x": ("float32", ["n", 3])},
        {"y": "float32", "same": "float32"},
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["exp", "negative", "identity"]  # an output is no input
    feeds = {"x": np.ones((2, 3), "float32")}
    found = dict(zip(["y", "same"], run(module, feeds["x"]), strict=True))
    assert_agrees(found, reference(model, feeds))
