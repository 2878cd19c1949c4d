"""Transforms, folded blocks, deformed windows, sequences of varied lengths, steps of training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model, run
from onnx import helper
from onnx.reference import ReferenceEvaluator
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError
from tvmfuse.frontend.onnx import import_model

RNG = np.random.default_rng(0)
Inputs = Mapping[str, tuple[str, Sequence[int | str]]]


def i64(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype("float32")


def as_onnx_says(node: onnx.NodeProto, feeds: Mapping[str, np.ndarray], opset: int) -> None:
    """Compare with ONNX's reference implementation."""
    model = onnx_model(
        [node],
        {name: (str(a.dtype), a.shape) for name, a in feeds.items()},
        dict.fromkeys(node.output, "float32"),
        opset=opset,
    )
    if node.domain:
        model.opset_import.append(helper.make_opsetid(node.domain, 1))
    expected = ReferenceEvaluator(model).run(None, dict(feeds))
    found = run(import_model(model).module, *feeds.values())
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("inverse", [0, 1])
@pytest.mark.parametrize("length", [None, 5, 9])
def test_transforms(node_agrees: Any, inverse: int, length: int | None) -> None:
    operands = [floats(2, 7, 3, 2), None if length is None else np.array(length), np.array(-3)]
    fixed = [i for i in (1, 2) if operands[i] is not None]
    node_agrees("DFT", *operands, fixed=fixed, dims={0: ("n", 7, 3, 2)}, opset=20, inverse=inverse)


def test_transforms_of_real_signals(node_agrees: Any) -> None:
    x = floats(2, 8, 3, 1)
    node_agrees("DFT", x, opset=17, onesided=1)
    node_agrees("DFT", x[:, :7], None, np.array(1), opset=20, onesided=1)
    half = np.fft.rfft(x[..., 0], axis=1)
    spectrum = np.stack([half.real, half.imag], -1).astype("float32")
    node = helper.make_node("DFT", ["x"], ["y"], inverse=1, onesided=1)
    [back] = run(
        import_model(onnx_model([node], {"x": ("float32", (2, 5, 3, 2))}, {"y": "float32"})).module,
        spectrum,
    )
    np.testing.assert_allclose(back, x, atol=1e-5)


def test_transforms_of_signals_that_a_run_shows_to_be_real_or_complex() -> None:
    node = helper.make_node("DFT", ["x"], ["y"], axis=1)
    model = onnx_model([node], {"x": ("float32", (2, "n", "parts"))}, {"y": "float32"}, opset=17)
    compiled = tvmfuse.compile(model).load()
    for parts in (1, 2):
        feeds = {"x": floats(2, 6, parts)}
        assert_agrees(compiled(feeds), reference(model, feeds))
    for parts in (0, 3):
        with pytest.raises(InputError, match="its last axis has 1 or 2 parts"):
            compiled(x=floats(2, 6, parts))


def test_transforms_of_frames(node_agrees: Any) -> None:
    signal, window = floats(2, 20, 1), np.hanning(8).astype("float32")
    node_agrees("STFT", signal, np.array(3), window, fixed=[1], dims={0: ("n", "size", 1)})
    node_agrees("STFT", signal, np.array(5), None, np.array(6), onesided=0)


@pytest.mark.parametrize(
    ("op", "said", "parts"),
    [
        ("STFT", {}, (1,)),
        ("STFT", {"onesided": 0}, (1, 2)),
        ("DFT", {"axis": 1, "onesided": 1}, (1,)),
        ("DFT", {"axis": 1, "inverse": 1, "onesided": 1}, (2,)),
    ],
)
@pytest.mark.sampled(3)
def test_transforms_of_parts_of_any_number(
    op: str, said: dict[str, Any], parts: tuple[int, ...]
) -> None:
    """Half a spectrum is of real signals alone, and goes back to one."""
    constants = {"step": np.array(3), "window": np.hanning(8).astype("float32")}
    node = helper.make_node(op, ["x", *constants] if op == "STFT" else ["x"], ["y"], **said)
    inputs: Inputs = {"x": ("float32", ("batch", "n", "parts"))}
    model = onnx_model([node], inputs, {"y": "float32"}, constants, opset=17)
    compiled = tvmfuse.compile(model).load()
    for number in parts:
        for batch, size in ((2, 20), (1, 8)):
            feeds = {"x": floats(batch, size, number)}
            if "inverse" in said:
                assert compiled(feeds)["y"].shape == (batch, 2 * (size - 1), 1)
            else:
                assert_agrees(compiled(feeds), reference(model, feeds))
    for number in {0, 1, 2, 3}.difference(parts):
        with pytest.raises(InputError, match="parts"):
            compiled(x=floats(2, 20, number))


