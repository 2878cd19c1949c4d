"""From an ONNX model to a Relax module."""
