"""tvmfuse in PyTorch: groups of a graph of torch.fx that are compiled as wholes.

`torch.compile(model, backend="tvmfuse")` finds the backend by its name; nothing is to be imported.
"""

from tvmfuse.torch_backend.fuse import fuse_graph
from tvmfuse.torch_backend.report import report
from tvmfuse.torch_backend.weights import WeightsGuard, refresh

__all__ = ["WeightsGuard", "fuse_graph", "refresh", "report"]
