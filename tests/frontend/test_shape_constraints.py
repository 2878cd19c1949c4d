"""Equations between symbolic dimensions: what is learned of them, and how inputs are checked."""

import json
from dataclasses import asdict
from typing import Any

import msgspec
import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper

from tvmfuse.errors import InputError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.frontend.shape_constraints import solved, with_shape_constraints
from tvmfuse.frontend.solved_range import solved_range
from tvmfuse.frontend.symbols import Symbols
from tvmfuse.ir.sizes import size_of
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.runtime.feeds import check_feeds
from tvmfuse.size_ranges import SizeRange
from tvmfuse.tensor_spec import ShapeConstraint, TensorSpec

node = helper.make_node
SYMBOLS = Symbols()
N, M = SYMBOLS.named("n"), SYMBOLS.named("m")


@pytest.mark.parametrize(
    ("left", "right", "learned"),
    [
        (M, N, ("m", "n")),
        (N, M, ("m", "n")),
        (N, 3, ("n", 3)),
        (3, N, ("n", 3)),
        (N * 4, 16, ("n", 4)),
        (N * 2 + 1, 7, ("n", 3)),
        (N * 4, 15, None),
        (N * 2, N, None),  # it is 0, and nothing is built for that
        (N * M, 16, None),
        (N % 2, 0, None),
        (N * N, 16, None),
    ],
    ids=str,
)
def test_what_is_learned(left: Any, right: Any, learned: Any) -> None:
    assert solved(left, right, ["n", "m"]) == learned


@pytest.mark.parametrize(
    ("left", "right", "learned"),
    [
        (SYMBOLS.smaller(N, 256), N, ("n", SizeRange(0, 256))),
        (SYMBOLS.larger(N - 1, 0) + 1, N, ("n", SizeRange(1))),
        (SYMBOLS.smaller(N * 3, 20), N * 3, ("n", SizeRange(0, 6))),
        (SYMBOLS.smaller(SYMBOLS.larger(N, 4), 8), N, ("n", SizeRange(4, 8))),
        (N // 7, SYMBOLS.larger(N // 7, 5), ("n", SizeRange(35))),
        (N % 2, 0, None),  # no range
        (SYMBOLS.smaller(N, 5), SYMBOLS.larger(N - 3, 0) + 2, None),  # at 2 and at 6
        (SYMBOLS.smaller(N, M), N, None),
        (N + 1, 1 + N, None),
        (N + 1, N, None),
    ],
    ids=str,
)
def test_a_range_that_is_learned(left: Any, right: Any, learned: Any) -> None:
    assert solved_range(left, right) == learned


def test_a_size_goes_through_json_and_is_computed() -> None:
    size = size_of(SYMBOLS.simplify((N * 4 + 1) // 3))
    assert size is not None
    spec = TensorSpec(
        "x", "float32", ("n",), shape_constraints=(ShapeConstraint(size, 7, "a third of n"),)
    )
    again = msgspec.convert(json.loads(json.dumps(asdict(spec))), TensorSpec)
    assert again == spec
    check_feeds([again], {"x": np.ones(5, "float32")})
    with pytest.raises(InputError, match="takes only sizes with a third of n; here that is 8 == 7"):
        check_feeds([again], {"x": np.ones(6, "float32")})


def test_a_size_that_the_manifest_cannot_write_is_none() -> None:
    assert size_of(N.astype("int32")) is None


def test_a_demand_waits_for_the_last_of_its_symbols() -> None:
    specs = [TensorSpec("x", "float32", ("n",)), TensorSpec("y", "float32", ("m", "n"))]
    about_n, about_both = (
        ShapeConstraint("n", 3, "n == 3"),
        ShapeConstraint(("*", "n", 2), "m", "n*2 == m"),
    )
    first, second = with_shape_constraints(specs, [about_both, about_n])
    assert (first.shape_constraints, second.shape_constraints) == ((about_n,), (about_both,))


def test_a_learned_size_is_known_from_the_start() -> None:
    """The inputs keep the model's names; what is computed from them has the sizes they must have."""
    nodes = [node("Relu", ["x"], ["early"]), node("Gemm", ["early", "w"], ["late"])]
    inputs = {"x": ("float32", ["n", "k"])}
    w = {"w": np.ones((3, 2), "float32")}
    imported = import_model(onnx_model(nodes, inputs, {"early": "float32", "late": "float32"}, w))
    assert imported.inputs[0].shape == ("n", "k")
    assert [o.shape for o in imported.outputs] == [("n", 3), ("n", 2)]


def test_what_onnx_asks_for_comes_before_what_is_assumed() -> None:
    """Squeeze says that `m` is 1: so it may be broadcast, and need not be `n`."""
    nodes = [node("Add", ["x", "y"], ["sum"]), node("Squeeze", ["y", "zero"], ["row"])]
    inputs = {"x": ("float32", ["n", 2]), "y": ("float32", ["m", 2])}
    outputs = {"sum": "float32", "row": "float32"}
    imported = import_model(onnx_model(nodes, inputs, outputs, {"zero": np.array([0])}))
    x, y = np.ones((5, 2), "float32"), np.ones((1, 2), "float32")
    check_feeds(imported.inputs, {"x": x, "y": y})
    with pytest.raises(InputError, match="m == 1, of 'Squeeze_1'"):
        check_feeds(imported.inputs, {"x": x, "y": x})


def test_a_learned_range_is_known_from_the_start() -> None:
    """A table of 8 positions is cut to `n`: so that no size says how it is cut."""
    nodes = [
        node("Shape", ["x"], ["n"], start=1),
        node("Slice", ["table", "zero", "n", "zero"], ["positions"]),
        node("Add", ["x", "positions"], ["y"]),
        node("Concat", ["positions", "positions"], ["twice"], axis=0),
    ]
    inputs = {"x": ("float32", ["b", "n"])}
    numbers = {"table": np.ones(8, "float32"), "zero": np.array([0])}
    imported = import_model(
        onnx_model(nodes, inputs, {"y": "float32", "twice": "float32"}, numbers)
    )
    assert [o.shape for o in imported.outputs] == [("b", "n"), ("n*2",)]
    check_feeds(imported.inputs, {"x": np.ones((2, 8), "float32")})
    with pytest.raises(InputError, match=r"only sizes with min\(n, 8\) == n, of 'Add_2'.*8 == 9"):
        check_feeds(imported.inputs, {"x": np.ones((2, 9), "float32")})


def test_what_a_dimension_is_stated_to_be_is_checked_before_anything_runs() -> None:
    """So exporters write the length of an attention mask."""
    inputs = {
        "mask": ("float32", ["past + new"]),
        "x": ("float32", ["past"]),
        "y": ("float32", ["new"]),
        "z": ("float32", ["2*other"]),
    }
    nodes = [node("Concat", ["x", "y"], ["xy"], axis=0), node("Mul", ["mask", "xy"], ["out"])]
    specs = import_model(onnx_model(nodes, inputs, {"out": "float32"})).inputs
    feeds = {"mask": np.ones(5), "x": np.ones(3), "y": np.ones(2), "z": np.ones(7)}
    check_feeds(specs, {name: array.astype("float32") for name, array in feeds.items()})
    feeds["y"] = np.ones(1)
    with pytest.raises(
        InputError, match=r"past \+ new in dimension 0 of 'mask'; here that is 5 == 4"
    ):
        check_feeds(specs, {name: array.astype("float32") for name, array in feeds.items()})
    sizes = {name: array.shape for name, array in random_inputs(specs).items()}
    assert sizes["mask"][0] == sizes["x"][0] + sizes["y"][0]
