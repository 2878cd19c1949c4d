"""The backward pass of max pools."""

from __future__ import annotations

from tvm.ir import Expr

from tvmfuse.frontend.torch.convert.pooling import windows_of
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import rank_of, shape_of
from tvmfuse.ops import max_pool_gradient


def max_pool_backward(node: TorchOperation) -> Expr:
    """Convert the backward pass of a max pool with indices."""
    gradient, places = node.tensor(node["grad_output"]), node.tensor(node["indices"])
    windows = windows_of(node)
    sizes = node.shape()[-len(windows["kernel"]) :]
    if rank_of(gradient) == len(sizes) + 1:
        gradient, places = (node.reshaped(t, [1, *(shape_of(t) or ())]) for t in (gradient, places))
    found = max_pool_gradient(gradient, places, sizes=sizes, **windows)
    return node.reshaped(node.emit(found), node.shape())
