"""Where errors begin, and which kernels are to blame."""

from __future__ import annotations

from typing import Any

import onnx
from onnx import helper

from tvmfuse.frontend.onnx.source_graph import OnnxGraph
from tvmfuse.manifest import Kernel
from tvmfuse.measure.distance import Distance
from tvmfuse.measure.origins import with_incoming
from tvmfuse.measure.results.accuracy import ALARM, TensorError


def graph(*lines: str) -> OnnxGraph:
    """Read nodes written as `reads -> makes`, called as what they make."""
    nodes = []
    for line in lines:
        reads, makes = (side.split() for side in line.split("->"))
        nodes.append(helper.make_node("Add" if reads[1:] else "Relu", reads, makes, name=makes[0]))
    made = helper.make_graph(nodes, "g", [], [onnx.ValueInfoProto(name=nodes[-1].output[0])])
    return OnnxGraph.of(helper.make_model(made))


def row(name: str, error: float, place: int | None = None, noise: float = 1.0) -> TensorError:
    far = Distance(max_abs=error, max_rel=error)
    return TensorError(name, name, "", "float32", (1,), far, noise=noise, place=place)


DIAMOND = graph("x -> a", "a -> inside", "inside x -> b", "b a -> c")


def test_errors_come_in_from_the_nearest_tensors_compared() -> None:
    found = with_incoming([row("a", 0.25), row("b", 0.5), row("c", 0.125)], DIAMOND)
    assert [r.incoming for r in found] == [0, 0.25, 0.5]
    assert [r.growth for r in found] == [0.25, 0.25, -0.375]


def test_an_alarm_is_more_than_rounding_explains() -> None:
    assert not row("a", ALARM).alarm
    assert row("a", ALARM + 1).alarm
    assert not row("a", ALARM + 1, noise=2).alarm
    assert not row("a", 1e9, noise=float("inf")).alarm
    assert row("a", 1e-9, noise=0).alarm
    assert not row("a", 0, noise=0).alarm


def origins(*rows: TensorError, kernels: Any = ()) -> dict[str, tuple[int, ...]]:
    return {r.name: r.blamed for r in with_incoming(rows, DIAMOND, kernels) if r.origin}


def test_an_error_begins_where_nothing_before_it_is_one() -> None:
    kernels = [Kernel(name, (name,), "") for name in ("a", "b", "c")]
    wrong = [row("a", 0, 0), row("b", 99, 1), row("c", 99, 2)]
    assert origins(*wrong, kernels=kernels) == {"b": (1,)}
    assert origins(row("a", 99, 0), row("b", 0, 1), row("c", 99, 2), kernels=kernels) == {"a": (0,)}
    assert origins(row("a", 0, 0), row("b", 0, 1), row("c", 0, 2), kernels=kernels) == {}


def test_a_copy_of_a_wrong_tensor_is_no_origin() -> None:
    kernels = [Kernel("conv", ("a",), ""), Kernel("from_blocked", ("a",), "")]
    assert with_incoming([row("a", 99, 0), row("a", 99, 1)], DIAMOND, kernels)[1].origin is False
    assert origins(row("a", 0, 0), row("a", 99, 1), kernels=kernels) == {"a": (1,)}


def test_kernels_that_nobody_can_look_at_are_blamed_too() -> None:
    kernels = [Kernel(n, (n,), "") for n in ("a", "inside", "b", "c")]
    assert origins(row("a", 0, 0), row("b", 99, 2), row("c", 99, 3), kernels=kernels) == {
        "b": (1, 2)
    }
    assert origins(row("c", 99, 3), kernels=kernels) == {"c": (0, 1, 2, 3)}
