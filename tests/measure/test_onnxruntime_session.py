"""onnxruntime is opened in one way: the same settings, and the same words where it cannot run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from firing import of

from tvmfuse.errors import ConfigurationError, UnsupportedModelError
from tvmfuse.measure import ab, accuracy, bisect
from tvmfuse.measure.onnxruntime_session import open_session

MODEL = of("", "a = Exp(x) y = Relu(a) z = Neg(a)").model()
X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)


def in_bfloat16() -> onnx.ModelProto:
    """Return a model that tvmfuse compiles and onnxruntime has no kernel for."""
    model = of("", "y = Exp(x)").model()
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.elem_type = onnx.TensorProto.BFLOAT16
    return model


ways = pytest.mark.parametrize(
    ("way", "hint"),
    [
        (lambda model: ab(model, "engine=onnxruntime"), ""),
        (lambda model: accuracy(model), "; compare with another: reference, none"),
        (lambda model: bisect(model), "; take against='none'"),
    ],
    ids=["ab", "accuracy", "bisect"],
)


@ways
def test_a_model_that_it_cannot_run(way: Any, hint: Any, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(
        UnsupportedModelError, match=f"^onnxruntime cannot run this model: .*{hint}$"
    ):
        way(in_bfloat16())
    assert "onnxruntime" not in capfd.readouterr().err


@ways
def test_it_is_not_installed(way: Any, hint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    words = rf"^onnxruntime is not installed: python -m pip install 'tvmfuse\[ort\]'{hint}$"
    with pytest.raises(ConfigurationError, match=words):
        way(MODEL)


def test_a_path_bytes_and_a_model_compute_the_same(tmp_path: Path) -> None:
    onnx.save(MODEL, tmp_path / "m.onnx")
    for source in (tmp_path / "m.onnx", MODEL.SerializeToString(), MODEL):
        found = open_session(source, level="all", threads=1).by_name({"x": X})
        assert [*found] == [output.name for output in MODEL.graph.output]
        np.testing.assert_allclose(found["y"].astype("float32"), np.exp(X), rtol=1e-6)


@pytest.mark.parametrize("way", [accuracy, bisect])
def test_threads_are_its_threads(way: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, real = [], onnxruntime.InferenceSession

    def noted(model: Any, options: Any, **settings: Any) -> Any:
        opened.append((options.intra_op_num_threads, options.graph_optimization_level))
        return real(model, options, **settings)

    monkeypatch.setattr(onnxruntime, "InferenceSession", noted)
    way(MODEL, threads=3)
    assert opened == [(3, onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL)]


def test_feeds_that_do_not_fit_are_said_in_words() -> None:
    session = open_session(MODEL)
    with pytest.raises(
        UnsupportedModelError, match="onnxruntime cannot run this model: Required inputs"
    ):
        session.outputs({"wrong": X})
