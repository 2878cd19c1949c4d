"""Which ONNX values an expression is: handed on by what is equal, and by nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from graphs import onnx_model
from onnx import helper
from tvm import relax

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of, products_of, values_of, with_nodes, with_values
from tvmfuse.ir.replace import replace
from tvmfuse.manifest import StoredValue

node = helper.make_node
Y = StoredValue("y", part=(1, 2, 3), axes=(1, 0))


def exp() -> Any:
    return relax.op.exp(relax.Var("x", relax.TensorType((2, 2), "float32")))


def test_values_and_nodes_are_told_apart() -> None:
    call = with_nodes(exp(), ["n"], [Y], [StoredValue("p")])
    assert (nodes_of(call), values_of(call)) == (("n",), (Y,))
    assert [value.name for value in products_of(call)] == ["p"]


def test_values_are_added_and_the_rest_stays() -> None:
    call = with_values(with_nodes(exp(), ["n"], [Y], [StoredValue("p")]), [StoredValue("z"), Y])
    assert [value.name for value in values_of(call)] == ["y", "z"]
    assert (nodes_of(call), len(products_of(call))) == (("n",), 1)


def test_a_call_made_anew_is_no_value() -> None:
    assert values_of(with_nodes(relax.op.exp(exp().args[0]), ["n"])) == ()


def chain() -> Any:
    nodes = [
        node("Exp", ["x"], ["a"], name="exp"), node("Neg", ["a"], ["b"], name="neg"),
        node("Abs", ["b"], ["y"], name="abs"),
    ]  # fmt: skip
    model = onnx_model(nodes, {"x": ("float32", (2, 2))}, {"y": "float32"})
    return import_model(model).module["main"]


def names(function: Any) -> list[list[str]]:
    bound = [value for _, value in Dataflow.of(function).bindings]
    return [[v.name for v in values_of(e)] for e in bound if isinstance(e, relax.Call)]


def test_the_importer_says_what_each_call_is() -> None:
    assert names(chain()) == [["a"], ["b"], ["y"]]


@pytest.mark.parametrize("place", [0, 1])
def test_what_takes_a_variables_place_is_its_value(place: int) -> None:
    main = chain()
    var, value = Dataflow.of(main).bindings[place]
    other = relax.op.sqrt(relax.op.sin(value.args[0]))
    found = names(replace(main, {var: other}))
    assert found == [*names(main)[:place], [], *names(main)[place:]]  # the inner call is nothing


def test_a_variable_that_takes_anothers_place_is_both() -> None:
    main = chain()
    (a, _), (b, _), *_ = Dataflow.of(main).bindings
    assert names(replace(main, {b: a})) == [["a", "b"], ["y"]]
