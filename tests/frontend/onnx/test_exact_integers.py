"""Integers beyond 2^53, which no float64 holds, and beyond 2^63."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper, numpy_helper

import tvmfuse
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

node = helper.make_node
A, B = 2**53 + 1, 2**62 + 3
X = np.array([1, -5, A, B])


@pytest.mark.parametrize("op", ["Add", "Sub", "Mul", "Div", "Mod", "Max", "Min"])
@pytest.mark.parametrize("other", [np.array([A, B, 7, -B]), np.array(B)], ids=["vector", "scalar"])
def test_arithmetic_with_large_constants(node_agrees: Any, op: str, other: Any) -> None:
    node_agrees(op, X, other, fixed=[1], outputs=["int64"])


@pytest.mark.parametrize("op", ["Equal", "Less", "Greater"])
def test_comparisons_with_large_constants(node_agrees: Any, op: str) -> None:
    node_agrees(op, X, np.array(A), fixed=[1], outputs=["bool"])


@pytest.mark.parametrize(("low", "high"), [(-3, A), (None, B - 1), (A, None), (None, None), (B, A)])
def test_clip_between_large_bounds(node_agrees: Any, low: Any, high: Any) -> None:
    bounds = [None if b is None else np.array(b) for b in (low, high)]
    fixed = [i for i, b in enumerate(bounds, 1) if b is not None]
    node_agrees("Clip", X, *bounds, fixed=fixed, outputs=["int64"])


@pytest.mark.parametrize("dtype", ["uint8", "uint32", "uint64"])
def test_clip_of_unsigned_integers(node_agrees: Any, dtype: str) -> None:
    x = np.array([0, 5, np.iinfo(dtype).max], dtype)
    for bounds in ((np.array(3, dtype), None), (None, np.array(7, dtype)), (None, None)):
        fixed = [i for i, b in enumerate(bounds, 1) if b is not None]
        node_agrees("Clip", x, *bounds, fixed=fixed, outputs=[dtype])


def test_other_large_constants(node_agrees: Any, agrees: Any) -> None:
    node_agrees(
        "Add",
        np.array([1, 2], "uint64"),
        np.array(2**63 + 5, "uint64"),
        fixed=[1],
        outputs=["uint64"],
    )
    node_agrees("Where", X > 0, X, np.array(B), fixed=[2], outputs=["int64"])
    node_agrees(
        "OneHot", np.array([0, 2]), np.array(3), np.array([A, B]), fixed=[1, 2], outputs=["int64"]
    )
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("ConstantOfShape", ["s"], ["c"], value=numpy_helper.from_array(np.array([B]))),
        node("Add", ["x", "c"], ["y"]),
    ]
    agrees(onnx_model(nodes, {"x": ("int64", ("n",))}, {"y": "int64"}), {"x": -X})


def test_a_fill_that_cannot_be_exact_is_refused() -> None:
    constants = {"p": np.array([1, 1]), "v": np.array(A)}
    model = onnx_model(
        [node("Pad", ["x", "p", "v"], ["y"])], {"x": ("int64", (4,))}, {"y": "int64"}, constants
    )
    with pytest.raises(UnsupportedModelError, match="beyond 2"):
        import_model(model)


@pytest.mark.parametrize(
    "exponent", [np.float32(np.inf), np.float32(np.nan), 1e30, 63, 2.5, 1, 0, -1]
)
def test_powers_by_any_constant_compile(exponent: Any) -> None:
    base = np.array([3, -3, 1, 0, 2**40], "int64")
    constant = np.array(exponent, "int64" if isinstance(exponent, int) else "float32")
    model = onnx_model(
        [node("Pow", ["x", "e"], ["y"])],
        {"x": ("int64", base.shape)},
        {"y": "int64"},
        {"e": constant},
    )
    found = tvmfuse.compile(model, level="none", strict=True).load()(x=base)["y"]
    if exponent in (63, 1, 0):
        np.testing.assert_array_equal(found, base**constant)
    assert found[2] == 1 or np.isnan(exponent)
