"""A compiled model, fed wrongly: the error names the input; and the model goes on working."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError, TvmfuseError

node = helper.make_node
RNG = np.random.default_rng(0)


def model() -> Any:
    """y = (x @ w) scaled, z = the sequence's embedding: floats, integers, a scalar, two symbols."""
    nodes = [
        node("MatMul", ["x", "w"], ["h"]),
        node("Mul", ["h", "scale"], ["y"]),
        node("Gather", ["table", "ids"], ["z"]),
    ]
    inputs = {
        "x": ("float32", ("batch", 8)),
        "ids": ("int64", ("batch", "seq")),
        "scale": ("float32", ()),
    }
    constants = {
        "w": RNG.standard_normal((8, 4), dtype="float32"),
        "table": RNG.standard_normal((5, 3), dtype="float32"),
    }
    return onnx_model(nodes, inputs, {"y": "float32", "z": "float32"}, constants)


MODEL = model()


def good(batch: int = 2, seq: int = 3) -> dict[str, np.ndarray]:
    return {
        "x": RNG.standard_normal((batch, 8), dtype="float32"),
        "ids": RNG.integers(0, 5, (batch, seq)),
        "scale": np.array(0.5, "float32"),
    }


@pytest.fixture(scope="module", params=["loaded here", "from a file"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    artifact = tvmfuse.compile(MODEL)
    if request.param == "loaded here":
        return artifact.load()
    path = tmp_path_factory.mktemp("model") / "m.so"
    artifact.save(path)
    return tvmfuse.load(path)


WRONG: dict[str, tuple[dict[str, Any], list[str]]] = {
    "missing": ({"x": None}, ["missing input 'x'"]),
    "extra": ({"more": np.ones(1)}, ["no input 'more'"]),
    "dtype": ({"x": np.ones((2, 8))}, ["'x'", "float32[batch, 8]", "float64"]),
    "integers for floats": ({"x": np.ones((2, 8), "int64")}, ["'x'", "int64"]),
    "narrow integers": ({"ids": np.ones((2, 3), "int32")}, ["'ids'", "int64[batch, seq]", "int32"]),
    "rank": ({"x": np.ones((1, 2, 8), "float32")}, ["'x'", "2 dimensions, found 3", "(1, 2, 8)"]),
    "fixed dimension": (
        {"x": np.ones((2, 9), "float32")},
        ["'x'", "dimension 1 is 9 instead of 8"],
    ),
    "symbol": (
        {"x": np.ones((3, 8), "float32")},
        ["'x' and 'ids' disagree on the dimension 'batch'", "3", "2"],
    ),
    "vector for scalar": ({"scale": np.ones(1, "float32")}, ["'scale'", "0 dimensions, found 1"]),
    "nothing": ({"x": "None"}, ["'x'"]),
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_feeds_are_named_and_leave_the_model_working(run: Any, kind: str) -> None:
    change, words = WRONG[kind]
    feeds = {k: v for k, v in {**good(), **change}.items() if v is not None}
    with pytest.raises(InputError) as error:
        run(feeds)
    for word in words:
        assert word in str(error.value)
    feeds = good()
    assert_agrees(run(feeds), reference(MODEL, feeds))


def test_a_misspelt_input(run: Any) -> None:
    feeds = good()
    feeds["idz"] = feeds.pop("ids")
    with pytest.raises(InputError, match="no input 'idz'; did you mean ids?"):
        run(feeds)


@pytest.mark.parametrize("feeds", [3, "x", [("x", 1)], [1, 2, 3], np.ones(3)])
def test_feeds_that_are_no_mapping(run: Any, feeds: Any) -> None:
    with pytest.raises((TvmfuseError, TypeError)) as error:
        run(feeds)
    assert "mapping" in str(error.value) or "dict" in str(error.value)


@pytest.mark.parametrize("names", [["nope"], ["y", "nope"], [["y"]], [None]])
def test_outputs_that_the_model_does_not_have(run: Any, names: Any) -> None:
    with pytest.raises(InputError, match="no output"):
        run.run(names, good())


@pytest.mark.parametrize("names", ["y", "y z", b"y", 3])
def test_output_names_that_are_no_list(run: Any, names: Any) -> None:
    with pytest.raises(InputError, match="expected a list of names of outputs"):
        run.run(names, good())


def test_strides_of_all_kinds(run: Any) -> None:
    feeds, expected = good(4, 6), None
    expected = run(feeds)
    x, ids = feeds["x"], feeds["ids"]
    wide = np.zeros((8, 16), "float32")
    wide[::2, ::2] = x
    unaligned = np.zeros(x.nbytes + 1, "uint8")[1:].view("float32").reshape(x.shape)
    unaligned[...] = x
    frozen = x.copy()
    frozen.flags.writeable = False
    for same in (
        np.asfortranarray(x),
        wide[::2, ::2],
        x[::-1, ::-1].copy()[::-1, ::-1],
        unaligned,
        frozen,
    ):
        np.testing.assert_array_equal(run({**feeds, "x": same})["y"], expected["y"])
    broadcast = np.broadcast_to(x[:1], x.shape)
    np.testing.assert_allclose(
        run({**feeds, "x": broadcast})["y"], np.repeat(expected["y"][:1], 4, 0), rtol=1e-5
    )
    np.testing.assert_array_equal(run({**feeds, "ids": np.asfortranarray(ids)})["z"], expected["z"])


@pytest.mark.parametrize(("batch", "seq"), [(0, 3), (2, 0), (0, 0), (1, 1), (9, 17)])
def test_empty_and_other_sizes(run: Any, batch: int, seq: int) -> None:
    feeds = good(batch, seq)
    assert_agrees(run(feeds), reference(MODEL, feeds))


def test_the_inputs_are_never_changed(run: Any) -> None:
    feeds = good()
    copies = {name: array.copy() for name, array in feeds.items()}
    run(feeds)
    for name, array in feeds.items():
        np.testing.assert_array_equal(array, copies[name])


def test_a_subclass_and_a_zero_dimensional_number(run: Any) -> None:
    feeds = good()
    masked = np.ma.masked_array(feeds["x"], mask=False)
    np.testing.assert_array_equal(run({**feeds, "x": masked})["y"], run(feeds)["y"])
    np.testing.assert_array_equal(run({**feeds, "scale": 0.5})["y"], run(feeds)["y"])
