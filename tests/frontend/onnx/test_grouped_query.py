"""GroupQueryAttention against onnxruntime: caches, and sequences of different lengths."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.tensors import as_array, as_tensor

HEADS, OWN, SIZE = 4, 2, 16
RNG = np.random.default_rng(3)


@dataclass(frozen=True)
class Step:
    """One step of a decoder.

    Attributes:
        queries: New elements of each sequence.
        lengths: Of each sequence, new elements included.
        cache: Rows of the cache.
        options: `rotary`, `packed`, `bias`, `sink`.
    """

    queries: int
    lengths: tuple[int, ...]
    cache: int | None = None
    options: tuple[str, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)


STEPS = {
    "prompt": Step(5, (5, 5), None, ("packed", "rotary")),
    "soft": Step(7, (7, 7), None, ("bias", "sink"), {"softcap": 2.0, "scale": 0.7}),
    "chunk": Step(3, (9,), 6, ("rotary",), {"rotary_interleaved": 1, "local_window_size": 3}),
    "ragged": Step(1, (4, 7), 6, ("rotary",), {"local_window_size": 3}),
    "capacity": Step(1, (4, 7), 20, ("rotary", "bias")),
}


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, dtype="float32")


def model_of(step: Step) -> tuple[onnx.ModelProto, dict[str, np.ndarray]]:
    """Return a model whose lengths come from an attention mask, as exporters write it."""
    batch, total = len(step.lengths), max(step.lengths)
    feeds = {"mask": (np.arange(total) < np.array(step.lengths)[:, None]).astype("int64")}
    names = {"mask": ["batch", "total"]}
    operands = [""] * 12

    def feed(place: int, shape: list[int], dims: list[Any]) -> None:
        operands[place] = f"x{place}"
        feeds[operands[place]], names[operands[place]] = floats(*shape), dims

    packed = "packed" in step.options
    for place, heads in enumerate((HEADS + 2 * OWN,) if packed else (HEADS, OWN, OWN)):
        feed(place, [batch, step.queries, heads * SIZE], ["batch", "queries", heads * SIZE])
    for place in (3, 4) if step.cache is not None else ():
        feed(place, [batch, OWN, step.cache or 0, SIZE], ["batch", OWN, "cache", SIZE])
    constants = {"one": np.array(1), "last": np.array([1]), "sink": floats(HEADS)}
    operands[5:7] = ["ends", "count"]
    if "rotary" in step.options:
        constants |= {"cos": floats(32, SIZE // 2), "sin": floats(32, SIZE // 2)}
        operands[7:9] = ["cos", "sin"]
    if "bias" in step.options:
        feed(10, [1, 1, step.queries, total], [1, 1, "queries", "total"])
    if "sink" in step.options:
        operands[11] = "sink"
    attributes = {"do_rotary": int("rotary" in step.options), **step.attributes}
    nodes = [
        helper.make_node("ReduceSum", ["mask", "last"], ["sums"], keepdims=0),
        helper.make_node("Sub", ["sums", "one"], ["lasts"]),
        helper.make_node("Cast", ["lasts"], ["ends"], to=onnx.TensorProto.INT32),
        helper.make_node("Shape", ["mask"], ["shape"]),
        helper.make_node("Gather", ["shape", "one"], ["width"]),
        helper.make_node("Cast", ["width"], ["count"], to=onnx.TensorProto.INT32),
        helper.make_node(
            "GroupQueryAttention", operands, ["y", "keys", "values"], domain="com.microsoft",
            num_heads=HEADS, kv_num_heads=OWN, **attributes,
        ),
    ]  # fmt: skip
    inputs = {name: (feeds[name].dtype.name, dims) for name, dims in names.items()}
    results = dict.fromkeys(("y", "keys", "values"), "float32")
    return onnx_model(nodes, inputs, results, constants, domains=["com.microsoft"]), feeds


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.sampled(3)
def test_onnxruntime_agrees_whatever_the_sizes(name: str) -> None:
    model, feeds = model_of(STEPS[name])
    found = tvmfuse.compile(model, level="none" if name == "soft" else "all").load()(feeds)
    assert_agrees(found, reference(model, feeds))


def test_a_cache_whose_rows_suffice_is_written_in_place() -> None:
    model, feeds = model_of(STEPS["capacity"])
    network = tvmfuse.compile(model, dims={"cache": 20, "total": (1, 20)}).load()
    assert network.manifest.shared == {"keys": "x3", "values": "x4"}
    tensors = {name: as_array(as_tensor(array.copy())) for name, array in feeds.items()}
    y, *caches = network.call(tensors, share=True)
    expected = reference(model, feeds)
    assert_agrees({"y": y}, {"y": expected["y"]})
    for name, cache in zip(("x3", "x4"), caches, strict=True):
        assert cache.ctypes.data == tensors[name].ctypes.data
        theirs = expected["keys" if name == "x3" else "values"]
        for row, length in enumerate(STEPS["capacity"].lengths):
            np.testing.assert_allclose(cache[row, :, :length], theirs[row, :, :length], atol=1e-6)
            np.testing.assert_array_equal(cache[row, :, length:], feeds[name][row, :, length:])
    assert not tvmfuse.compile(model, level="none").manifest.shared  # it may have to grow


@pytest.mark.parametrize("name", ["chunk"])
def test_a_number_of_keys_that_is_fed(name: str) -> None:
    model, feeds = model_of(STEPS[name])
    model.graph.node[-1].input[6] = "fed"
    model.graph.input.append(helper.make_tensor_value_info("fed", onnx.TensorProto.INT32, []))
    feeds["fed"] = np.array(feeds["mask"].shape[1], "int32")
    found = tvmfuse.compile(model).load()(feeds)
    assert_agrees(found, reference(model, feeds))


@pytest.mark.parametrize("lengths", [(5, 3), (2, 5)])
def test_a_prompt_that_is_padded(lengths: tuple[int, ...]) -> None:
    """Rows behind a sequence's end are queries of nothing, which onnxruntime leaves as they come."""
    model, feeds = model_of(Step(5, lengths, None, ("rotary",), {"local_window_size": 3}))
    found, expected = tvmfuse.compile(model).load()(feeds), reference(model, feeds)
    for row, length in enumerate(lengths):
        ours, theirs = (
            {name: array[row].swapaxes(0, -2)[:length] for name, array in each.items()}
            for each in (found, expected)
        )
        assert_agrees(ours, theirs)
