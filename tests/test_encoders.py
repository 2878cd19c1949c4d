"""What the Extended tier makes of transformers, whoever exported them."""

from __future__ import annotations

from collections import Counter

import pytest
from encoders import ENCODERS
from graphs import ops
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.frontend import import_model
from tvmfuse.optimize import optimize
from tvmfuse.passes.selection import Selection

PLACES = [(name, exporter) for name, encoder in ENCODERS.items() for exporter in encoder.exporters]


@pytest.mark.parametrize(("name", "exporter"), PLACES)
def test_every_layer_is_fused(name, exporter, tmp_path) -> None:
    encoder = ENCODERS[name]
    file = encoder.export(exporter, tmp_path)
    optimized = optimize(import_model(file).module, Selection.of("extended"))
    left = Counter(ops(optimized.operators))
    assert left["attention"] == 2
    assert not {"softmax", "matmul"} & set(left) - ({"matmul"} if name == "t5" else set())
    feeds = encoder.feeds()
    found = tvmfuse.compile(file).load()(feeds)
    assert_agrees(found, reference(file, feeds))
