"""ONNX Runtime's Python API under tvmfuse's own names; `tvmfuse.onnxruntime_api` has all of it."""

from tvmfuse.onnxruntime_api.io_binding import IOBinding
from tvmfuse.onnxruntime_api.node_arg import ModelMetadata, NodeArg
from tvmfuse.onnxruntime_api.ort_value import OrtValue
from tvmfuse.onnxruntime_api.providers import get_available_providers
from tvmfuse.onnxruntime_api.run_options import RunOptions
from tvmfuse.onnxruntime_api.session import InferenceSession
from tvmfuse.onnxruntime_api.session_options import SessionOptions

__all__ = [
    "IOBinding",
    "InferenceSession",
    "ModelMetadata",
    "NodeArg",
    "OrtValue",
    "RunOptions",
    "SessionOptions",
    "get_available_providers",
]
