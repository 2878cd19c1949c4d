"""Groups of random graphs and of long ones."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from fused_graphs import but, computed, fused_as_eager, groups
from torch.fx import Node
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase

from tvmfuse.torch_backend import fuse_graph

pytestmark = pytest.mark.sampled(5)

aten = torch.ops.aten

UNARY = (torch.sin, torch.cos, torch.tanh, torch.abs)
BINARY = (torch.add, torch.mul, torch.maximum)


def drawn_function(rng: random.Random, nodes: int, writes: bool) -> Callable[..., Any]:
    """Return a function of two tensors: a random graph, the same each time."""
    steps = [
        (rng.randrange(8), rng.randrange(1, 6), rng.randrange(1, 6), rng.randrange(4))
        for _ in range(nodes)
    ]

    def function(x: torch.Tensor, y: torch.Tensor) -> list[torch.Tensor]:
        values = [x, y]
        for kind, one, other, choice in steps:
            a, b = values[-min(one, len(values))], values[-min(other, len(values))]
            if kind < 3:
                values.append(UNARY[choice](a))
            elif kind < 6:
                values.append(BINARY[choice % 3](a, b))
            elif kind == 6:
                values.append(a.view(2, 2).t().reshape(4) if choice else a.view(4))
            elif writes:
                a.add_(choice + 1)
        return values[-3:]

    return function


@pytest.mark.parametrize("seed", range(60))
def test_any_graph_is_right(seed: int) -> None:
    rng = random.Random(seed)
    function = drawn_function(rng, rng.randrange(2, 40), writes=seed % 2 == 0)
    refused = {op for op in (aten.sin.default, aten.mul.Tensor, aten.view.default, aten.add.Tensor)
               if rng.random() < 0.3}  # fmt: skip
    limit = rng.choice((3, 5, 128))
    fused = fused_as_eager(
        function, torch.randn(4), torch.randn(4), supported=but(*refused), arg_limit=limit,
        joined=rng.random() < 0.5,
    )  # fmt: skip
    for node in fused.graph.nodes:
        if node.op == "call_module":
            assert len(node.args) + len(node.users) <= limit


class Supported(OperatorSupportBase):
    def __init__(self, supported: Callable[[Node], bool]) -> None:
        self.supported = supported

    def is_node_supported(self, submodules: object, node: Node) -> bool:
        return node.op == "call_function" and self.supported(node)


@pytest.mark.parametrize("seed", range(20))
def test_torchs_partitioner_computes_the_same_of_functional_graphs(seed: int) -> None:
    """It joins what does not hang together, too; so it never has more groups than we do."""
    rng = random.Random(seed)
    function = drawn_function(rng, rng.randrange(5, 40), writes=False)
    supported = but(aten.sin.default, aten.maximum.default)
    x, y = torch.randn(4), torch.randn(4)
    module = make_fx(function)(x, y)
    fused = fuse_graph(module, supported)
    partitioner = CapabilityBasedPartitioner(
        module, Supported(supported), allows_single_node_partition=True
    )
    partitions = partitioner.propose_partitions()
    theirs = partitioner.fuse_partitions(partitions)
    torch.testing.assert_close(fused(x, y), theirs(x, y), rtol=0, atol=0)
    assert sorted(computed(fused)) == sorted(computed(theirs))
    assert len(partitions) <= len(groups(fused))


@pytest.mark.parametrize("refused", [(), (aten.cos.default,)], ids=["one", "many"])
@pytest.mark.sampled(3)
def test_4000_nodes_take_a_second(refused: Sequence[object]) -> None:
    def long(x: torch.Tensor) -> torch.Tensor:
        for number in range(2000):
            x = (torch.sin(x) if number % 4 else torch.cos(x)) + 1
        return x

    module = make_fx(long)(torch.randn(3))
    start = time.thread_time()
    fuse_graph(module, but(*refused))
    assert time.thread_time() - start < 5
