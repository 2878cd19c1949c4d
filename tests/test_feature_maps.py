"""NaN and infinities inside a model: a mean over the image would spread them to every output."""

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx.utils import Extractor
from reference import assert_agrees, reference

import tvmfuse
from bench.models import inputs

LEVELS = ("none", "all")
NOT_FINITE = (np.nan, np.inf, -np.inf)


def up_to(file: Any, tensor: Any) -> Any:
    """Cut a model off: `tensor`, chosen among its nodes, is its output."""
    model = onnx.shape_inference.infer_shapes(onnx.load(file))
    extractor = Extractor(model)
    return extractor.extract_model([model.graph.input[0].name], [tensor(model.graph.node)])


def before_the_mean(nodes: Any) -> Any:
    return next(n.input[0] for n in nodes if n.op_type in ("GlobalAveragePool", "ReduceMean"))


def after_ten_convolutions(nodes: Any) -> Any:
    """Deeper in, NaN fills the image."""
    return [n.output[0] for n in nodes if n.op_type == "Conv"][10]


def keeps_every_nan(ours: Any, theirs: Any) -> None:
    """Check that a NaN of onnxruntime's is one here; one that it lost may be one here."""
    for name, expected in theirs.items():
        assert np.isnan(ours[name][np.isnan(expected)]).all(), name
    lost = {n: np.where(np.isnan(ours[n]), np.float32(0), ours[n]) for n in ours}
    kept = {n: np.where(np.isnan(ours[n]), np.float32(0), theirs[n]) for n in theirs}
    assert_agrees(lost, kept)


@pytest.mark.parametrize("exporter", ["classic", "dynamo"])
def test_without_max_pooling_they_stand_where_onnxruntime_has_them(
    exported: Any, exporter: str
) -> None:
    model = up_to(exported("mobilenetv2", exporter), after_ten_convolutions)
    feeds = inputs("mobilenetv2")
    networks = [tvmfuse.compile(model, level=level).load() for level in LEVELS]
    for value in NOT_FINITE:
        feeds["pixel_values"][0, 1, 3, 2] = value
        expected = reference(model, feeds)
        assert any(np.isfinite(a).any() for a in expected.values()), "nothing to tell apart"
        for network in networks:
            assert_agrees(network(feeds), expected)


def test_with_max_pooling_no_nan_of_onnxruntimes_is_missing(exported: Any) -> None:
    model, feeds = up_to(exported("resnet18", "classic"), before_the_mean), inputs("resnet18")
    networks = [tvmfuse.compile(model, level=level).load() for level in LEVELS]
    for value in NOT_FINITE:
        feeds["pixel_values"][0, 1, 30, 7] = value
        expected = reference(model, feeds)
        for network in networks:
            keeps_every_nan(network(feeds), expected)


@pytest.mark.parametrize("op", ["MaxPool", "GlobalMaxPool", "ReduceMax", "ReduceMin"])
def test_maxima_alone(op: str) -> None:
    """onnxruntime has some of the NaNs, by their place: every one of them is here."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1, 8, 32, 32)).astype("float32")
    x[rng.random(x.shape) < 0.05] = np.nan
    pool: dict[str, Any] = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
    for attributes in [pool, {**pool, "strides": [2, 2]}] if op == "MaxPool" else [{}]:
        node = onnx.helper.make_node(op, ["x"], ["y"], **attributes)
        model = onnx_model([node], {"x": ("float32", x.shape)}, {"y": "float32"})
        feeds = {"x": x}
        for level in LEVELS:
            keeps_every_nan(
                tvmfuse.compile(model, level=level).load()(feeds), reference(model, feeds)
            )


def maxima(x: np.ndarray, size: int, stride: int, dilation: int) -> np.ndarray:
    """Pool with a border of one by numpy's maximum, of which a NaN is the greatest."""
    bordered = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    wide = (size - 1) * dilation + 1
    windows = np.lib.stride_tricks.sliding_window_view(bordered, (wide, wide), (2, 3))
    chosen = windows[:, :, ::stride, ::stride, ::dilation, ::dilation]
    return np.asarray(chosen.max((-2, -1)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("target", ["x86-64", "avx2"])
@pytest.mark.parametrize("channels", [3, 16])
@pytest.mark.parametrize(
    ("size", "stride", "dilation"), [(3, 1, 1), (3, 2, 1), (2, 3, 1), (3, 2, 2)]
)
@pytest.mark.sampled(4)
def test_a_window_with_a_nan_is_nan(
    size: int, stride: int, dilation: int, channels: int, target: str, level: str
) -> None:
    x = np.random.default_rng(0).standard_normal((1, channels, 13, 11)).astype("float32")
    x[0, :, [0, 5, 12], [0, 7, 3]] = np.nan
    x[0, 1] = -np.inf
    node = onnx.helper.make_node(
        "MaxPool", ["x"], ["y"], kernel_shape=[size] * 2, strides=[stride] * 2, pads=[1] * 4,
        dilations=[dilation] * 2,
    )  # fmt: skip
    model = onnx_model([node], {"x": ("float32", x.shape)}, {"y": "float32"})
    expected = maxima(x, size, stride, dilation)
    assert 0 < np.isnan(expected).mean() < 1
    np.testing.assert_array_equal(tvmfuse.compile(model, target, level).load()(x=x)["y"], expected)
