"""What is made of operators on quantized tensors: forms that passes and kernels know."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.dataflow import Dataflow, op_name

RNG = np.random.default_rng(0)
TENTH, ZERO, SIGNED = np.float32(0.1), np.uint8(7), np.int8(-3)
CHANNELS, ZEROS = np.array([0.01, 0.02, 0.03], "float32"), np.zeros(3, "int8")
WEIGHTS, BIAS = (
    RNG.integers(-9, 9, s).astype(d) for s, d in (((3, 2, 3, 3), "int8"), (3, "int32"))
)
IMAGE = np.full((1, 2, 5, 5), 200, "uint8")
ROWS, MATRIX = np.full((4, 6), 9, "uint8"), np.ones((6, 3), "int8")
KINDS = ("conv", "matmul", "requantize", "quantize", "dequantize", "round")


def vector(number: Any) -> np.ndarray:
    return np.asarray(number).reshape(1)


MADE: dict[str, tuple[str, list[Any], str]] = {
    "a convolution, per channel": (
        "QLinearConv", [IMAGE, TENTH, ZERO, WEIGHTS, CHANNELS, ZEROS, TENTH, ZERO, BIAS],
        "conv requantize",
    ),
    "scales in the form of vectors": (
        "QLinearConv",
        [IMAGE, vector(TENTH), vector(ZERO), WEIGHTS, vector(TENTH), vector(SIGNED), vector(TENTH), vector(ZERO)],
        "conv requantize",
    ),
    "a ratio that no float32 holds": (
        "QLinearConv",
        [IMAGE, np.float32(1e30), ZERO, WEIGHTS, CHANNELS, ZEROS, np.float32(1e-30), ZERO],
        "conv round",
    ),
    "a matrix": (
        "QLinearMatMul", [ROWS, TENTH, ZERO, MATRIX, TENTH, SIGNED, TENTH, ZERO],
        "matmul requantize",
    ),
    "a scale for each column": (
        "QLinearMatMul", [ROWS, TENTH, ZERO, MATRIX, CHANNELS, ZEROS, TENTH, SIGNED],
        "matmul requantize",
    ),
    "a Gemm": (
        "QGemm", [ROWS, TENTH, ZERO, MATRIX, CHANNELS, ZEROS, BIAS, TENTH, ZERO],
        "matmul requantize",
    ),
    "a sum": (
        "QLinearAdd", [ROWS, TENTH, ZERO, ROWS, TENTH, ZERO, TENTH, ZERO],
        "dequantize dequantize quantize",
    ),
    "a sigmoid without zero points": ("QLinearSigmoid", [ROWS, TENTH, None, TENTH], "dequantize quantize"),
}  # fmt: skip


def model(operator: str, operands: list[Any], *fed: int) -> tuple[Any, dict[str, np.ndarray]]:
    """Return a model of one operator, fed its operands at these positions, and the feeds."""
    arrays = {f"x{n}": np.asarray(a) for n, a in enumerate(operands) if a is not None}
    names = ["" if a is None else f"x{n}" for n, a in enumerate(operands)]
    feeds = {f"x{n}": arrays.pop(f"x{n}") for n in fed}
    own = operator.startswith(("QLinear", "QGemm")) and operator not in (
        "QLinearConv",
        "QLinearMatMul",
    )
    node = helper.make_node(operator, names, ["y"], "node", domain="com.microsoft" if own else "")
    inputs = {name: (str(array.dtype), array.shape) for name, array in feeds.items()}
    to = "int8" if operands[-1] is SIGNED else "uint8"
    return onnx_model([node], inputs, {"y": to}, arrays, domains=["com.microsoft"]), feeds


def made(operator: str, operands: list[Any], *fed: int) -> str:
    """Return the operators that one is imported as, those of `KINDS`."""
    imported = import_model(model(operator, operands, *fed)[0]).module["main"]
    calls = (op_name(value) for _, value in Dataflow.of(imported).bindings)
    counted = Counter(name.split(".")[-1] for name in calls if name)
    return " ".join(kind for kind in KINDS for _ in range(counted[kind]))


@pytest.mark.parametrize(("operator", "operands", "expected"), MADE.values(), ids=MADE)
def test_known_parameters_make_what_passes_know(
    operator: str, operands: list[Any], expected: str
) -> None:
    order = {kind: place for place, kind in enumerate(KINDS)}
    assert made(operator, operands, 0) == " ".join(sorted(expected.split(), key=order.__getitem__))


@pytest.mark.parametrize("fed", [1, 4, 6, 7])
def test_parameters_that_are_fed_are_computed_with(fed: int) -> None:
    operator, operands, _ = MADE["a matrix"]
    assert made(operator, operands, 0, fed) == "matmul round"


@pytest.mark.parametrize("target", ["avx512", "avx2"])
def test_kernels_of_a_network_are_those_of_its_products(target: str) -> None:
    said = [TENTH, ZERO, WEIGHTS, CHANNELS, ZEROS, TENTH, ZERO, BIAS]
    names = [f"c{n}" for n in range(len(said))]
    s, z = names[5:7]

    def node(operator: str, *operands: str, domain: str = "com.microsoft") -> Any:
        *given, result = operands
        return helper.make_node(operator, given, [result], result, domain=domain)

    nodes = [
        node("QLinearConv", "x", *names, "y", domain=""),
        node("QLinearSigmoid", "y", s, z, s, z, "g"),
        node("QLinearMul", "y", s, z, "g", s, z, s, z, "m"),
        node("QLinearAdd", "m", s, z, "y", s, z, s, z, "r"),
    ]
    constants = {name: np.asarray(array) for name, array in zip(names, said, strict=True)}
    shape = {"x": ("uint8", IMAGE.shape)}
    net = onnx_model(nodes, shape, {"r": "uint8"}, constants, domains=["com.microsoft"])
    kernels = tvmfuse.compile(net, target=target).manifest.kernels
    assert "generic" not in {kernel.schedule for kernel in kernels}
