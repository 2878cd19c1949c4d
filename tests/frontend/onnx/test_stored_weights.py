"""DynamicQuantizeLSTM computes in float32 with the weights that its bytes mean."""

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import UnsupportedModelError

RNG = np.random.default_rng(0)
STEPS, BATCH, INPUTS, HIDDEN = 5, 3, 4, 6
ROUNDED = 0.02
"""What onnxruntime loses by rounding what it multiplies to 256 steps, each time."""


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype("float32")


def model(
    directions: int, stored: str, scale: np.ndarray, zero: np.ndarray, **said: Any
) -> tuple[onnx.ModelProto, onnx.ModelProto]:
    """Return a model of bytes, and the same of the floats that they mean."""
    # Signed ones have 7 bits: of 8, onnxruntime's products saturate on some processors.
    low, high = (-64, 64) if stored == "int8" else (0, 256)
    bytes_ = {
        name: RNG.integers(low, high, (directions, rows, 4 * HIDDEN)).astype(stored)
        for name, rows in (("w", INPUTS), ("r", HIDDEN))
    }
    parameters = {"s": scale, "z": zero.astype(stored)}
    apart = (slice(None),) + (None,) * (3 - scale.ndim)
    wide = scale[apart] if scale.ndim == 1 else scale[:, None, :]
    offset = zero[apart] if zero.ndim == 1 else zero[:, None, :]
    real = {
        name: ((array.astype("float32") - offset) * wide).astype("float32").transpose(0, 2, 1)
        for name, array in bytes_.items()
    }
    bias = {"b": floats(directions, 8 * HIDDEN)}
    inputs: dict[str, Any] = {"x": ("float32", ("steps", "batch", INPUTS))}
    outputs = dict.fromkeys(["y", "h", "c"], "float32")
    said |= {"hidden_size": HIDDEN}
    of_bytes = helper.make_node(
        "DynamicQuantizeLSTM",
        ["x", "w", "r", "b", "", "", "", "", "s", "z", "s", "z"],
        [*outputs],
        domain="com.microsoft",
        **said,
    )
    of_floats = helper.make_node("LSTM", ["x", "w", "r", "b"], [*outputs], **said)
    found = onnx_model([of_bytes], inputs, outputs, bytes_ | parameters | bias)
    found.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return found, onnx_model([of_floats], inputs, outputs, real | bias)


@pytest.mark.parametrize("stored", ["int8", "uint8"])
@pytest.mark.parametrize("per_column", [False, True])
@pytest.mark.parametrize(("direction", "directions"), [("reverse", 1), ("bidirectional", 2)])
def test_it_is_the_lstm_of_what_is_stored(
    stored: str, per_column: bool, direction: str, directions: int
) -> None:
    shape = (directions, 4 * HIDDEN) if per_column else (directions,)
    scale, zero = (0.001 + RNG.random(shape) / 300).astype("float32"), np.full(shape, 3)
    if stored == "int8":
        zero[:] = 0  # onnxruntime takes symmetric ones only
    of_bytes, of_floats = model(directions, stored, scale, zero, direction=direction)
    compiled = tvmfuse.compile(of_bytes).load()
    for steps, batch in ((STEPS, BATCH), (1, 1)):
        feeds = {"x": floats(steps, batch, INPUTS)}
        found = compiled(feeds)
        assert_agrees(found, reference(of_floats, feeds))
        assert_agrees(found, reference(of_bytes, feeds), tolerance=ROUNDED)


def test_absent_parameters_are_named() -> None:
    of_bytes, _ = model(1, "int8", np.ones(1, "float32"), np.zeros(1))
    of_bytes.graph.node[0].input[9] = ""
    with pytest.raises(UnsupportedModelError, match="operand 9 is absent"):
        tvmfuse.compile(of_bytes)
