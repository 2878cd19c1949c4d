"""What the Extended tier makes of transformers, whoever exported them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import onnxruntime
import pytest
from encoders import ENCODERS, HEADS, WIDTH
from graphs import ops
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize

#: Operators of two layers: attention, the norms, and what activates.
FUSED = {
    "distilbert": {"attention": 2, "embed_layer_norm": 1, "skip_layer_norm": 4, "gelu": 2},
    "gpt2": {"attention": 2, "embed_layer_norm": 1, "skip_layer_norm": 4, "gelu_tanh": 2},
    "clip text": {"attention": 2, "embed_layer_norm": 1, "skip_layer_norm": 4, "quick_gelu": 2},
    "clip vision": {"attention": 2, "layer_norm": 2, "skip_layer_norm": 3, "quick_gelu": 2},
    "t5": {"attention": 2, "rms_norm": 1, "skip_layer_norm": 4, "relu": 2},
    # Two gelus are the convolutions' before the layers.
    "whisper": {"attention": 2, "layer_norm": 1, "skip_layer_norm": 4, "gelu": 4},
}
APART = {"softmax", "matmul", "batch_matmul", "erf", "tanh", "sigmoid", "mean", "sqrt", "rsqrt"}

PLACES = [(name, exporter) for name, encoder in ENCODERS.items() for exporter in encoder.exporters]


Exported = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """Return a function that writes an encoder once and returns its file."""

    @cache
    def export(name: str, exporter: str) -> Path:
        return ENCODERS[name].export(exporter, tmp_path_factory.mktemp("encoder"))

    return export


@pytest.mark.parametrize(("name", "exporter"), PLACES)
@pytest.mark.sampled(4)
def test_every_layer_is_fused(name: Any, exporter: Any, exported: Exported) -> None:
    check(name, exported(name, exporter))


@pytest.mark.parametrize("name", ["distilbert", "gpt2", "t5"])
def test_what_onnxruntime_saved_is_fused_as_well(name: Any, exported: Exported) -> None:
    file = exported(name, "classic")
    options = onnxruntime.SessionOptions()
    extended = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.graph_optimization_level = extended
    options.optimized_model_filepath = str(file.with_suffix(".extended.onnx"))
    onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    check(name, Path(options.optimized_model_filepath))


def test_what_its_optimizer_for_transformers_wrote_is_fused_as_well(exported: Exported) -> None:
    from onnxruntime.transformers.optimizer import optimize_model

    file = exported("distilbert", "classic")
    written = file.with_suffix(".optimizer.onnx")
    model = optimize_model(str(file), "bert", num_heads=HEADS, hidden_size=WIDTH, opt_level=0)
    model.save_model_to_file(str(written))
    check("distilbert", written)


def check(name: str, file: Path) -> None:
    encoder = ENCODERS[name]
    optimized = optimize(import_model(file).module, Selection.of("all"))
    left = Counter(ops(optimized.operators))
    assert {op: left[op] for op in FUSED[name]} == FUSED[name]
    assert left["gemm"] == 8
    assert not APART & set(left)
    feeds = encoder.feeds()
    found = tvmfuse.compile(file).load()(feeds)
    assert_agrees(found, reference(file, feeds))
