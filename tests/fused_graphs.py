"""Graphs of torch.fx, fused and compared with eager."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeGuard

import torch
from torch.fx import GraphModule, Node
from torch.fx.experimental.proxy_tensor import make_fx

from tvmfuse.torch_backend import fuse_graph


def everything(node: Node) -> bool:
    return True


def but(*targets: object) -> Callable[[Node], bool]:
    return lambda node: node.target not in targets


def groups(module: GraphModule) -> list[GraphModule]:
    """Return the groups that a graph calls, in order."""
    called = [n.target for n in module.graph.nodes if n.op == "call_module"]
    return [group for group in map(module.get_submodule, called) if is_group(group)]


def is_group(module: torch.nn.Module) -> TypeGuard[GraphModule]:
    return isinstance(module, GraphModule) and "tvmfuse_kind" in module.meta


def computed(module: GraphModule) -> list[str]:
    """Return the names of the operators in a graph, but for those that take parts of tuples."""
    return [
        str(node.target).removeprefix("aten.").split(".")[0]
        for node in module.graph.nodes
        if node.op == "call_function" and node.target is not operator.getitem
    ]


def fused_as_eager(
    function: Callable[..., Any],
    *example: torch.Tensor,
    supported: Callable[[Node], bool] = everything,
    **options: Any,
) -> GraphModule:
    """Fuse, and compare with eager: results, and what became of the arguments."""
    module = make_fx(function)(*(tensor.clone() for tensor in example))
    fused = fuse_graph(module, supported, **options)
    theirs, ours = ([tensor.clone() for tensor in example] for _ in range(2))
    wanted, found = function(*theirs), fused(*ours)
    torch.testing.assert_close(found, wanted, rtol=0, atol=0, equal_nan=True)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=0, equal_nan=True)
    for group in groups(fused):
        group.graph.lint()
    return fused
