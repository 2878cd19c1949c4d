"""A graph for inference whose parameters are constants."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import torch
from torch.fx import GraphModule

from tvmfuse.torch_backend.boxed import boxed

Call: TypeAlias = Callable[[list[Any]], Any]


class FrozenGraph:
    """Takes what its graph does, and compiles that anew for other parameters.

    Dynamo runs one graph for all modules that look alike: which parameters come is asked in each
    call. What is written to them after the first one with them is not seen.

    Args:
        graph: Takes parameters and others.
        places: Of the parameters among the arguments.
        compiled: Compiles a graph that takes the same, and reads the others only.
    """

    def __init__(
        self, graph: GraphModule, places: Sequence[int], compiled: Callable[[GraphModule], Call]
    ) -> None:
        self._graph, self._places, self._compiled = graph, tuple(places), compiled
        self._calls: list[tuple[tuple[weakref.ref[torch.Tensor], ...], Call]] = []

    @boxed
    def call(self, arguments: list[Any]) -> Any:
        """Run the graph."""
        given = [arguments[place] for place in self._places]
        for known, call in self._calls:
            if all(ref() is tensor for ref, tensor in zip(known, given, strict=True)):
                return call(arguments)
        self.freeze(dict(zip(self._places, given, strict=True)))
        return self.call(arguments)

    def freeze(self, tensors: Mapping[int, torch.Tensor]) -> None:
        """Compile the graph for parameters, by their places."""
        call = self._compiled(with_constants(self._graph, tensors))
        alive = [entry for entry in self._calls if all(ref() is not None for ref in entry[0])]
        refs = tuple(weakref.ref(tensors[place]) for place in self._places)
        self._calls = [(refs, call), *alive]


def with_constants(module: GraphModule, tensors: Mapping[int, torch.Tensor]) -> GraphModule:
    """Return a graph that takes the same arguments, and reads tensors instead of some of them.

    Args:
        module: Stays as it is.
        tensors: By the places of the arguments.
    """
    made = GraphModule(module, copy.deepcopy(module.graph))
    graph = made.graph
    for place, node in enumerate(graph.find_nodes(op="placeholder")):
        if place in tensors and node.users:
            name = f"frozen_{place}"
            made.register_buffer(name, tensors[place])
            with graph.inserting_after(node):
                constant = graph.get_attr(name)
            constant.meta["val"] = node.meta["val"]
            node.replace_all_uses_with(constant)
    return made
