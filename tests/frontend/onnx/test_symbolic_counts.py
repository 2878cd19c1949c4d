"""TopK of as many elements as a size says: exporters write a sort as the TopK of a whole axis."""

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper

from tvmfuse.errors import InputError, UnsupportedModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.runtime.feeds import check_feeds

node = helper.make_node
BEST = {"values": "float32", "places": "int64"}
TWO, ZERO = np.array([2]), np.zeros((), "float32")


def model_of(*nodes: onnx.NodeProto, rank: int = 1, **attributes: Any) -> onnx.ModelProto:
    """Return a model that takes the `k` best of `t`, which the nodes make of `x` and of numbers."""
    best = node("TopK", ["t", "k"], ["values", "places"], "best", **attributes)
    dims = ["rows", "n"][-rank:]
    constants = {"two": TWO, "zero": ZERO}
    return onnx_model([*nodes, best], {"x": ("float32", dims)}, BEST, constants)


def feeds(*sizes: int, rows: int = 0) -> list[dict[str, np.ndarray]]:
    """Rounded, so that some elements are equal, of which the first one comes first."""
    rng = np.random.default_rng(0)
    shapes = [(rows, n) if rows else (n,) for n in sizes]
    return [{"x": rng.standard_normal(shape).round(1).astype("float32")} for shape in shapes]


def same(*names: str) -> list[onnx.NodeProto]:
    return [node("Identity", ["x"], [name]) for name in names]


@pytest.mark.parametrize("largest", [0, 1])
def test_a_sort_of_a_symbolic_length(agrees: Any, largest: int) -> None:
    nodes = [*same("t"), node("Shape", ["x"], ["k"])]
    imported = agrees(model_of(*nodes, largest=largest), *feeds(0, 1, 2, 9, 300))
    assert imported.outputs[0].shape == ("n",)


def test_a_sort_of_the_first_axis(agrees: Any) -> None:
    nodes = [*same("t"), node("Shape", ["x"], ["k"], start=0, end=1)]
    agrees(model_of(*nodes, rank=2, axis=0), *feeds(0, 1, 7, rows=5), *feeds(3, rows=1))


@pytest.mark.parametrize("op", ["Div", "Min"])
def test_half_of_the_elements_and_two_at_most(agrees: Any, op: str) -> None:
    nodes = [*same("t"), node("Shape", ["x"], ["s"]), node(op, ["s", "two"], ["k"])]
    agrees(model_of(*nodes), *feeds(0, 1, 2, 9))


def test_a_count_that_does_not_fit(agrees: Any) -> None:
    """Two elements less than there are: of one, none may be taken; two more there never are."""

    def of(op: str) -> onnx.ModelProto:
        return model_of(*same("t"), node("Shape", ["x"], ["s"]), node(op, ["s", "two"], ["k"]))

    imported = agrees(of("Sub"), *feeds(2, 3, 9))
    [one] = feeds(1)
    with pytest.raises(InputError, match="n"):
        check_feeds(imported.inputs, one)
    with pytest.raises(UnsupportedModelError, match=r"n and n \+ 2 have to be equal"):
        import_model(of("Add"))


def test_a_sort_of_what_a_mask_keeps(agrees: Any) -> None:
    """How many elements there are shows as the model runs: detectors sort the scores they keep."""
    nodes = [
        node("Greater", ["x", "zero"], ["keep"]),
        node("Compress", ["x", "keep"], ["t"]),
        node("Shape", ["t"], ["k"]),
    ]
    none = {"x": -np.ones(4, "float32")}
    agrees(model_of(*nodes), *feeds(0, 1, 2, 9, 300), none)


def test_no_element(agrees: Any) -> None:
    nothing = onnx_model(
        [node("TopK", ["x", "k"], ["values", "places"])],
        {"x": ("float32", ["n"])},
        BEST,
        {"k": np.array([0])},
    )
    agrees(nothing, *feeds(0, 1, 5))
