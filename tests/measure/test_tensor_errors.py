"""What one kernel wrote, and which tensors that is."""

from __future__ import annotations

import dataclasses
from typing import Any, cast

import numpy as np
import onnx
import pytest
from onnx import helper

from tvmfuse.frontend.onnx.source_graph import OnnxGraph
from tvmfuse.manifest import Kernel, Manifest
from tvmfuse.measure.distance import Distance
from tvmfuse.measure.ends import ends_of
from tvmfuse.measure.results.accuracy import TensorError
from tvmfuse.measure.tensor_errors import Waiting, with_incoming

NAMES = ("q", "k", "v")
EXPECTED = {
    n: np.random.default_rng(i).standard_normal((2, 4)).astype(np.float32)
    for i, n in enumerate(NAMES)
}
MAKING = [helper.make_node("MatMul", ["x", f"w{n}"], [n], name=n) for n in NAMES]
READING = [helper.make_node("Relu", [n], [f"y{n}"], name=f"y{n}") for n in NAMES]
VALUES = [onnx.ValueInfoProto(name=f"y{n}") for n in NAMES]
GRAPH = OnnxGraph.of(helper.make_model(helper.make_graph([*MAKING, *READING], "g", [], VALUES)))


@dataclasses.dataclass
class Pretended:
    """An executable of one kernel, which writes these arrays."""

    arrays: list[np.ndarray]
    manifest = Manifest("m", (), (), kernels=(Kernel("all_three", NAMES, ""),))
    runs = 0

    def watch(self, _feeds: Any, seen: Any) -> None:
        self.runs += 1
        seen(0, self.arrays)


def compared(arrays: Any, budget: Any = 2**20, expected: Any = EXPECTED) -> Any:
    waiting = Waiting(
        cast("Any", Pretended(arrays)),
        {},
        GRAPH,
        ends_of(Pretended.manifest.kernels, GRAPH),
        budget,
    )
    for name, array in expected.items():
        waiting.take(name, array)
    waiting.compare()
    return waiting


def test_one_result_may_be_three_tensors() -> None:
    found = compared([np.concatenate([*EXPECTED.values()], 1)])
    assert {n: r.order for n, r in found.rows.items()} == {
        "q": "0 to 4 of axis 1", "k": "4 to 8 of axis 1", "v": "8 to 12 of axis 1",
    }  # fmt: skip
    assert found.rows["k"].kernel == "all_three"
    assert found.rows["k"].op == "MatMul"


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_three_results_are_told_apart_by_their_numbers(order: tuple[int, ...]) -> None:
    found = compared([EXPECTED[NAMES[i]] for i in order])
    assert all(row.distance.within(0) for row in found.rows.values())


def test_a_wrong_result_is_wrong_and_its_neighbours_are_not() -> None:
    found = compared([EXPECTED["q"], EXPECTED["k"] + 1, EXPECTED["v"]])
    assert [found.rows[n].distance.within(1e-6) for n in NAMES] == [True, False, True]


def test_of_one_result_the_last_tensor_is_what_it_is() -> None:
    """The others may have been values inside, whose readers are gone."""
    found = compared([EXPECTED["v"] + 1])
    assert [*found.rows] == ["v"]
    assert not found.rows["v"].distance.within(0.01)


def test_what_fits_no_tensor_is_skipped_with_the_reason() -> None:
    found = compared([np.ones((3, 5), np.float32)])
    assert found.skipped == {
        "v": "its shape is [3, 5] here and [2, 4] there, and no order of it fits"
    }


def test_what_the_kernel_does_not_end_in_does_not_wait() -> None:
    assert compared([], expected={"x": np.ones(3)}).runs == 0


@pytest.mark.parametrize(("budget", "runs"), [(1, 3), (32, 3), (64, 2), (96, 1)])
def test_ours_runs_as_often_as_the_budget_asks_for(budget: int, runs: int) -> None:
    found = compared([*EXPECTED.values()], budget)
    assert (found.runs, len(found.rows)) == (runs, 3)


def test_what_the_other_variant_does_not_show_is_skipped() -> None:
    waiting = compared([*EXPECTED.values()], expected={"q": EXPECTED["q"]})
    assert [*waiting.rows] == ["q"]
    waiting.finish()
    assert waiting.skipped == dict.fromkeys("kv", "the other engine does not show it")


def test_an_array_that_is_written_over_while_it_waits_was_copied() -> None:
    mine = EXPECTED["v"].copy()
    waiting = Waiting(
        cast("Any", Pretended([EXPECTED["v"]])),
        {},
        GRAPH,
        ends_of(Pretended.manifest.kernels, GRAPH),
        99,
    )
    waiting.take("v", mine)
    mine[:] = 7
    waiting.compare()
    assert waiting.rows["v"].distance.within(0)


def row(name: Any, error: Any) -> Any:
    return TensorError(name, name, "", "float32", (1,), Distance(max_rel=error))


def test_errors_come_in_from_the_nearest_tensors_compared() -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], name="a"),
        helper.make_node("Relu", ["a"], ["inside"], name="inside"),
        helper.make_node("Add", ["inside", "x"], ["b"], name="b"),
        helper.make_node("Add", ["b", "a"], ["c"], name="c"),
    ]
    made = helper.make_graph(nodes, "g", [], [onnx.ValueInfoProto(name="c")])
    graph = OnnxGraph.of(helper.make_model(made))
    found = with_incoming([row("a", 0.25), row("b", 0.5), row("c", 0.125)], graph)
    assert [r.incoming for r in found] == [0, 0.25, 0.5]
    assert [r.growth for r in found] == [0.25, 0.25, -0.375]
