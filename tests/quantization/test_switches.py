"""A model whose layers are quantized by switches, against the quantized model."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from quantized_models import network, samples

from tvmfuse.frontend.onnx.source_graph import OnnxGraph
from tvmfuse.measure.onnxruntime_session import open_session
from tvmfuse.progress import silent
from tvmfuse.quantization.admission import admitted
from tvmfuse.quantization.losses import Noise
from tvmfuse.quantization.quantizer import Pair, quantized_by_onnxruntime
from tvmfuse.quantization.samples import samples_of
from tvmfuse.quantization.settings import QuantizeSettings
from tvmfuse.quantization.switches import SWITCHES, switched
from tvmfuse.tensor_spec import TensorSpec

pytestmark = pytest.mark.sampled(5)

DATA = samples(4)


def pair_of(**settings: Any) -> Pair:
    specs = [TensorSpec("x", "float32", DATA[0]["x"].shape)]
    data = samples_of(DATA, specs, dims=None, seed=0, progress=silent)
    model = admitted(OnnxGraph.of(network()))
    return quantized_by_onnxruntime(model, QuantizeSettings(**settings), data, silent)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"per_channel": False, "weight": "uint8"},
        {"activation": "int8", "symmetric": True},
        {"mode": "dynamic"},
        {"mode": "dynamic", "per_channel": False},
        {"exclude": ("conv",)},
    ],
    ids=str,
)
def test_all_switches_on_are_the_quantized_model_and_none_the_prepared_one(settings: Any) -> None:
    pair = pair_of(**settings)
    made = switched(pair)
    onnx.checker.check_model(made.model, full_check=True)
    session = open_session(made.model)
    on, off = np.ones(len(made.layers), bool), np.zeros(len(made.layers), bool)
    apart = Noise()
    for feeds in DATA:
        (same,) = session.outputs({**feeds, SWITCHES: off})
        np.testing.assert_array_equal(same, open_session(pair.prepared).outputs(feeds)[0])
        (found,) = session.outputs({**feeds, SWITCHES: on})
        apart.add(open_session(pair.quantized).outputs(feeds)[0], found)
    assert apart.sqnr_db > 55


def test_each_layer_has_a_switch_and_what_only_moves_numbers_has_none() -> None:
    assert [layer.name for layer in switched(pair_of()).layers] == ["conv", "pool", "fc"]
    assert [layer.name for layer in switched(pair_of(mode="dynamic")).layers] == ["conv", "fc"]
    without = switched(pair_of(exclude=("fc",))).layers
    assert [layer.name for layer in without] == ["conv", "pool"]