def test_blocks_that_are_folded(node_agrees: Any) -> None:
    image, block = i64(5, 4), i64(2, 3)
    for fixed in ((1, 2), ()):
        node_agrees(
            "Col2Im", floats(2, 12, 24), image, block, fixed=fixed, opset=18, pads=[1, 1, 1, 1]
        )
    node_agrees(
        "Col2Im", floats(1, 6, 4), i64(6, 5), block, fixed=(1, 2), opset=18, strides=[2, 1],
        dilations=[3, 2], pads=[0, 0, 0, 1],
    )  # fmt: skip


def test_blocks_that_do_not_fill_the_image() -> None:
    inputs: Inputs = {"x": ("float32", (1, 4, 9)), "i": ("int64", (2,)), "b": ("int64", (2,))}
    node = helper.make_node("Col2Im", ["x", "i", "b"], ["y"])
    loaded = tvmfuse.compile(onnx_model([node], inputs, {"y": "float32"}, opset=18)).load()
    x = floats(1, 4, 9)
    assert loaded(x=x, i=i64(4, 4), b=i64(2, 2))["y"].shape == (1, 1, 4, 4)
    for image, block in ((i64(5, 4), i64(2, 2)), (i64(1, 1), i64(2, 2)), (i64(3, 3), i64(0, 2))):
        with pytest.raises(InputError, match="asks for a shape that it cannot have"):
            loaded(x=x, i=image, b=block)


@pytest.mark.parametrize("align", [0, 1])
def test_grids(node_agrees: Any, align: int) -> None:
    for axes, size in ((2, i64(2, 3, 4, 5)), (3, i64(2, 3, 4, 2, 3))):
        theta = floats(2, axes, axes + 1)
        fixed = [1] if axes == 2 else []
        node_agrees("AffineGrid", theta, size, fixed=fixed, opset=20, align_corners=align)


