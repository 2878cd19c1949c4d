"""Options: each is honoured, warned of, or refused."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
import onnxruntime
import pytest
from graphs import onnx_model
from onnx import numpy_helper
from onnxruntime_api.drop_in import C, X, accepts, node, ort, scaled, session

from tvmfuse.onnxruntime_api.logs import NoEffectWarning
from tvmfuse.onnxruntime_api.option_table import ATTRIBUTES, KEYS, Fate


def test_every_attribute_of_onnxruntime_s_is_there_with_its_default() -> None:
    theirs, ours = onnxruntime.SessionOptions(), ort.SessionOptions()
    found = {name: getattr(theirs, name) for name in dir(theirs) if not name.startswith("_")}
    values = {name: value for name, value in found.items() if not callable(value)}
    assert {*values} == {*ATTRIBUTES}
    for name, value in values.items():
        assert getattr(ours, name) == (int(value) if hasattr(value, "value") else value)
    assert {*found} <= {*dir(ours)}


@pytest.mark.parametrize("kind", ["SessionOptions", "RunOptions"])
def test_a_class_of_options_has_its_attributes_too(kind: str) -> None:
    """As `hasattr(SessionOptions, name)` asks, which mlflow does of what a user sets."""
    theirs, ours = getattr(onnxruntime, kind), getattr(ort, kind)
    names = [name for name, value in vars(theirs).items() if isinstance(value, property)]
    assert names
    assert all(isinstance(vars(ours)[name], property) for name in names)
    assert not hasattr(ours, "no_such_name")
    options = ours()
    ours.log_severity_level.fset(options, 3)
    assert (ours.log_severity_level.fget(options), options.log_severity_level) == (3, 3)
    assert copy.copy(options).log_severity_level == 3


@pytest.mark.parametrize("name", sorted({*ATTRIBUTES} - {"graph_optimization_level"}))
@pytest.mark.parametrize("value", ["text", 3, -1, None, True, 1.5], ids=repr)
def test_an_attribute_takes_what_it_takes_there(name: str, value: Any) -> None:
    ours, theirs = ort.SessionOptions(), onnxruntime.SessionOptions()
    try:
        setattr(theirs, name, value)
    except TypeError:
        with pytest.raises(TypeError, match=name):
            setattr(ours, name, value)
    else:
        setattr(ours, name, value)
        assert getattr(ours, name) == getattr(theirs, name)


@pytest.mark.parametrize("kind", ["SessionOptions", "RunOptions"])
def test_an_attribute_that_there_is_not_names_a_close_one(kind: str) -> None:
    close = {"SessionOptions": "intra_op_num_threads", "RunOptions": "terminate"}[kind]
    with pytest.raises(AttributeError, match=f"did you mean {close}"):
        setattr(getattr(ort, kind)(), close[:-1], 1)


@accepts("ort_execution_mode")
def test_what_has_no_effect_is_warned_of_once_for_a_session() -> None:
    options = ort.SessionOptions()
    assert options.execution_mode == ort.ExecutionMode.ORT_SEQUENTIAL
    options.execution_mode = ort.ExecutionMode.ORT_PARALLEL
    assert options.execution_mode == ort.ExecutionMode.ORT_PARALLEL
    options.enable_mem_pattern = False
    options.intra_op_num_threads = 2
    with pytest.warns(NoEffectWarning) as caught:
        ort.InferenceSession(scaled().SerializeToString(), options)
    (warning,) = caught
    assert warning.filename == __file__
    assert "execution_mode" in str(warning.message)
    assert "enable_mem_pattern" in str(warning.message)
    assert "intra_op_num_threads" not in str(warning.message)


def test_a_severity_silences_warnings() -> None:
    options = ort.SessionOptions()
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        session(scaled(), options)


@accepts("session_options_add_config_entry", "invalid_session_options_config_entry")
def test_an_unknown_key_is_kept_and_warned_of() -> None:
    options = ort.SessionOptions()
    with pytest.warns(NoEffectWarning, match=r"did you mean session\.use_env_allocators"):
        options.add_session_config_entry("session.use_env_alocators", "VALUE")
    assert options.get_session_config_entry("session.use_env_alocators") == "VALUE"
    words = "SessionOptions does not have configuration with key: NO"
    with pytest.raises(RuntimeError, match=words):
        options.get_session_config_entry("NO")


@pytest.mark.parametrize("key", [k for k, o in KEYS.items() if o.fate is Fate.REFUSED])
def test_a_promise_that_is_not_kept_is_refused(key: str) -> None:
    with pytest.raises(RuntimeError, match="is refused"):
        ort.SessionOptions().add_session_config_entry(key, "ORT" if "format" in key else "1")


@pytest.mark.parametrize("key", ["optimization.enable_gelu_approximation"])
def test_a_switch_is_0_or_1(key: str) -> None:
    with pytest.raises(ValueError, match="expected '0' or '1', found 'yes'"):
        ort.SessionOptions().add_session_config_entry(key, "yes")


def test_every_key_without_an_effect_is_warned_of() -> None:
    options = ort.SessionOptions()
    keys = [key for key, option in KEYS.items() if option.fate is Fate.NO_EFFECT]
    for key in keys:
        options.add_session_config_entry(key, "7")
    with pytest.warns(NoEffectWarning) as caught:
        session(scaled(), options)
    (warning,) = caught
    assert [key for key in keys if key not in str(warning.message)] == []


def test_a_session_that_only_the_cpu_would_serve_is_refused_if_asked() -> None:
    options = ort.SessionOptions()
    options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    with pytest.raises(C.Fail, match="disable_cpu_ep_fallback"):
        session(scaled(), options, providers=["CPUExecutionProvider"])


def test_options_that_cancel_end_a_session_before_it_begins() -> None:
    options = ort.SessionOptions()
    options.set_load_cancellation_flag(True)
    with pytest.raises(C.ModelLoadCanceled):
        session(scaled(), options)


def test_quantized_tensors_stay_apart_if_asked() -> None:
    options = ort.SessionOptions()
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    disabled = session(scaled(), options)._executable.manifest.passes_disabled
    assert "QDQSelectorActionTransformer" in disabled


@accepts("memory_arena_shrinkage", "shared_allocator_using_create_and_register_allocator")
def test_memory_is_planned_whatever_is_asked_of_allocators() -> None:
    options = ort.RunOptions()
    options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    assert options.get_run_config_entry("memory.enable_memory_arena_shrinkage") == "cpu:0"
    np.testing.assert_array_equal(session(scaled()).run([], {"X": X}, options)[0], X * X)
    memory = ort.OrtMemoryInfo(
        "Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT
    )
    with pytest.warns(NoEffectWarning):
        ort.create_and_register_allocator(memory, None)


def test_runs_are_deterministic_as_may_be_asked() -> None:
    rng = np.random.default_rng(0)
    model = onnx_model(
        [
            node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]),
            node("Softmax", ["c"], ["s"], axis=1),
            node("ReduceMean", ["s"], ["y"], axes=[2, 3]),
        ],
        {"x": ("float32", [1, 8, 32, 32])},
        {"y": "float32"},
        {"w": rng.standard_normal((16, 8, 3, 3)).astype("float32")},
    )
    options = ort.SessionOptions()
    options.use_deterministic_compute = True
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        opened = session(model, options)
    x = rng.standard_normal((1, 8, 32, 32)).astype("float32")
    first = opened.run(None, {"x": x})[0].tobytes()
    assert all(opened.run(None, {"x": x})[0].tobytes() == first for _ in range(50))


@accepts("run_with_adapter", "adater_export_read", but="where onnxruntime is installed")
def test_an_adapter_takes_the_place_of_initializers(tmp_path: Any) -> None:
    model = onnx_model(
        [node("MatMul", ["x", "a"], ["y"])],
        {"x": ("float32", [4, 4]), "a": ("float32", [4, 2])},
        {"y": "float32"},
    )
    model.graph.initializer.append(numpy_helper.from_array(np.zeros((4, 2), "float32"), "a"))
    parameter = np.arange(8, dtype=np.float32).reshape(4, 2)
    adapter = ort.AdapterFormat()
    adapter.set_adapter_version(1)
    adapter.set_model_version(2)
    adapter.set_parameters({"a": ort.OrtValue.ortvalue_from_numpy(parameter)})
    adapter.export_adapter(tmp_path / "a.onnx_adapter")
    read = ort.AdapterFormat.read_adapter(tmp_path / "a.onnx_adapter")
    assert (read.get_adapter_version(), read.get_model_version()) == (1, 2)
    np.testing.assert_array_equal(read.get_parameters()["a"].numpy(), parameter)

    lora = ort.LoraAdapter()
    lora.Load(str(tmp_path / "a.onnx_adapter"))
    options = ort.RunOptions()
    options.add_active_adapter(lora)
    opened, ones = session(model), np.ones((4, 4), np.float32)
    assert not opened.run(None, {"x": ones})[0].any()
    np.testing.assert_allclose(opened.run(None, {"x": ones}, options)[0], ones @ parameter)
