"""The ONNX importer: a model in, a Relax module out."""

from tvmfuse.frontend.onnx.importer import import_model

__all__ = ["import_model"]