@pytest.mark.parametrize(("groups", "moved"), [(1, 1), (2, 2)])
def test_deformed_windows(groups: int, moved: int) -> None:
    node = helper.make_node(
        "DeformConv", ["x", "w", "o", "b", "m"], ["y"], group=groups, offset_group=moved,
        pads=[1, 0, 1, 1], strides=[2, 1], dilations=[1, 2],
    )  # fmt: skip
    filters = floats(4, 4 // groups, 3, 2)
    feeds = {
        "x": floats(2, 4, 5, 6),
        "w": filters,
        "o": floats(2, moved * 12, 3, 5) * 2,
        "b": floats(4),
        "m": floats(2, moved * 6, 3, 5),
    }
    as_onnx_says(node, feeds, 19)


@pytest.mark.parametrize(("time", "batch"), [(0, 1), (1, 0)])
def test_sequences_that_are_reversed(time: int, batch: int) -> None:
    inputs: Inputs = {"x": ("float32", ("a", "b", 3)), "l": ("int64", (4,))}
    node = helper.make_node("ReverseSequence", ["x", "l"], ["y"], time_axis=time, batch_axis=batch)
    model = onnx_model([node], inputs, {"y": "float32"})
    loaded = tvmfuse.compile(model).load()
    x = floats(5, 4, 3).swapaxes(0, time).copy()
    for lengths in (i64(1, 5, 2, 3), i64(5, 5, 5, 1)):
        assert_agrees(loaded(x=x, l=lengths), reference(model, {"x": x, "l": lengths}))
    for lengths in (i64(1, 6, 2, 3), i64(-1, 1, 1, 1), i64(2**62, 1, 1, 1)):
        with pytest.raises(InputError, match="asks for a shape that it cannot have"):
            loaded(x=x, l=lengths)


@pytest.mark.parametrize("mode", ["linear", "circular"])
def test_caches_that_are_written(mode: str) -> None:
    node = helper.make_node("TensorScatter", ["c", "u", "w"], ["y"], mode=mode)
    last = 11 if mode == "circular" else 2  # which goes around twice
    feeds = {"c": floats(3, 2, 4, 5), "u": floats(3, 2, 2, 5), "w": i64(0, 1, last)}
    as_onnx_says(node, feeds, 24)


def test_a_batch_is_normalized_by_itself() -> None:
    names = ["x", "s", "b", "m", "v"]
    node = helper.make_node(
        "BatchNormalization", names, ["y", "m2", "v2"], training_mode=1, momentum=0.75
    )
    x = floats(3, 4, 5) + 1000
    arrays = [x, floats(4), floats(4), floats(4), np.abs(floats(4))]
    inputs: Inputs = {
        n: ("float32", a.shape if n != "x" else ("n", 4, 5))
        for n, a in zip(names, arrays, strict=True)
    }
    model = onnx_model([node], inputs, dict.fromkeys(node.output, "float32"), opset=15)
    y, mean, variance = run(import_model(model).module, *arrays)
    wide = x.astype("float64")
    own = wide.mean((0, 2)), wide.var((0, 2))
    centered = (wide - own[0][:, None]) / np.sqrt(own[1] + 1e-5)[:, None]
    np.testing.assert_allclose(y, centered * arrays[1][:, None] + arrays[2][:, None], atol=2e-3)
    np.testing.assert_allclose(mean, arrays[3] * 0.75 + own[0] * 0.25, rtol=1e-5)
    np.testing.assert_allclose(variance, arrays[4] * 0.75 + own[1] * 0.25, rtol=1e-3)


@pytest.mark.parametrize(
    ("op", "states", "options"),
    [
        ("Momentum", 1, {"alpha": 0.9, "beta": 0.5, "mode": "standard", "norm_coefficient": 0.1}),
        ("Momentum", 1, {"alpha": 0.9, "beta": 0.5, "mode": "nesterov", "norm_coefficient": 0.1}),
        ("Adagrad", 1, {"decay_factor": 0.1, "epsilon": 1e-3, "norm_coefficient": 0.1}),
        ("Adam", 2, {"alpha": 0.9, "beta": 0.8, "norm_coefficient_post": 0.1}),
    ],
)
def test_steps_of_training(op: str, states: int, options: Any) -> None:
    kinds = ["x", "g", "v", "h"][: 2 + states]
    sizes = {"1": 2, "2": 3}
    names = [kind + which for kind in kinds for which in sizes]
    made = [f"{kind}{which}_new" for kind in ("x", *kinds[2:]) for which in sizes]
    domain = "ai.onnx.preview.training"
    node = helper.make_node(op, ["r", "t", *names], made, domain=domain, **options)
    for steps, rate in ((0, "float32"), (3, "float64")):
        feeds = {"r": np.array(0.1, rate), "t": np.array(steps)}
        feeds |= {name: np.abs(floats(sizes[name[1]])) for name in names}
        as_onnx_says(node, feeds, 17)


def test_bits_that_are_taken_for_other_numbers() -> None:
    x = np.array([0, 1.5, -np.inf, np.nan], "float32")
    for to, dtype in ((6, "int32"), (12, "uint32")):
        node = helper.make_node("BitCast", ["x"], ["y"], to=to)
        model = onnx_model([node], {"x": ("float32", ("n",))}, {"y": dtype}, opset=26)
        [y] = run(import_model(model).module, x)
        np.testing.assert_array_equal(y, x.view(dtype))


def test_how_many_boxes_are_chosen() -> None:
    rng = np.random.default_rng(1)
    corner, size = rng.uniform(0, 4, (2, 12, 2)), rng.uniform(1, 3, (2, 12, 2))
    x = {
        "b": np.concatenate([corner, corner + size], 2).astype("float32"),
        "s": rng.uniform(0, 1, (2, 3, 12)).astype("float32"),
    }
    inputs: dict[str, tuple[str, Sequence[int]]] = {n: ("float32", a.shape) for n, a in x.items()}
    inputs |= {"k": ("int64", (1,)), "o": ("float32", (1,)), "t": ("float32", (1,))}
    node = helper.make_node("NonMaxSuppression", [*inputs], ["y"])
    model = onnx_model([node], inputs, {"y": "int64"})
    loaded = tvmfuse.compile(model).load()
    for k, overlap, score in ((3, 0.3, 0.2), (1, 0.0, 0.5), (50, 1.0, 0.0), (0, 0.5, 0.1)):
        feeds = x | {"k": i64(k), "o": np.array([overlap], "float32")}
        feeds |= {"t": np.array([score], "float32")}
        assert_agrees(loaded(feeds), reference(model, feeds))


@pytest.mark.parametrize("order", [0, 1])
def test_where_maxima_are(node_agrees: Any, order: int) -> None:
    x, both = np.round(floats(2, 3, 6, 5) * 2), ("float32", "int64")
    x[0, 0] = -np.inf
    node_agrees(
        "MaxPool", x, dims={0: ("n", 3, 6, 5)}, outputs=both, kernel_shape=[3, 2],
        pads=[1, 1, 1, 0], strides=[2, 1], storage_order=order,
    )  # fmt: skip
    small = RNG.integers(-128, -120, (1, 2, 9)).astype("int8")
    node_agrees("MaxPool", small, outputs=("int8", "int64"), kernel_shape=[4], pads=[2, 2])


def test_the_largest_of_uint64() -> None:
    x = np.array([[1, 2**63, 5, 2**64 - 1, 0]], "uint64")
    node = helper.make_node("TopK", ["x", "k"], ["y", "i"])
    outputs = {"y": "uint64", "i": "int64"}
    model = onnx_model([node], {"x": ("uint64", (1, 5))}, outputs, {"k": i64(3)})
    values, places = run(import_model(model).module, x)
    np.testing.assert_array_equal(values, [[2**64 - 1, 2**63, 5]])
    np.testing.assert_array_equal(places, [[3, 1, 2]])
