"""ONNX's backend interface: its own runner, models, nodes, options and what they are refused for."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx.backend.base import Backend

import tvmfuse.backend as backend
from tvmfuse.errors import ConfigurationError, InputError, UnsupportedModelError

node = onnx.helper.make_node
X = np.array([[1, -2, 3]], "float32")


@pytest.fixture(scope="module")
def model() -> Any:
    nodes = [node("Relu", ["x"], ["y"], name="relu"), node("Add", ["x", "z"], ["sum"], name="add")]
    inputs = {"x": ("float32", ("n", 3)), "z": ("float32", (1, 3))}
    return onnx_model(nodes, inputs, {"y": "float32", "sum": "float32"})


def test_a_model_is_prepared_once_and_fed_in_order_or_by_name(model: Any) -> None:
    assert issubclass(backend.TvmfuseBackend, Backend)
    prepared: Any = backend.prepare(model, "CPU", level="none", num_threads=1)
    for feeds in ([X, X], {"z": X, "x": X}):
        outputs: Any = prepared.run(feeds)
        np.testing.assert_array_equal(outputs[0], np.maximum(X, 0))
        np.testing.assert_array_equal(outputs["sum"], X + X)
    assert prepared.executable.manifest.level == "none"


def test_options_are_those_of_compile(model: Any) -> None:
    with pytest.raises(ConfigurationError, match="no pass is called 'Nonesuch'"):
        backend.prepare(model, disabled_pass=["Nonesuch"])
    with pytest.raises(ConfigurationError, match="num_threads: expected 1 or more, found 0"):
        backend.run_model(model, [X, X], num_threads=0)
    with pytest.raises(ConfigurationError, match="run takes no options, found level"):
        backend.prepare(model, level=0).run([X, X], level=1)
    with pytest.raises(InputError, match=r"expected 2 inputs \(x, z\), found 1"):
        backend.prepare(model, level=0).run(X)


def test_a_node_gets_what_says_how_as_constants() -> None:
    x = np.arange(6, dtype="float32")
    reshaped = backend.run_node(node("Reshape", ["x", "s"], ["y"]), [x, np.array([2, -1])])
    np.testing.assert_array_equal(reshaped[0], x.reshape(2, 3))
    clipped: Any = backend.run_node(node("Clip", ["x", "", "m"], ["y"]), [x, np.float32(3)])
    np.testing.assert_array_equal(clipped["y"], np.minimum(x, 3))
    with pytest.raises(InputError, match=r"expected 2 inputs \(x, s\), found 1"):
        backend.run_node(node("Reshape", ["x", "s"], ["y"]), [x])


def test_what_cannot_be_compiled_is_not_compatible(model: Any) -> None:
    unsupported = onnx_model(
        [node("ImageDecoder", ["x"], ["y"])], {"x": ("uint8", (9,))}, {"y": "uint8"}, opset=20
    )
    assert backend.is_compatible(model)
    assert not backend.is_compatible(unsupported)
    with pytest.raises(UnsupportedModelError, match="ImageDecoder"):
        backend.prepare(unsupported)


def test_devices() -> None:
    assert backend.supports_device("CPU")
    assert backend.supports_device("CPU:0")
    assert not backend.supports_device("TPU")
    assert not backend.supports_device("CUDA:1")
    with pytest.raises(ConfigurationError, match="expected 'CPU' or 'CUDA', found 'TPU'"):
        backend.run_node(node("Relu", ["x"], ["y"]), [X], "TPU")


def test_sequences_and_optional_inputs_are_lists_and_none() -> None:
    """A model with such inputs is compiled for what they hold, once for each make-up."""
    grown = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["": 17]>
        g (seq(float[N]) s, float[M] x, optional(float[2]) o)
            => (seq(float[]) y, bool there, float[M] z) {
          y = SequenceInsert(s, x)
          there = OptionalHasElement(o)
          z = Neg(x)
        }""")
    x = np.array([1, 2, 3], "float32")
    prepared = backend.prepare(grown)
    for held, given in (([], None), ([x, x[:1]], x[:2])):
        outputs: Any = prepared.run({"s": held, "x": x, "o": given})
        again: Any = prepared.run([held, x, given])
        for found in (outputs, again):
            assert [e.tolist() for e in found["y"]] == [*(e.tolist() for e in held), [1, 2, 3]]
            assert found["there"] == (given is not None)
            np.testing.assert_array_equal(found["z"], -x)
    assert not backend.is_compatible(grown)
    with pytest.raises(InputError, match="expected 3 inputs"):
        prepared.run([[x], x])
    with pytest.raises(InputError, match="missing input 'o'"):
        prepared.run({"s": [x], "x": x})
