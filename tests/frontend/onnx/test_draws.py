"""Random operators: distributions, seeds, and that nothing merges, folds or repeats a draw."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import TensorProto, helper

import tvmfuse
from tvmfuse.errors import InputError
from tvmfuse.frontend.onnx.convert.draws import DIGITS

COUNT = 1 << 15
X = {"x": ("float32", ("n", 8))}
DOUBLE, HALF = TensorProto.DOUBLE, TensorProto.FLOAT16
DTYPES = {1: "float32", DOUBLE: "float64", HALF: "float16"}


def results(
    nodes: Sequence[onnx.NodeProto],
    inputs: Mapping[str, tuple[str, Sequence[object]]],
    outputs: Mapping[str, str],
    feeds: Mapping[str, np.ndarray],
    *,
    level: str = "all",
    opset: int = 17,
    constants: Mapping[str, np.ndarray] | None = None,
) -> dict[str, np.ndarray]:
    """Return what two runs of a model give: the same."""
    model = onnx_model(nodes, inputs, outputs, constants, opset=opset)
    loaded = tvmfuse.compile(model, level=level, strict=True).load()
    first = loaded(feeds)
    for name, again in loaded(feeds).items():
        np.testing.assert_array_equal(again, first[name])
    return first


def one(op: str, *operands: np.ndarray, to: str = "float32", **attributes: Any) -> np.ndarray:
    names = [f"x{i}" for i in range(len(operands))]
    node = helper.make_node(op, names, ["y"], **attributes)
    feeds = dict(zip(names, operands, strict=True))
    inputs = {n: (a.dtype.name, a.shape) for n, a in feeds.items()}
    return results([node], inputs, {"y": to}, feeds)["y"]


def farthest(sample: np.ndarray, distribution: Callable[[np.ndarray], np.ndarray]) -> float:
    """Return Kolmogorov's and Smirnov's distance, times the root of the size: 1.63 is 1 in 100."""
    ordered = np.sort(sample.reshape(-1).astype("float64"))
    steps = np.arange(len(ordered) + 1) / len(ordered)
    wanted = distribution(ordered)
    apart = np.maximum(np.abs(steps[1:] - wanted), np.abs(wanted - steps[:-1]))
    return float(apart.max() * math.sqrt(len(ordered)))


def gaussian(x: np.ndarray) -> np.ndarray:
    return np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in x])


def drawn(op: str, *said: Mapping[str, Any]) -> list[np.ndarray]:
    """Return what several nodes without operands give, of the dtypes that they state."""
    names = [f"y{place}" for place in range(len(said))]
    nodes = [helper.make_node(op, [], [n], **more) for n, more in zip(names, said, strict=True)]
    outputs = {n: DTYPES[more.get("dtype", 1)] for n, more in zip(names, said, strict=True)}
    return [
        *results(
            nodes, {"unread": ("float32", (1,))}, outputs, {"unread": np.zeros(1, "f")}
        ).values()
    ]


def test_numbers_are_normal() -> None:
    said = {"shape": [COUNT // 8, 8], "mean": 3.0, "scale": 2.0, "seed": 1.5}
    for y in drawn("RandomNormal", said, {**said, "dtype": DOUBLE}):
        z = (y - 3) / 2
        assert abs(z.mean()) < 3 / math.sqrt(COUNT)
        assert abs(z.var() - 1) < 3 * math.sqrt(2 / COUNT)
        assert farthest(z, gaussian) < 1.63


def test_numbers_are_uniform() -> None:
    said: dict[str, Any] = {"shape": [COUNT], "seed": 7.0}
    *found, z = drawn(
        "RandomUniform", said, {**said, "dtype": DOUBLE}, {**said, "dtype": HALF}, {**said, "low": -2.0, "high": 6.0}
    )  # fmt: skip
    for y, dtype in zip(found, ("float32", "float64", "float16"), strict=True):
        assert y.dtype == dtype
        wide, step = y.astype("float64"), 2.0 ** -DIGITS[dtype]
        assert wide.min() >= 0
        assert wide.max() < 1
        assert (wide / step % 1 == 0).all()
        assert farthest(wide, lambda x: x) < 1.63 + math.sqrt(COUNT) * step
    assert abs(z.mean() - 2) < 3 * 8 / math.sqrt(12 * COUNT)


def test_levels_draw_the_same() -> None:
    """Rows whose length is no whole number of vectors, and both words of each number."""
    node = helper.make_node("RandomUniform", [], ["y"], shape=[3, 1001], dtype=DOUBLE)
    model = onnx_model([node], {"unread": ("float32", (1,))}, {"y": "float64"})
    feeds = {"unread": np.zeros(1, "f")}
    one, other = (
        tvmfuse.compile(model, level=level).load()(feeds)["y"] for level in ("none", "all")
    )
    np.testing.assert_array_equal(one, other)


def test_what_has_the_shape_of_another_tensor() -> None:
    x = np.ones((3, 8), "float32")
    nodes = [
        helper.make_node("RandomNormalLike", ["x"], ["a"], seed=1.0),
        helper.make_node("RandomUniformLike", ["x"], ["b"], seed=1.0, dtype=DOUBLE),
    ]
    found = results(nodes, X, {"a": "float32", "b": "float64"}, {"x": x})
    assert {n: (y.shape, y.dtype.name) for n, y in found.items()} == {
        "a": ((3, 8), "float32"),
        "b": ((3, 8), "float64"),
    }
    [fixed] = drawn("RandomNormal", {"shape": [3, 8], "seed": 1.0})
    np.testing.assert_array_equal(found["a"], fixed)


def test_a_seed_says_which_numbers_and_no_seed_means_others() -> None:
    """What reads a draw twice reads the same numbers; two draws are two, if alike."""
    nodes = [
        helper.make_node("RandomNormalLike", ["x"], ["a"], seed=2.0),
        helper.make_node("RandomNormalLike", ["x"], ["b"], seed=2.0),
        helper.make_node("RandomNormalLike", ["x"], ["c"], seed=3.0),
        helper.make_node("RandomNormalLike", ["x"], ["d"]),
        helper.make_node("RandomNormalLike", ["x"], ["e"]),
        helper.make_node("Exp", ["d"], ["f"]),
        helper.make_node("Sub", ["d", "d"], ["g"]),
        helper.make_node("Mul", ["d", "x"], ["h"]),
    ]
    feeds = {"x": np.ones((4, 8), "float32")}
    found = results(nodes, X, dict.fromkeys("abcdefgh", "float32"), feeds)
    np.testing.assert_array_equal(found["a"], found["b"])
    for first, second in ("ac", "ad", "de"):
        assert not np.isclose(found[first], found[second]).any()
    np.testing.assert_allclose(found["f"], np.exp(found["d"]), rtol=1e-5)
    np.testing.assert_array_equal(found["h"], found["d"])
    assert not found["g"].any()


def test_each_iteration_of_a_loop_draws_anew() -> None:
    body = helper.make_graph(
        [
            helper.make_node("RandomNormalLike", ["s"], ["noise"]),
            helper.make_node("Identity", ["c"], ["d"]),
            helper.make_node("Identity", ["s"], ["t"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("c", TensorProto.BOOL, []),
            helper.make_tensor_value_info("s", TensorProto.FLOAT, [4]),
        ],
        [
            helper.make_tensor_value_info("d", TensorProto.BOOL, []),
            helper.make_tensor_value_info("t", TensorProto.FLOAT, [4]),
            helper.make_tensor_value_info("noise", TensorProto.FLOAT, [4]),
        ],
    )
    node = helper.make_node("Loop", ["three", "", "x"], ["last", "all"], body=body)
    inputs = {"x": ("float32", (4,))}
    outputs = {"last": "float32", "all": "float32"}
    found = results(
        [node], inputs, outputs, {"x": np.ones(4, "float32")}, constants={"three": np.array(3)}
    )
    assert len(np.unique(found["all"])) == 12


def test_what_happens_as_often_as_it_is_likely() -> None:
    chances = np.repeat(np.array([0.0, 0.25, 0.9, 1.0]), COUNT // 4).reshape(-1, 8)
    y = one("Bernoulli", chances, to="int32", dtype=TensorProto.INT32, seed=4.0)
    shares = y.reshape(4, -1).mean(1)
    np.testing.assert_allclose(shares, [0, 0.25, 0.9, 1], atol=3 * 0.5 / math.sqrt(COUNT / 4))
    assert shares[0] == 0
    assert shares[3] == 1


def test_classes_are_drawn_by_their_weights() -> None:
    weights = np.array([[0.0, 1, 0, 5, 2, 0], [3, 0, 1, 0, 0, 4]])
    with np.errstate(divide="ignore"):
        logarithms = np.log(weights).astype("float32")
    y = one(
        "Multinomial", logarithms, to="int64", sample_size=COUNT, seed=0.5, dtype=TensorProto.INT64
    )
    shares = np.stack([np.bincount(row, minlength=6) / COUNT for row in y])
    np.testing.assert_allclose(shares, weights / 8, atol=3 * 0.5 / math.sqrt(COUNT))
    assert (shares[weights == 0] == 0).all()


def dropout(*fed: str) -> onnx.ModelProto:
    """Return a model of Dropout, whose ratio and mode are fed or are 0.75 and training."""
    node = helper.make_node("Dropout", ["x", "ratio", "training"], ["y", "mask"], seed=3)
    inputs: dict[str, tuple[str, tuple[Any, ...]]] = {
        "x": ("float32", ("n", 8)), "ratio": ("float32", ()), "training": ("bool", ())
    }  # fmt: skip
    constants = {"ratio": np.array(0.75, "float32"), "training": np.array(True)}
    return onnx_model(
        [node],
        {name: ty for name, ty in inputs.items() if name in ("x", *fed)},
        {"y": "float32", "mask": "bool"},
        {name: array for name, array in constants.items() if name not in fed},
    )


@pytest.mark.parametrize("fed", [(), ("ratio", "training")])
def test_dropout_in_training(fed: Sequence[str]) -> None:
    x = np.linspace(1, 2, COUNT, dtype="float32").reshape(-1, 8)
    given = {"ratio": np.array(0.75, "float32"), "training": np.array(True)}
    loaded = tvmfuse.compile(dropout(*fed), strict=True).load()

    def found(**more: object) -> dict[str, np.ndarray]:
        return loaded(
            x=x, **{n: np.asarray(v, given[n].dtype) for n, v in more.items() if n in fed}
        )

    trained = found(**given)
    np.testing.assert_allclose(trained["y"], x * trained["mask"] * 4, rtol=1e-6)
    assert abs(trained["mask"].mean() - 0.25) < 3 * 0.5 / math.sqrt(COUNT)
    if fed:
        for more in ({"ratio": 0, "training": True}, {"ratio": 0.75, "training": False}):
            kept = found(**more)
            np.testing.assert_array_equal(kept["y"], x)
            assert kept["mask"].all()
        with pytest.raises(InputError, match="asks for a shape that it cannot have"):
            found(ratio=1, training=True)


def test_dropout_before_opset_7() -> None:
    node = helper.make_node("Dropout", ["x"], ["y", "mask"], ratio=0.5)
    feeds = {"x": np.ones((8, 8), "float32")}
    outputs = dict.fromkeys(("y", "mask"), "float32")
    found = results([node], X, outputs, feeds, opset=6)
    np.testing.assert_array_equal(found["y"], found["mask"] * 2)
    assert 0 < found["mask"].mean() < 1
