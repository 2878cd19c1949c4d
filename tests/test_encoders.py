"""What the Extended tier makes of transformers, whoever exported them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from encoders import ENCODERS
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


@pytest.mark.parametrize(("name", "exporter"), PLACES)
def test_every_layer_is_fused(name: Any, exporter: Any, tmp_path: Path) -> None:
    encoder = ENCODERS[name]
    file = encoder.export(exporter, tmp_path)
    optimized = optimize(import_model(file).module, Selection.of("all"))
    left = Counter(ops(optimized.operators))
    assert {op: left[op] for op in FUSED[name]} == FUSED[name]
    assert left["gemm"] == 8
    assert not APART & set(left)
    feeds = encoder.feeds()
    found = tvmfuse.compile(file).load()(feeds)
    assert_agrees(found, reference(file, feeds))
