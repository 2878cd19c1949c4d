"""tvmfuse in PyTorch: groups of a graph of torch.fx that are compiled as wholes."""

from tvmfuse.torch_backend.fuse import fuse_graph

__all__ = ["fuse_graph"]
