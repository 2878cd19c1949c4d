"""ONNX Runtime's Python API: the documented example, options, names, errors."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import tvmfuse as rt
from tvmfuse.demo import wee_net
from tvmfuse.errors import ConfigurationError, InputError, UnknownPassError


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("models") / "model.onnx"
    file.write_bytes(wee_net().SerializeToString())
    return str(file)


@pytest.fixture(scope="module")
def dynamic() -> Any:
    weight = np.arange(12, dtype="float32").reshape(3, 4)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Relu", ["h"], ["y"])],
        "product",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 4])],
        [numpy_helper.from_array(weight, "w")],
        doc_string="a product",
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8,
                              producer_name="tests", domain="org.example", model_version=3)  # fmt: skip
    own = {
        "team": "compilers",
        "model_version": "v7",
        "domain": "ours",
        "custom": "yes",
        "producer_version": "2",
    }
    helper.set_model_props(model, own)
    return model.SerializeToString()


def test_the_documented_example_runs_with_only_the_import_changed(
    path: Any, tmp_path: Path
) -> None:
    """Source: ONNX Runtime's page on graph optimizations, "Python API Example"."""
    sess_options = rt.SessionOptions()

    # Set graph optimization level
    sess_options.graph_optimization_level = rt.GraphOptimizationLevel.ORT_ENABLE_EXTENDED

    # To enable model serialization after graph optimization set this
    sess_options.optimized_model_filepath = str(tmp_path / "optimized_model.onnx")

    session = rt.InferenceSession(path, sess_options)

    name = session.get_inputs()[0].name
    shape = [int(d) for d in session.get_inputs()[0].shape]
    x = np.random.default_rng(0).standard_normal(shape).astype("float32")
    (expected,) = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(
        None, {name: x}
    )
    np.testing.assert_allclose(session.run(None, {name: x})[0], expected, rtol=1e-4, atol=1e-4)

    offline = rt.InferenceSession(sess_options.optimized_model_filepath)
    np.testing.assert_array_equal(offline.run(None, {name: x})[0], session.run(None, {name: x})[0])


def test_describes_itself_as_onnx_runtime_does(dynamic: Any) -> None:
    ours, theirs = rt.InferenceSession(dynamic), onnxruntime.InferenceSession(dynamic)
    for left, right in (
        (ours.get_inputs(), theirs.get_inputs()),
        (ours.get_outputs(), theirs.get_outputs()),
    ):
        assert [(a.name, a.type, a.shape) for a in left] == [
            (a.name, a.type, a.shape) for a in right
        ]
    a, b = ours.get_modelmeta(), theirs.get_modelmeta()
    fields = (
        "producer_name",
        "graph_name",
        "domain",
        "description",
        "version",
        "custom_metadata_map",
    )
    assert [getattr(a, f) for f in fields] == [getattr(b, f) for f in fields]
    assert ours.get_providers() == theirs.get_providers() == ["CPUExecutionProvider"]


def test_outputs_are_chosen_by_name(dynamic: Any) -> None:
    session = rt.InferenceSession(dynamic)
    x = np.ones((2, 3), "float32")
    for names in (None, [], ["y"]):
        assert session.run(names, {"x": x})[0].shape == (2, 4)
    with pytest.raises(InputError, match="nope"):
        session.run(["nope"], {"x": x})


def test_a_missing_input_is_a_value_error_as_there(dynamic: Any) -> None:
    with pytest.raises(ValueError, match="x"):
        rt.InferenceSession(dynamic).run(None, {})


def test_free_dimensions_are_fixed_by_name(dynamic: Any) -> None:
    options = rt.SessionOptions()
    options.add_free_dimension_override_by_name("batch", 2)
    session = rt.InferenceSession(dynamic, options)
    assert session.get_inputs()[0].shape == [2, 3]
    options.add_free_dimension_override_by_name("bacth", 2)
    with pytest.raises(ConfigurationError, match="bacth"):
        rt.InferenceSession(dynamic, options)


@pytest.mark.parametrize(
    "names", ["ConvBNFusion;FuseOps", "ConvBNFusion,FuseOps", "ConvBNFusion; FuseOps"]
)
def test_the_configuration_takes_both_separators(path: Any, names: str) -> None:
    options = rt.SessionOptions()
    options.add_session_config_entry("optimization.disable_specified_optimizers", names)
    session = rt.InferenceSession(path, options)
    assert set(session._executable.manifest.passes_disabled) == {"ConvBNFusion", "FuseOps"}


@pytest.mark.parametrize("names", [["ConvBNFusion"], {"ConvBNFusion"}, "ConvBNFusion"], ids=repr)
def test_disabled_optimizers_takes_a_list_a_set_and_a_text(path: Any, names: Any) -> None:
    session = rt.InferenceSession(path, disabled_optimizers=names)
    assert session._executable.manifest.passes_disabled == ("ConvBNFusion",)


def test_a_pass_that_there_is_not_is_an_error_here(path: Any) -> None:
    with pytest.raises(UnknownPassError, match="did you mean ConvBNFusion"):
        rt.InferenceSession(path, disabled_optimizers=["ConvBNFusoin"])


def test_what_onnx_runtime_ignores_is_warned_of_here(path: Any) -> None:
    with pytest.warns(UserWarning, match=r"optimization\.disable_specified_optimizers"):
        rt.SessionOptions().add_session_config_entry("session.disable_specified_optimizers", "X")
    with pytest.warns(UserWarning, match="did you mean CPUExecutionProvider"):
        rt.InferenceSession(path, providers=["CpuExecutionProvider"])


def test_threads_are_an_option(dynamic: Any) -> None:
    options = rt.SessionOptions()
    options.intra_op_num_threads = 2
    x = np.ones((2, 3), "float32")
    assert rt.InferenceSession(dynamic, options).run(None, {"x": x})[0].shape == (2, 4)


def test_sessions_are_made_by_several_threads_at_once(dynamic: Any, path: Any) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((5, 3)).astype("float32")
    image = rng.standard_normal((1, 3, 128, 128)).astype("float32")

    def made(number: Any) -> Any:
        model, feed = ((dynamic, x), (path, image))[number % 2]
        rt.explain(model)
        return rt.InferenceSession(model).run(None, {"x": feed})[0]

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(made, range(8)))
    for number, model, feed in ((0, dynamic, x), (1, path, image)):
        (expected,) = onnxruntime.InferenceSession(model).run(None, {"x": feed})
        for result in results[number::2]:
            np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)
