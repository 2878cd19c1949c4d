"""Norms keep their digits where a mean is large, and symbolic sizes; float64 is the judge."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import MalformedModelError, UnsupportedModelError

SHAPE = (2, 6, 5, 7)
EPSILON = 1e-5
#: Operator -> attributes, and the shape whose last axes are normalized.
NORMS: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "GroupNormalization": ({"num_groups": 3}, (2, 3, 70)),
    "InstanceNormalization": ({}, (2, 6, 35)),
    "LayerNormalization": ({"axis": 1}, (2, 210)),
    "MeanVarianceNormalization": ({"axes": [1, 2, 3]}, (2, 210)),
}
#: The parameters of LayerNormalization have the sizes of its rows.
CASES = [(op, SHAPE) for op in NORMS] + [
    (op, ("n", 6, "h", "w")) for op in NORMS if op != "LayerNormalization"
]


def expected(op: str, x: np.ndarray, scale: np.ndarray, bias: np.ndarray) -> Any:
    wide = x.astype("float64").reshape(NORMS[op][1])
    mean, variance = wide.mean(-1, keepdims=True), wide.var(-1, keepdims=True)
    if op == "MeanVarianceNormalization":
        return ((wide - mean) / (np.sqrt(variance) + 1e-9)).reshape(x.shape)
    normal = ((wide - mean) / np.sqrt(variance + EPSILON)).reshape(x.shape)
    return normal * scale.reshape(-1, *[1] * 2) + bias.reshape(-1, *[1] * 2)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("level", ["none", "all"])
@pytest.mark.parametrize(("op", "sizes"), CASES)
def test_large_means_cost_no_digits(op: str, sizes: Any, level: Any) -> None:
    rng = np.random.default_rng(0)
    scale, bias = (rng.standard_normal(6).astype("float32") for _ in range(2))
    parameters = {"s": scale, "b": bias}
    if op == "LayerNormalization":
        parameters = {
            n: np.broadcast_to(p[:, None, None], SHAPE[1:]) for n, p in parameters.items()
        }
    if op == "MeanVarianceNormalization":
        parameters = {}
    node = helper.make_node(op, ["x", *parameters], ["y"], **NORMS[op][0])
    model = onnx_model([node], {"x": ("float32", sizes)}, {"y": "float32"}, parameters, opset=21)
    compiled = tvmfuse.compile(model, level=level).load()
    for mean in (0, 100, 1000):
        x = (mean + rng.standard_normal(SHAPE)).astype("float32")
        wanted = expected(op, x, scale, bias).astype("float32")
        # A float32 near 1000 is 6e-5 from the next one; of a deviation of 1, so much is lost anyhow.
        assert_agrees(compiled({"x": x}), {"y": wanted}, tolerance=1e-5 + mean * 2e-7)


@pytest.mark.parametrize("rank", [2, 3, 5])
def test_groups_of_any_rank(node_agrees: Any, rank: int) -> None:
    rng = np.random.default_rng(rank)
    x = rng.standard_normal((2, 6, 3, 4, 2)[:rank], dtype="float32")
    scale = rng.standard_normal(6, dtype="float32")
    node_agrees("GroupNormalization", x, scale, scale + 1, opset=21, num_groups=2, epsilon=0.1)
    if rank > 2:
        node_agrees("InstanceNormalization", x, scale, scale + 1, epsilon=0.01)


def test_groups_that_do_not_divide_the_channels_are_refused(node_agrees: Any) -> None:
    x, one = np.ones((1, 6, 2), "float32"), np.ones(6, "float32")
    with pytest.raises(UnsupportedModelError, match="6 channels are no multiple"):
        node_agrees("GroupNormalization", x, one, one, opset=21, num_groups=4)


@pytest.mark.parametrize("sizes", [(2, 6, 5), ("n", "c", "h", "w")])
@pytest.mark.parametrize("opset", [18, 20])
def test_the_first_one_has_a_scale_for_each_group(opset: int, sizes: Any) -> None:
    """ONNX deprecated it in opset 21; onnxruntime has it."""
    rng = np.random.default_rng(opset)
    scales = {"s": np.array([2, 0.5, -1], "float32"), "b": np.array([0, 1, 3], "float32")}
    node = helper.make_node("GroupNormalization", ["x", *scales], ["y"], num_groups=3)
    model = onnx_model([node], {"x": ("float32", sizes)}, {"y": "float32"}, scales, opset=opset)
    compiled = tvmfuse.compile(model).load()
    for shape in [sizes] if sizes[0] == 2 else [(2, 6, 4, 5), (1, 9, 3, 1)]:
        feeds = {"x": rng.standard_normal(shape, dtype="float32")}
        assert_agrees(compiled(feeds), reference(model, feeds))


@pytest.mark.parametrize(("stated", "found"), [({}, "none"), ({"num_groups": 0}, "0")])
def test_the_first_one_without_groups_is_refused(stated: Any, found: str) -> None:
    scales = {n: np.ones(3, "float32") for n in "sb"}
    node = helper.make_node("GroupNormalization", ["x", *scales], ["y"], **stated)
    model = onnx_model([node], {"x": ("float32", SHAPE)}, {"y": "float32"}, scales, opset=18)
    with pytest.raises(MalformedModelError, match=rf"at least 1, found {found}"):
        tvmfuse.compile(model)


def test_special_numbers_stay_in_their_group(node_agrees: Any) -> None:
    x = np.random.default_rng(0).standard_normal((1, 4, 9), dtype="float32")
    x[0, 0, 0], x[0, 3, 1] = np.nan, np.inf
    one = np.ones(4, "float32")
    node_agrees("GroupNormalization", x, one, one, opset=21, num_groups=4)
    node_agrees("InstanceNormalization", x, one, one)
