"""What became of a graph's operators, on small graphs written by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tvmfuse.measure.changes import compare_graphs
from tvmfuse.measure.results.graph_diff import Operator, OperatorGraph


def op(name: Any, node: Any, *reads: Any, result: str = "float32[2]", attributes: str = "") -> Any:
    return Operator(name, tuple(node.split()), attributes, result, reads)


CONV = op("conv", "c", "x")
NORM = op("norm", "n", 0)
RELU = op("relu", "r", 1)


def changed(before: Any, after: Any, *rewrites: Any) -> Any:
    compared = compare_graphs(
        OperatorGraph(before, (len(before) - 1,)), OperatorGraph(after, (len(after) - 1,)), rewrites
    )
    return [(c.before, c.after, c.passes) for c in compared.changes]


def test_equal_graphs_have_no_changes() -> None:
    graph = OperatorGraph((CONV, NORM), (1,))
    compared = compare_graphs(graph, graph, [("Fuse", ("c",))])
    assert compared.changes == ()
    assert compared.kept == ((0, 0), (1, 1))


def test_what_becomes_one_operator_is_one_change_by_the_passes_that_name_its_nodes() -> None:
    after = (op("conv", "c n", "x"), op("relu", "r", 0))
    rewrites = [("Fuse", ("c", "n")), ("Else", ("z",)), ("Pack", ("c", "n"))]
    assert changed((CONV, NORM, RELU), after, *rewrites) == [((0, 1), (0,), ("Fuse", "Pack"))]


def test_an_operator_that_goes_leaves_its_reader_unchanged() -> None:
    assert changed((CONV, NORM, RELU), (CONV, op("relu", "r", 0)), ("Drop", ("n",))) == [
        ((1,), (), ("Drop",))
    ]


@pytest.mark.parametrize("field", [{"result": "float32[3]"}, {"attributes": "axis=1"}])
def test_another_shape_or_attribute_is_a_change(field: Any) -> None:
    assert changed((CONV,), (op("conv", "c", "x", **field),), ("P", ("c",))) == [
        ((0,), (0,), ("P",))
    ]


def test_what_no_rewrite_names_belongs_to_what_it_reads() -> None:
    before = (CONV, op("relu", "r", 0), op("pool", "p", 1))
    after = tuple(op(o.name, o.nodes[0], *o.reads, result="blocked") for o in before)
    assert changed(before, after, ("Layout", ("c",))) == [((0, 1, 2), (0, 1, 2), ("Layout",))]


def test_what_nothing_explains_is_a_change_by_no_pass() -> None:
    assert changed((CONV,), (op("conv", "c", "x", result="blocked"),)) == [((0,), (0,), ())]


def test_new_operators_stand_behind_what_they_follow() -> None:
    before = (CONV, op("relu", "r", 0), op("norm", "n", 1))
    after = (CONV, op("reorder", "o", 0), op("relu", "r", 1), op("bn", "n", 2))
    found = changed(before, after, ("Norm", ("n",)), ("Order", ("o",)))
    assert found == [((), (1,), ("Order",)), ((2,), (3,), ("Norm",))]


def test_of_two_operators_that_look_alike_one_may_go() -> None:
    twice = (op("relu", "r", "x"), op("relu", "r", "x"), op("add", "a", 0, 1))
    assert changed(twice, (twice[0], op("add", "a", 0)), ("CSE", ("r",))) == [((1,), (), ("CSE",))]


def test_equal_changes_are_one_kind_whatever_their_shapes() -> None:
    layers = [
        op("conv", "c1", "x"),
        op("relu", "r1", 0),
        op("conv", "c2", 1, result="float32[7]"),
        op("relu", "r2", 2),
    ]
    fused = [op("fused", "c1 r1", "x"), op("fused", "c2 r2", 0, result="float32[7]")]
    rewrites = [("Fuse", ("c1", "r1")), ("Fuse", ("c2", "r2"))]
    [kind] = compare_graphs(
        OperatorGraph(tuple(layers), (3,)), OperatorGraph(tuple(fused), (1,)), rewrites
    ).kinds()
    assert [change.nodes for change in kind] == [("c1", "r1"), ("c2", "r2")]


def test_changes_whose_operators_read_each_other_differently_are_two_kinds() -> None:
    before = (op("a", "1", "x"), op("b", "2", 0), op("a", "3", 1), op("b", "4", 1))
    after = (op("f", "1 2", "x"), op("f", "3 4", 0))
    rewrites = [("Fuse", ("1", "2")), ("Fuse", ("3", "4"))]
    assert (
        len(
            compare_graphs(
                OperatorGraph(before, (3,)), OperatorGraph(after, (1,)), rewrites
            ).kinds()
        )
        == 2
    )
