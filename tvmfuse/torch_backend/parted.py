"""Parting the graph of forward and backward passes: what is kept, and what is computed again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch._functorch.partitioners import min_cut_rematerialization_partition
from torch.fx import GraphModule

from tvmfuse.torch_backend.kept_results import SAME


def parted(
    joint: GraphModule, inputs: Sequence[Any], **facts: Any
) -> tuple[GraphModule, GraphModule]:
    """Return the forward and the backward graph, as torch's own partitioner parts them.

    It computes again what is cheap. Of a value that autograd has detached it thinks that this is
    another one, and keeps it; in a graph without gradients both are the same, inside of it.
    """
    _forget_detaching(joint)
    parts: tuple[GraphModule, GraphModule] = min_cut_rematerialization_partition(
        joint, inputs, **facts
    )
    return parts


def _forget_detaching(joint: GraphModule) -> None:
    """Let nodes read values themselves in place of detached ones; results stay as they are.

    What nobody reads any more the partitioner takes away.
    """
    for node in joint.graph.nodes:
        if node.target in SAME:
            (value,) = node.all_input_nodes
            node.replace_all_uses_with(value, delete_user_cb=lambda user: user.op != "output")
