"""The ONNX importer: a model in, a Relax module out."""

from tvmfuse.frontend.onnx.importer import ImportedModel, import_model

__all__ = ["ImportedModel", "import_model"]
