"""Sizes that inputs say: what no tensor can have is refused, and never allocated too small."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError

X = np.arange(12, dtype="float32").reshape(3, 4)


def shaped(op: str) -> Any:
    """Return a model whose output's shape is its input `k`."""
    operands = ["k"] if op == "ConstantOfShape" else ["x", "k"]
    inputs = {"x": ("float32", (3, 4)), "k": ("int64", (2,))}
    nodes = [helper.make_node(op, operands, ["y"])]
    return onnx_model(nodes, {name: inputs[name] for name in operands}, {"y": "float32"})


def fed(op: str, k: list[int]) -> dict[str, np.ndarray]:
    return {"k": np.array(k)} if op == "ConstantOfShape" else {"x": X, "k": np.array(k)}


GOOD = {
    "Reshape": [[3, 4], [-1, 4], [0, -1], [6, 2], [12, 1]],
    "Tile": [[1, 1], [2, 3], [0, 4]],
    "ConstantOfShape": [[2, 3], [0, 7]],
}
HUGE = [
    [2**40, 2**40], [2**32, 2**32], [2**31, 2**31], [2**62, 4], [2**62, 0], [2**63 - 1, 2**63 - 1],
    [2**62 + 3, 4],
]  # fmt: skip


@pytest.mark.parametrize("op", GOOD)
def test_sizes_that_inputs_say(op: str) -> None:
    model = shaped(op)
    run = tvmfuse.compile(model).load()
    for k in GOOD[op]:
        assert_agrees(run(fed(op, k)), reference(model, fed(op, k)))
    for k in HUGE:
        with pytest.raises(InputError, match="asks for a shape that it cannot have"):
            run(fed(op, k))


def test_a_reshape_to_a_size_below_none() -> None:
    run = tvmfuse.compile(shaped("Reshape")).load()
    for k in ([-3, -4], [-2, -6], [-1, -12], [-1, -1], [5, -1], [-(2**63), 4]):
        with pytest.raises(InputError, match="asks for a shape that it cannot have"):
            run(fed("Reshape", k))


WHOLE = [(0, 5, 1), (5, 0, -1), (0, 5, 2), (5, 5, 1), (0, 5, -1), (-7, 9, 3)]
RANGES: dict[str, list[tuple[float, float, float]]] = {
    "int32": [*WHOLE, (-(2**31), 2**31 - 1, 2**30), (2**31 - 1, -(2**31), -(2**30))],
    "int64": [*WHOLE, (0, 10, 2**62), (-(2**40), 2**40, 2**39)],
    "float32": [*WHOLE, (0.1, 1, 0.1), (1, -1, -0.25), (0, 1, float("inf"))],
    "float64": [*WHOLE, (0.1, 1, 0.1), (0, 1e30, 1e29)],
}
ENDLESS: dict[str, list[tuple[float, float, float]]] = {
    "int32": [(0, 5, 0), (5, 0, 0)],
    "int64": [(0, 5, 0), (0, 2**62, 1), (-(2**63), 2**63 - 1, 1), (2**63 - 1, -(2**63), -1)],
    "float32": [(0, 5, 0), (0, 1e30, 1), (0, float("inf"), 1), (float("nan"), 1, 1), (0, 1, 1e-20)],
    "float64": [(0, 1, float("nan")), (0, 1e300, 1e-300)],
}


@pytest.mark.parametrize("dtype", RANGES)
def test_ranges_that_inputs_say(dtype: str) -> None:
    inputs = dict.fromkeys("abc", (dtype, ()))
    model = onnx_model([helper.make_node("Range", list("abc"), ["y"])], inputs, {"y": dtype})
    run = tvmfuse.compile(model).load()

    def bounds(numbers: tuple[float, ...]) -> dict[str, np.ndarray]:
        return {name: np.array(n, dtype) for name, n in zip("abc", numbers, strict=True)}

    for numbers in RANGES[dtype]:
        assert_agrees(run(bounds(numbers)), reference(model, bounds(numbers)))
    for numbers in ENDLESS[dtype]:
        with pytest.raises(InputError, match="asks for a shape that it cannot have"):
            run(bounds(numbers))


def test_a_range_between_large_numbers() -> None:
    inputs = dict.fromkeys("abc", ("int64", ()))
    model = onnx_model([helper.make_node("Range", list("abc"), ["y"])], inputs, {"y": "int64"})
    y = tvmfuse.compile(model).load()(a=2**60, b=2**60 + 5, c=2)["y"]
    np.testing.assert_array_equal(y, [2**60, 2**60 + 2, 2**60 + 4])
