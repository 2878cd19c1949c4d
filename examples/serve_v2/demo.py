"""The models that are served when none is named: the classifier, and one of every dtype."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import onnx
from onnx import TensorProto, helper

import tvmfuse
from examples.serve.demo import save_demo

DTYPES: Final = {
    "bool": TensorProto.BOOL,
    "int8": TensorProto.INT8,
    "int16": TensorProto.INT16,
    "int32": TensorProto.INT32,
    "int64": TensorProto.INT64,
    "uint8": TensorProto.UINT8,
    "uint16": TensorProto.UINT16,
    "uint32": TensorProto.UINT32,
    "uint64": TensorProto.UINT64,
    "float16": TensorProto.FLOAT16,
    "float32": TensorProto.FLOAT,
    "float64": TensorProto.DOUBLE,
}
"""All that the protocol and arrays have in common, under numpy's names."""


def twice() -> onnx.ModelProto:
    """Return a model that has, of each dtype, ``x[batch, 2] -> twice_x[batch, 4]``: x beside x."""
    graph = helper.make_graph(
        [helper.make_node("Concat", [name, name], [f"twice_{name}"], axis=1) for name in DTYPES],
        "twice",
        [helper.make_tensor_value_info(name, t, ["batch", 2]) for name, t in DTYPES.items()],
        [
            helper.make_tensor_value_info(f"twice_{name}", t, ["batch", 4])
            for name, t in DTYPES.items()
        ],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def save_demos(folder: Path) -> list[Path]:
    """Compile both for this machine into a folder; return the files."""
    path = folder / "twice.so"
    tvmfuse.compile(twice()).save(path)
    return [save_demo(folder), path]
