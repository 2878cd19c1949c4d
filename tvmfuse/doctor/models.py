"""The small models that canaries compile."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from tvmfuse.build.artifact import Artifact
from tvmfuse.pipeline.compile import compile_model
from tvmfuse.pipeline.settings import CompileSettings

WIDTH: Final = 64
"""Numbers in a row of what the models take."""

ROWS: Final[Mapping[str, tuple[str, Sequence[str | int | None]]]] = {"x": ("float32", ["n", WIDTH])}


def onnx_model(
    nodes: Sequence[onnx.NodeProto],
    constants: Mapping[str, np.ndarray] | None = None,
    inputs: Mapping[str, tuple[str, Sequence[str | int | None]]] | None = None,
    functions: Sequence[onnx.FunctionProto] = (),
) -> onnx.ModelProto:
    """Return a model whose only output is that of its last node, float32.

    Args:
        nodes: In order.
        constants: Initializers.
        inputs: By name: dtype and shape; by default ``x[n, 64]`` of float32.
        functions: Of the domain ``canary``.
    """
    given = ROWS if inputs is None else inputs
    graph = helper.make_graph(
        nodes,
        "canary",
        [
            helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(np.dtype(d)), shape)
            for n, (d, shape) in given.items()
        ],
        [helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("canary", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, functions=functions)


def chain(operators: Sequence[str]) -> onnx.ModelProto:
    """Return a model that applies operators of one operand, one after the other, to ``x``."""
    names = ["x", *(f"v{i}" for i in range(len(operators)))]
    steps = zip(operators, names, names[1:], strict=False)
    return onnx_model([helper.make_node(op, [a], [b]) for op, a, b in steps])


def product() -> onnx.ModelProto:
    """Return the model of ``y = sigmoid(x @ w)``."""
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("Sigmoid", ["p"], ["y"]),
    ]
    return onnx_model(nodes, {"w": weight()})


def weight() -> np.ndarray:
    """Return what `product` multiplies with."""
    return numbers(WIDTH) / np.float32(WIDTH**0.5)


def numbers(rows: int) -> np.ndarray:
    """Return rows of normal floats, float32, the same ones each time."""
    return np.random.default_rng(0).standard_normal((rows, WIDTH), dtype=np.float32)


def compiled(model: onnx.ModelProto) -> Artifact:
    """Compile a model for this machine; its kernels are made anew."""
    return compile_model(model, CompileSettings.of(cache=False, calibration=False))


@functools.cache
def compiled_product() -> Artifact:
    """Compile `product`, once in a process."""
    return compiled(product())
