"""`compare --intermediates`: no alarm where outputs agree, and a wrong kernel is found where it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import numpy as np
import onnx
import pytest
from corrupted_kernels import Corrupted, Remembered
from random_transformers import Transformer, drawn

import tvmfuse
from bench.models import MODELS, onnx_file
from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.measure.accuracy import Asked, compared
from tvmfuse.measure.against import interpreter
from tvmfuse.measure.results.accuracy import Accuracy
from tvmfuse.pipeline.source import source_graph
from tvmfuse.runtime.executable import Executable

LENGTHS = (1, 7)
MANY, FEW = range(200), range(0, 18, 3)
OF_THE_OUTPUTS = {"float32": 1e-4, "float16": 2e-2}
THREADS = 2


class Comparison:
    """One model with one set of inputs, compared again and again; the other engine runs once."""

    def __init__(self, source: Any, feeds: Any, tolerance: float = 1e-4) -> None:
        whole = source_graph(source)
        self.ours: Executable = tvmfuse.compile(source).load(num_threads=THREADS)
        self.graph: SourceGraph = whole.expanded()
        self.other = Remembered(interpreter("onnxruntime", whole, THREADS))
        self.feeds = feeds
        self.asked = Asked("onnxruntime", tolerance, intermediates=True)

    def result(self, ours: Any = None) -> Accuracy:
        """Compare our model, or one that is corrupted."""
        return compared(ours or self.ours, self.other, self.graph, self.feeds, self.asked)

    def results_of_kernels(self) -> list[tuple[int, int]]:
        """List each result of each kernel that has numbers in it."""
        sizes: dict[tuple[int, int], int] = {}

        def seen(place: int, arrays: Any) -> None:
            sizes.update({(place, at): array.size for at, array in enumerate(arrays)})

        self.ours.watch(self.feeds, seen)
        return [where for where, size in sizes.items() if size]


def of_random(transformer: Transformer) -> Comparison:
    tolerance = OF_THE_OUTPUTS[transformer.dtype]
    return Comparison(transformer.model(), transformer.feeds(), tolerance)


def require_silence(comparison: Comparison) -> None:
    found = comparison.result()
    assert found.agrees, found.sentence
    assert [(row.name, row.excess) for row in found.alarms] == []
    assert found.tensors
    unknown = [name for name, why in found.skipped.items() if "here and" in why]
    assert unknown == []  # no proof that does not hold


def missed(comparison: Comparison, place: int, result: int, seed: int) -> str:
    """Corrupt one result of one kernel; say what is wrong with the verdict, nothing where it is right."""
    wrong: Any = Corrupted(comparison.ours, place, result, seed)
    found = comparison.result(wrong)
    kernel = comparison.ours.manifest.kernels[place]
    proven = any(stored.result == result for stored in kernel.values)
    places = {row.place for row in found.origins}
    about = f"{kernel.symbol} at {place}, result {result}: origins {found.origins}"
    if not all(place in row.blamed for row in found.origins) or not found.origins:
        return f"not found: {about}"
    return f"found elsewhere: {about}" if proven and places != {place} else ""


def every_miss(comparison: Comparison, seed: int) -> Iterator[str]:
    for place, result in comparison.results_of_kernels():
        yield missed(comparison, place, result, seed)


@pytest.mark.parametrize("seed", FEW)
@pytest.mark.sampled(4)
def test_a_random_transformer(seed: int) -> None:
    comparison = of_random(drawn(seed, length=LENGTHS[seed % 2]))
    require_silence(comparison)
    rng = np.random.default_rng(seed)
    places = comparison.results_of_kernels()
    for at in rng.choice(len(places), 3, replace=False):
        place, result = places[at]
        assert missed(comparison, place, result, seed) == ""


def test_some_kernels_of_a_network_of_convolutions() -> None:
    """Channels in blocks, Winograd's three kernels for a node, and what is made plain again."""
    nodes = [
        onnx.helper.make_node("Conv", ["x", "w"], ["a"], name="one", pads=[1] * 4),
        onnx.helper.make_node("Relu", ["a"], ["b"], name="two"),
        onnx.helper.make_node("Conv", ["b", "v"], ["c"], name="three", pads=[1] * 4),
        onnx.helper.make_node("Add", ["b", "c"], ["d"], name="four"),
        onnx.helper.make_node("GlobalAveragePool", ["d"], ["y"], name="five"),
    ]
    rng = np.random.default_rng(0)
    arrays = {
        "w": rng.standard_normal((32, 16, 3, 3)), "v": rng.standard_normal((32, 32, 3, 3)) / 17,
    }  # fmt: skip
    weights = [onnx.numpy_helper.from_array(a.astype("f"), n) for n, a in arrays.items()]
    value = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        nodes, "g", [value("x", 1, (1, 16, 14, 14))], [value("y", 1, (1, 32, 1, 1))], weights
    )
    opsets = [onnx.helper.make_opsetid("", 17)]
    model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8)
    x = rng.standard_normal((1, 16, 14, 14)).astype(np.float32)
    comparison = Comparison(model, {"x": x})
    require_silence(comparison)
    assert [miss for miss in every_miss(comparison, 0) if miss] == []


@pytest.mark.reliability
@pytest.mark.parametrize("seed", MANY)
def test_random_transformers(seed: int) -> None:
    for length in LENGTHS:
        comparison = of_random(drawn(seed, length=length))
        require_silence(comparison)
        assert [miss for miss in every_miss(comparison, seed) if miss] == []


@pytest.mark.reliability
@pytest.mark.parametrize("size", ["reduced", "full"])
@pytest.mark.parametrize("name", MODELS)
def test_bench_models(name: str, size: Any) -> None:
    file = str(onnx_file(name, size=size))
    comparison = Comparison(file, cast("Any", MODELS[name].inputs(size)))
    if size == "full":
        # What the other engine computes is gigabytes: it is not kept, and no kernel is corrupted.
        comparison.other = cast("Any", interpreter("onnxruntime", source_graph(file), THREADS))
        comparison.asked = replace(comparison.asked, budget=2**28)
        require_silence(comparison)
        return
    require_silence(comparison)
    assert [miss for miss in every_miss(comparison, 0) if miss] == []
