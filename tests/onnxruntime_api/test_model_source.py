"""What options change in a model before it is compiled."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from onnxruntime_api.drop_in import X, accepts, node, ort, product, scaled, session

from tvmfuse.errors import ConfigurationError
from tvmfuse.onnxruntime_api.logs import NoEffectWarning


@accepts("session_options_add_free_dimension_override_by_name")
def test_dimensions_are_fixed_by_name() -> None:
    options = ort.SessionOptions()
    options.add_free_dimension_override_by_name("rows", 5)
    assert session(product(), options).get_inputs()[0].shape == [5, 3]


@accepts("session_options_add_free_dimension_override_by_denotation")
def test_dimensions_are_fixed_by_denotation() -> None:
    taken = {"x": ("float32", ["a", "b", 5])}
    model = onnx_model([node("Abs", ["x"], ["y"])], taken, {"y": "float32"})
    dims = model.graph.input[0].type.tensor_type.shape.dim
    dims[0].denotation, dims[1].denotation = "DATA_BATCH", "DATA_CHANNEL"
    options = ort.SessionOptions()
    options.add_free_dimension_override_by_denotation("DATA_BATCH", 3)
    options.add_free_dimension_override_by_denotation("DATA_CHANNEL", 4)
    assert session(model, options).get_inputs()[0].shape == [3, 4, 5]


@accepts("session_options_add_initializer")
def test_an_initializer_takes_other_numbers() -> None:
    options, other = ort.SessionOptions(), X[:, ::-1].copy()
    options.add_initializer("W", ort.OrtValue.ortvalue_from_numpy(other))
    opened = session(scaled(), options)
    np.testing.assert_array_equal(opened.run(["Y"], {"X": X})[0], X * other)
    options.add_initializer("W", ort.OrtValue.ortvalue_from_numpy(X[:2]))
    with pytest.raises(ConfigurationError, match="initializer 'W': expected shape"):
        session(scaled(), options)


def beside(name: str) -> onnx.ModelProto:
    """Return `scaled` with its weight in a file that there is not."""
    model = scaled()
    (tensor,) = model.graph.initializer
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=name)
    return model


@accepts("session_options_add_external_initializers")
def test_weights_that_lie_nowhere_are_given() -> None:
    options = ort.SessionOptions()
    options.add_external_initializers(["W"], [ort.OrtValue.ortvalue_from_numpy(X)])
    opened = session(beside("nowhere.bin"), options)
    np.testing.assert_array_equal(opened.run(None, {"X": X})[0], X * X)


@accepts("session_options_add_external_initializers_from_files_in_memory")
def test_files_are_given_from_memory() -> None:
    options, content = ort.SessionOptions(), X.tobytes()
    options.add_external_initializers_from_files_in_memory(["w.bin"], [content], [len(content)])
    opened = session(beside("w.bin"), options)
    np.testing.assert_array_equal(opened.run(None, {"X": X})[0], X * X)


def test_the_folder_of_weights_is_an_entry(tmp_path: Path) -> None:
    (tmp_path / "w.bin").write_bytes(X.tobytes())
    options = ort.SessionOptions()
    key = "session.model_external_initializers_file_folder_path"
    options.add_session_config_entry(key, str(tmp_path))
    opened = session(beside("w.bin"), options)
    np.testing.assert_array_equal(opened.run(None, {"X": X})[0], X * X)


@accepts("loading_session_options_from_model")
def test_a_model_states_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    stated = {
        "inter_op_num_threads": 5,
        "intra_op_num_threads": 2,
        "graph_optimization_level": 99,
        "enable_profiling": 1,
    }
    model = scaled()
    helper.set_model_props(model, {"ort_config": json.dumps({"session_options": stated})})
    monkeypatch.setenv("ORT_LOAD_CONFIG_FROM_MODEL", "1")
    with pytest.warns(NoEffectWarning, match="inter_op_num_threads"):
        opened = session(model)
    options = opened.get_session_options()
    assert (options.inter_op_num_threads, options.intra_op_num_threads) == (5, 2)
    assert options.graph_optimization_level == ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    assert options.enable_profiling is True
    assert Path(opened.end_profiling()).exists()
