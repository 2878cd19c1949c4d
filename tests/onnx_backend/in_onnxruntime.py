"""A model in onnxruntime, whose Python API takes no array of ml_dtypes and reads no newer file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper

from tvmfuse.arrays import numpy_dtype
from tvmfuse.narrow_types import NARROW_INTEGERS

NEWEST_IR: Final = 13
"""The newest version of the file format that onnxruntime reads; onnx writes 14, and changed little."""

FLOAT8: Final = {
    "tensor(float8e4m3fn)": "float8_e4m3fn",
    "tensor(float8e4m3fnuz)": "float8_e4m3fnuz",
    "tensor(float8e5m2)": "float8_e5m2",
    "tensor(float8e5m2fnuz)": "float8_e5m2fnuz",
}
"""What it gives as bytes."""


class RefusedByOnnxruntimeError(Exception):
    """It does not take the model, or cannot be fed from Python."""


def in_onnxruntime(model: onnx.ModelProto) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Return what runs a model.

    Raises:
        RefusedByOnnxruntimeError: It does not; or what runs it raises it.
    """
    import onnxruntime

    readable = onnx.ModelProto()
    readable.CopyFrom(model)
    readable.ir_version = min(model.ir_version, NEWEST_IR)
    os.environ["ALLOW_RELEASED_ONNX_OPSET_ONLY"] = "0"
    onnxruntime.set_default_logger_severity(4)
    try:
        session = onnxruntime.InferenceSession(
            readable.SerializeToString(), providers=["CPUExecutionProvider"]
        )
    except Exception as error:
        raise RefusedByOnnxruntimeError(str(error)) from error
    names = [value.name for value in session.get_inputs()]

    def run(inputs: Sequence[Any]) -> Sequence[Any]:
        arrays = [np.asarray(i) if isinstance(i, np.generic) else i for i in inputs]
        feeds = dict(zip(names, arrays, strict=True))
        foreign = any(getattr(a, "dtype", np.dtype(float)).isbuiltin == 2 for a in arrays)
        foreign |= any(value.type in FLOAT8 for value in session.get_outputs())
        try:
            return _with_values(session, feeds) if foreign else session.run(None, feeds)
        except Exception as error:
            raise RefusedByOnnxruntimeError(str(error)) from error

    return run


def _with_values(session: Any, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
    import onnxruntime

    if any(
        a.dtype.name in NARROW_INTEGERS or a.dtype.name == "float4_e2m1fn" for a in feeds.values()
    ):
        raise RefusedByOnnxruntimeError("Python's arrays of 4 bits are not taken")
    make = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type
    values = {n: make(a, helper.np_dtype_to_tensor_dtype(a.dtype)) for n, a in feeds.items()}
    names = [value.name for value in session.get_outputs()]
    found = session.run_with_ort_values(names, values)
    return [
        v.numpy().view(numpy_dtype(FLOAT8[v.data_type()])) if v.data_type() in FLOAT8 else v.numpy()
        for v in found
    ]
