"""What a worker has before it is forked."""

import onnx_backend.outcomes
from onnx_backend.cases import cases

__all__ = ["cases", "onnx_backend"]

cases()
