"""Sessions of the drop-in: what they are made of, what they say, how they run."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from graphs import onnx_model
from onnx import helper, numpy_helper
from onnxruntime_api.drop_in import C, X, accepts, node, ort, product, scaled, session

import tvmfuse
from tvmfuse.errors import TvmfuseError


@pytest.fixture(scope="module")
def squared() -> Any:
    return session(scaled())


@accepts("run_model", "run_model_from_bytes", "run_base_model")
def test_it_says_what_it_takes_and_gives_and_runs(squared: Any) -> None:
    (taken,), (given,) = squared.get_inputs(), squared.get_outputs()
    assert (taken.name, taken.type, taken.shape) == ("X", "tensor(float)", [3, 2])
    assert (given.name, given.type, given.shape) == ("Y", "tensor(float)", [3, 2])
    assert len(squared.get_input_memory_infos()) == len(squared.get_output_memory_infos()) == 1
    assert squared.get_input_epdevices() == [None]
    (result,) = squared.run([given.name], {taken.name: X}, ort.RunOptions())
    np.testing.assert_array_equal(result, X * X)


@accepts("deserialization_from_path_object", "run_model2", "run_model2_contiguous")
def test_a_path_is_taken_and_an_array_with_strides(tmp_path: Path) -> None:
    onnx.save(product(), tmp_path / "m.onnx")
    opened = ort.InferenceSession(tmp_path / "m.onnx", providers=["CPUExecutionProvider"])
    assert opened._model_path == str(tmp_path / "m.onnx")
    x = np.arange(12, dtype=np.float32).reshape(3, 4).T
    weight = np.arange(12, dtype=np.float32).reshape(3, 4)
    for fed in (x, np.ascontiguousarray(x)):
        np.testing.assert_allclose(opened.run(None, {"x": fed})[0], x @ weight + 1, rtol=1e-6)


@accepts("run_model_symbolic_input")
def test_a_size_that_is_not_known_has_its_name() -> None:
    (taken,) = session(product()).get_inputs()
    assert taken.shape == ["rows", 3]


@accepts("boolean_inputs", "graph_optimization_level")
def test_booleans_and_a_level() -> None:
    options = ort.SessionOptions()
    assert options.graph_optimization_level == ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    assert options.graph_optimization_level == ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    model = onnx_model(
        [node("And", ["b", "a"], ["c"])],
        {"b": ("bool", [2, 2]), "a": ("bool", [2, 2])},
        {"c": "bool"},
    )
    opened = session(model, options)
    assert [(i.name, i.type) for i in opened.get_inputs()] == [
        ("b", "tensor(bool)"),
        ("a", "tensor(bool)"),
    ]
    a, b = np.array([[1, 1], [0, 0]], bool), np.array([[1, 0], [1, 0]], bool)
    np.testing.assert_array_equal(opened.run(["c"], {"a": a, "b": b})[0], a & b)


@accepts("run_async")
def test_it_runs_in_another_thread(squared: Any) -> None:
    done, seen = threading.Event(), []

    def callback(*said: Any) -> None:
        seen.append(said)
        done.set()

    squared.run_async(["Y"], {"X": X}, callback, "mine")
    assert done.wait(60)
    ((results, data, error),) = seen
    np.testing.assert_array_equal(results[0], X * X)
    assert (data, error) == ("mine", "")
    done.clear()
    squared.run_async(["Y"], {"X": X[:2]}, callback, None)
    assert done.wait(60)
    assert seen[1][0] == []
    assert "INVALID_ARGUMENT" in seen[1][2]


@accepts("run_model_multiple_threads", but="on the CPU alone")
def test_threads_share_it(squared: Any) -> None:
    failed: list[BaseException] = []

    def work() -> None:
        options = ort.RunOptions()
        options.logid = threading.current_thread().name
        try:
            for _ in range(20):
                np.testing.assert_array_equal(squared.run(None, {"X": X}, options)[0], X * X)
        except BaseException as error:  # a thread's ends nowhere else
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_run_that_is_to_end_fails(squared: Any) -> None:
    options = ort.RunOptions()
    options.terminate = True
    with pytest.raises(C.Fail, match="terminate"):
        squared.run(None, {"X": X}, options)


@accepts("run_output_does_not_alias_input_passthrough")
def test_an_input_that_is_an_output_is_a_copy() -> None:
    graph = helper.make_graph(
        [node("Add", ["x", "ten"], ["more"])],
        "graph",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [4])],
        [
            helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [4])
            for name in ("more", "x")
        ],
        [numpy_helper.from_array(np.full(1, 10, np.float32), "ten")],
    )
    opset = [helper.make_opsetid("", 21)]
    opened = session(helper.make_model(graph, opset_imports=opset, ir_version=9))
    kept = []
    for number in range(5):
        x = np.full(4, number, np.float32)
        outputs = opened.run(None, {"x": x})
        assert not np.shares_memory(outputs[1], x)
        kept.append(outputs)
    for number, (more, same) in enumerate(kept):
        assert (more == number + 10).all()
        assert (same == number).all()


@accepts("run_session_owned_output_is_zero_copy")
def test_an_output_is_the_run_s_own_memory(squared: Any) -> None:
    assert squared.run(None, {"X": X})[0].base is not None


@accepts("model_meta")
def test_metadata_is_onnxruntime_s() -> None:
    model = product()
    model.producer_name, model.domain, model.model_version = "tests", "org.example", 3
    model.graph.doc_string, model.doc_string = "of the graph", "of the model"
    ours, theirs = (
        kind.InferenceSession(model.SerializeToString()).get_modelmeta()
        for kind in (ort, onnxruntime)
    )
    for field in ("producer_name", "graph_name", "domain", "description", "graph_description",
                  "version", "custom_metadata_map"):  # fmt: skip
        assert getattr(ours, field) == getattr(theirs, field)


@accepts("get_graph_provider_assignment_info", "get_graph_provider_assignment_info_not_enabled")
def test_it_lists_which_provider_computes_which_node(squared: Any) -> None:
    with pytest.raises(C.Fail, match='record_ep_graph_assignment_info\' must be set to "1"'):
        squared.get_provider_graph_assignment_info()
    options = ort.SessionOptions()
    options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    (part,) = session(scaled(), options).get_provider_graph_assignment_info()
    (found,) = part.get_nodes()
    assert part.ep_name == "CPUExecutionProvider"
    assert (found.domain, found.op_type, found.name) == ("", "Mul", "mul")


@accepts("profiler_with_session_options", "profiler_get_start_time_ns")
def test_runs_are_traced(tmp_path: Path) -> None:
    options = ort.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "trace")
    opened = session(product(), options)
    assert opened.get_profiling_start_time_ns() > 0
    opened.run(None, {"x": np.ones((2, 3), np.float32)})
    file = opened.end_profiling()
    assert opened.end_profiling() == ""
    first, *events, last = Path(file).read_text().splitlines()
    assert (first, last) == ("[", "]")
    for line in events:
        for tag in ("pid", "dur", "ts", "ph", "X", "name", "args"):
            assert tag in line
    assert {"Session", "Node"} == {event["cat"] for event in json.loads(Path(file).read_text())}


def test_a_trace_that_nobody_ends_is_written_when_the_session_goes(tmp_path: Path) -> None:
    options = ort.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(tmp_path / "trace")
    opened = session(scaled(), options)
    opened.run(None, {"X": X})
    del opened
    assert len([*tmp_path.glob("trace_*.json")]) == 1


def test_a_compiled_file_is_loaded(tmp_path: Path) -> None:
    tvmfuse.compile(scaled()).save(tmp_path / "m.so")
    opened = ort.InferenceSession(str(tmp_path / "m.so"))
    np.testing.assert_array_equal(opened.run(None, {"X": X})[0], X * X)


@accepts(
    "model_serialization",
    but="the file is tvmfuse's, which sessions load, and holds its weights",
)
def test_the_optimized_model_is_written_and_loaded(tmp_path: Path) -> None:
    options = ort.SessionOptions()
    options.log_severity_level = 1
    options.logid = "tests"
    options.optimized_model_filepath = str(tmp_path / "optimized.onnx")
    session(scaled(), options)
    again = ort.InferenceSession(options.optimized_model_filepath)
    np.testing.assert_array_equal(again.run(None, {"X": X})[0], X * X)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("nowhere.onnx", "NoSuchFile"),
        (b"no model", "InvalidProtobuf"),
        (b"", "InvalidArgument"),
        (onnx_model([node("No", ["x"], ["y"])], {"x": ("float32", [1])}, {"y": "float32"}),
         "InvalidGraph"),
    ],
    ids=["missing", "garbage", "empty", "unknown operator"],
)  # fmt: skip
def test_what_cannot_be_opened_raises_as_there(source: Any, kind: str) -> None:
    if isinstance(source, onnx.ModelProto):
        source = source.SerializeToString()
    theirs = getattr(onnxruntime.capi.onnxruntime_pybind11_state, kind)
    with pytest.raises(theirs):
        onnxruntime.InferenceSession(source)
    with pytest.raises(getattr(C, kind)) as caught:
        ort.InferenceSession(source)
    assert isinstance(caught.value, TvmfuseError)
    assert str(caught.value).startswith("[ONNXRuntimeError] : ")


def test_a_source_of_another_type_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="Unable to load from type"):
        ort.InferenceSession(3)


def test_the_format_of_its_own_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.ort").write_bytes(b"")
    with pytest.raises(RuntimeError, match="ORT format is not read"):
        ort.InferenceSession(tmp_path / "m.ort")
