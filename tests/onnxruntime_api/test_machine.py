"""What the package says of itself, and whom it lets compute."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import onnxruntime
import pytest
from onnxruntime.capi import _pybind_state as THEIRS
from onnxruntime.capi.onnxruntime_inference_collection import (
    check_and_normalize_provider_args as theirs_normalize,
)
from onnxruntime_api.drop_in import C, X, accepts, ort, scaled, session

from tvmfuse.onnxruntime_api.namespace import NATIVE_OF_ITS_OWN, collection_names
from tvmfuse.onnxruntime_api.providers import check_and_normalize_provider_args

CPU = "CPUExecutionProvider"


def test_every_public_name_of_onnxruntime_s_is_there() -> None:
    modules = {"contextlib", "capi", "onnxruntime_validation", "import_capi_exception"}
    assert {n for n in dir(onnxruntime) if n[0] != "_"} - modules <= {*vars(ort)}
    public = {n for n in dir(THEIRS) if n[0] != "_"} - {"os", "platform", "warnings"}
    assert public <= {*vars(C)} | {*NATIVE_OF_ITS_OWN.split()}
    for name in ("InferenceSession", "Session", "IOBinding", "OrtValue", "OrtDevice"):
        assert name in collection_names()


@pytest.mark.parametrize(
    "name",
    [
        *("ModelMetadata", "NodeArg", "OrtArenaCfg", "OrtEpAssignedNode", "OrtEpAssignedSubgraph"),
        *("OrtEpDevice", "OrtExternalInitializerInfo", "OrtHardwareDevice", "OrtMemoryInfo"),
    ],
)
def test_a_class_has_the_attributes_of_its_objects(name: str) -> None:
    """As `mock.create_autospec(NodeArg)` asks."""
    theirs = getattr(onnxruntime, name)
    assert {n for n, value in vars(theirs).items() if isinstance(value, property)} <= {
        *vars(getattr(ort, name))
    }


@pytest.mark.parametrize("name", ["Fail", "NoSuchFile", "NotImplemented", "RuntimeException"])
def test_exceptions_are_classes_of_their_own(name: str) -> None:
    assert issubclass(getattr(C, name), Exception)
    assert issubclass(getattr(THEIRS, name), Exception)


@accepts("get_version_string", "get_build_info", "run_device")
def test_it_says_which_version_it_is() -> None:
    assert ort.get_version_string() == ort.__version__ == onnxruntime.__version__
    assert "Build Info" in ort.get_build_info()
    assert ort.get_device() in ("CPU", "GPU")
    assert not ort.has_collective_ops()
    assert ort.get_ep_devices()[0].ep_name == CPU


@accepts("enabling_and_disabling_telemetry")
def test_what_does_nothing_can_be_called() -> None:
    ort.disable_telemetry_events()
    ort.enable_telemetry_events()
    ort.preload_dlls(cuda=True, directory="")
    ort.set_seed(3)
    ort.set_default_logger_verbosity(3)
    ort.set_global_thread_pool_sizes(0, 0)
    ort.print_debug_info()


@accepts("get_providers")
def test_the_cpu_is_the_last_provider() -> None:
    assert ort.get_all_providers()[-1] == CPU
    assert ort.get_available_providers()[-1] == CPU
    assert set(onnxruntime.get_all_providers()) <= set(ort.get_all_providers())
    assert CPU in session(scaled(), providers=ort.get_available_providers()).get_providers()


@accepts("session_providers", "set_providers", but="on the CPU alone")
def test_a_provider_that_is_not_here_is_warned_of_and_the_cpu_serves() -> None:
    for kind in (onnxruntime, ort):
        with pytest.warns(UserWarning, match="'ROCm|'CoreMLExecutionProvider' is not in available"):
            opened = kind.InferenceSession(
                scaled().SerializeToString(), providers=["CoreMLExecutionProvider", CPU]
            )
        assert opened.get_providers() == [CPU]
        assert opened.get_provider_options() == {CPU: {}}
        opened.set_providers([CPU])
        np.testing.assert_array_equal(opened.run(None, {"X": X})[0], X * X)


@pytest.mark.filterwarnings("ignore:Specified provider")
@accepts("invalid_set_providers")
def test_a_provider_that_there_is_not_is_an_error_where_nothing_falls_back() -> None:
    for kind in (onnxruntime, ort):
        model = scaled().SerializeToString()
        opened = kind.InferenceSession(model, providers=[CPU])
        with (
            pytest.warns(UserWarning, match="not in available"),
            pytest.raises(RuntimeError, match="Unknown Provider Type: InvalidProvider"),
        ):
            opened.set_providers(["InvalidProvider"])
        with (
            pytest.warns(UserWarning, match="not in available"),
            pytest.raises(RuntimeError, match="Unknown Provider Type: InvalidProvider"),
        ):
            kind.InferenceSession(model, providers=["InvalidProvider"], enable_fallback=0)
    with pytest.warns(UserWarning, match="Unknown Provider Type") as caught:
        assert session(scaled(), providers=["InvalidProvider"]).get_providers() == [CPU]
    assert "falling back to ['CPUExecutionProvider']" in str(caught[-1].message)


@accepts("check_and_normalize_provider_args")
@pytest.mark.parametrize(
    "arguments",
    [
        (None, None),
        (["a"], None),
        ([("a", {1: 2}), "b"], None),
        (["a", "b"], [{1: 2}, {}]),
        (["a", "b", "a"], [{"x": 1}, {}, {"y": 2}]),
        (3, None),
        ([3], None),
        (["a"], 3),
        (["a"], ["no dict"]),
        (["a", "b"], [{1: 2}]),
        ([("a", {1: 2})], [{3: 4}]),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore:Duplicate provider")
def test_providers_are_read_as_there(arguments: Any) -> None:
    ours: Any = check_and_normalize_provider_args
    try:
        expected = theirs_normalize(*arguments, ["a", "b", "c"])
    except ValueError:
        with pytest.raises(ValueError, match="provider"):
            ours(*arguments, ["a", "b", "c"])
    else:
        assert ours(*arguments, ["a", "b", "c"]) == expected


@accepts("set_default_logger_callback")
def test_a_callback_hears_what_sessions_say(caplog: pytest.LogCaptureFixture) -> None:
    said: list[Any] = []
    ort.set_default_logger_callback(lambda *record: said.append(record), severity=0)
    try:
        session(scaled())
    finally:
        ort.set_default_logger_callback(None)
    assert said
    assert [type(part) for part in said[0]] == [int, str, str, str, str]
    for wrong in (5, -1):
        with pytest.raises(RuntimeError, match="Invalid logging severity"):
            ort.set_default_logger_severity(wrong)
    with pytest.raises(RuntimeError):
        ort.set_default_logger_callback("no function")
    with caplog.at_level(logging.INFO, "tvmfuse.session"):
        options = ort.SessionOptions()
        options.log_severity_level, options.logid = 1, "mine"
        session(scaled(), options)
    assert [record.name for record in caplog.records] == ["tvmfuse.session.mine"]


@accepts("ort_device", "ort_memory_info", "ort_memory_info_create_v2", "create_allocator")
def test_devices_memory_and_arenas_are_described() -> None:
    for name in ("cpu", "cuda", "npu", "dml"):
        ours, theirs = (kind.OrtDevice.make(name, 1) for kind in (ort, onnxruntime))
        for field in ("device_id", "device_type", "device_vendor_id", "device_mem_type"):
            assert getattr(ours, field)() == getattr(theirs, field)()
    memory = ort.OrtMemoryInfo.create_v2(
        "Test", ort.OrtMemoryInfoDeviceType.CPU, 0, 0, ort.OrtDeviceMemoryType.DEFAULT, 128,
        ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR,
    )  # fmt: skip
    assert (memory.name, memory.device_id, memory.device_vendor_id) == ("Test", 0, 0)
    assert memory.mem_type == ort.OrtMemType.DEFAULT
    assert memory.device_mem_type == ort.OrtDeviceMemoryType.DEFAULT
    assert memory.allocator_type == ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR
    arena = ort.OrtArenaCfg(8, 0, 4, 2)
    assert (arena.max_mem, arena.initial_chunk_size_bytes) == (8, 4)
    arena = ort.OrtArenaCfg({"max_mem": 16, "initial_growth_chunk_size_bytes": 2})
    assert (arena.max_mem, arena.initial_growth_chunk_size_bytes) == (16, 2)


@pytest.mark.parametrize(
    "refused",
    [
        lambda: ort.register_execution_provider_library("x", "x.so"),
        lambda: ort.ModelCompiler(ort.SessionOptions(), "m.onnx"),
        lambda: ort.SessionOptions().register_custom_ops_library("x.so"),
    ],
    ids=["provider", "EPContext", "custom operators"],
)
def test_what_there_is_not_is_refused_in_words(refused: Any) -> None:
    with pytest.raises(RuntimeError, match=r"\w+ \w+ \w+"):
        refused()
