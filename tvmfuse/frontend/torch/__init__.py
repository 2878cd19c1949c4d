"""The PyTorch importer: a program or a graph in, a Relax module out."""

from tvmfuse.frontend.torch.importer import import_graph, import_program

__all__ = ["import_graph", "import_program"]
