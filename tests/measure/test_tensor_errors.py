"""What one kernel wrote, compared as the values that it is proven to be."""

from __future__ import annotations

import dataclasses
from typing import Any, cast

import numpy as np
import onnx
import pytest
from onnx import helper

from tvmfuse.frontend.onnx.source_graph import OnnxGraph
from tvmfuse.manifest import Kernel, Manifest, StoredValue
from tvmfuse.measure.tensor_errors import Waiting

NAMES = ("q", "k", "v")
EXPECTED = {
    n: np.random.default_rng(i).standard_normal((2, 4)).astype(np.float32)
    for i, n in enumerate(NAMES)
}
MAKING = [helper.make_node("MatMul", ["x", f"w{n}"], [n], name=n) for n in NAMES]
READING = [helper.make_node("Relu", [n], [f"y{n}"], name=f"y{n}") for n in NAMES]
VALUES = [onnx.ValueInfoProto(name=f"y{n}") for n in NAMES]
GRAPH = OnnxGraph.of(helper.make_model(helper.make_graph([*MAKING, *READING], "g", [], VALUES)))
PARTS = tuple(StoredValue(n, part=(1, 4 * i, 4 * i + 4)) for i, n in enumerate(NAMES))
RESULTS = tuple(StoredValue(n, result=i) for i, n in enumerate(NAMES))


@dataclasses.dataclass
class Pretended:
    """An executable of one kernel, which writes these arrays and says what they are."""

    arrays: list[np.ndarray]
    values: tuple[StoredValue, ...]
    runs: int = 0

    @property
    def manifest(self) -> Manifest:
        return Manifest("m", (), (), kernels=(Kernel("all", NAMES, "", values=self.values),))

    def watch(self, _feeds: Any, seen: Any) -> None:
        self.runs += 1
        seen(0, self.arrays)


class Elsewhere:
    """Another engine, whose tensors rounding does not move."""

    def tensors(self, _graph: Any, _feeds: Any, _seen: Any, _moved: Any = None) -> None:
        pass


def waiting(arrays: Any, values: Any, budget: int = 2**20) -> Waiting:
    ours, other = cast("Any", Pretended(arrays, values)), cast("Any", Elsewhere())
    return Waiting(ours, other, {}, GRAPH, {}, budget)


def compared(arrays: Any, values: Any, budget: int = 2**20, expected: Any = EXPECTED) -> Waiting:
    found = waiting(arrays, values, budget)
    for name, array in expected.items():
        found.take(name, array)
    found.compare()
    return found


def test_one_result_may_be_three_tensors() -> None:
    found = compared([np.concatenate([*EXPECTED.values()], 1)], PARTS)
    assert {n: r.order for (n, _), r in found.rows.items()} == {
        "q": "0 to 4 of axis 1", "k": "4 to 8 of axis 1", "v": "8 to 12 of axis 1",
    }  # fmt: skip
    assert all(row.distance.within(0) for row in found.rows.values())
    assert found.rows["k", 0].kernel == "all"
    assert found.rows["k", 0].op == "MatMul"


def test_three_results_are_told_apart_by_what_the_kernel_says_and_not_by_numbers() -> None:
    swapped = [EXPECTED[n] for n in ("k", "q", "v")]
    found = compared(swapped, RESULTS)
    assert [found.rows[n, 0].distance.within(1e-6) for n in NAMES] == [False, False, True]


def test_a_wrong_result_is_wrong_and_its_neighbours_are_not() -> None:
    found = compared([EXPECTED["q"], EXPECTED["k"] + 1, EXPECTED["v"]], RESULTS)
    assert [found.rows[n, 0].distance.within(1e-6) for n in NAMES] == [True, False, True]


def test_what_nobody_says_is_not_compared_however_near_it_is() -> None:
    found = compared([*EXPECTED.values()], ())
    assert (found.rows, found.runs) == ({}, 0)


def test_what_is_not_as_the_kernel_says_is_skipped_with_the_reason() -> None:
    found = compared([np.ones((3, 5), np.float32)], (StoredValue("v"),))
    assert found.skipped == {"v": "it is float32[3, 5] here and float32[2, 4] there"}


@pytest.mark.parametrize(("budget", "runs"), [(1, 3), (32, 3), (64, 2), (96, 1)])
def test_ours_runs_as_often_as_the_budget_asks_for(budget: int, runs: int) -> None:
    found = compared([*EXPECTED.values()], RESULTS, budget)
    assert (found.runs, len(found.rows)) == (runs, 3)


def test_what_the_other_engine_does_not_show_is_skipped() -> None:
    found = compared([*EXPECTED.values()], RESULTS, expected={"q": EXPECTED["q"]})
    assert [*found.rows] == [("q", 0)]
    found.finish()
    assert found.skipped == dict.fromkeys("kv", "the other engine does not show it")


def test_an_array_that_is_written_over_while_it_waits_was_copied() -> None:
    mine = EXPECTED["v"].copy()
    found = waiting([EXPECTED["v"]], (StoredValue("v"),))
    found.take("v", mine)
    mine[:] = 7
    found.compare()
    assert found.rows["v", 0].distance.within(0)
