"""The PyTorch importer: a program in, a Relax module out."""

from tvmfuse.frontend.torch.importer import import_program

__all__ = ["import_program"]
