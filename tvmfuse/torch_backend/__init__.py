"""tvmfuse in PyTorch: groups of a graph of torch.fx that are compiled as wholes."""

from tvmfuse.torch_backend.fuse import fuse_graph
from tvmfuse.torch_backend.weights import WeightsGuard, refresh

__all__ = ["WeightsGuard", "fuse_graph", "refresh"]
