"""A torch.fx graph of ATen operators, emitted as Relax."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch.fx import Graph, Node
from torch.utils import _pytree as pytree
from tvm.ir import Expr

from tvmfuse.frontend.converting import converting
from tvmfuse.frontend.emitter import Emitter
from tvmfuse.frontend.refusals import CannotConvertError, Refusal
from tvmfuse.frontend.torch.convert.table import CONVERTERS
from tvmfuse.frontend.torch.operation import Converted, TorchOperation
from tvmfuse.frontend.torch.sizes import Sizes


class GraphBuilder:
    """Converts the nodes of one graph in order.

    Args:
        graph: Functional, of ATen operators, each node with the fake tensors of its results.
        emitter: Stands where the nodes are to be computed.
        sizes: What torch's sizes are.
        given: The tensors that placeholders and attributes are.

    Attributes:
        refusals: What cannot be converted, after `build`.
    """

    def __init__(
        self, graph: Graph, emitter: Emitter, sizes: Sizes, given: Mapping[Node, Expr]
    ) -> None:
        self.graph = graph
        self.emitter = emitter
        self.sizes = sizes
        self.refusals: list[Refusal] = []
        self._made: dict[Node, Converted] = dict(given)

    def build(self) -> list[Expr]:
        """Convert all nodes that an output needs; return the outputs, or nothing after refusals."""
        needed = _needed(self.graph)
        for node in self.graph.nodes:
            if node in needed and node not in self._made:
                self._attempt(node)
        if self.refusals:
            return []
        results = self.graph.output_node().args[0]
        listed = results if isinstance(results, (tuple, list)) else [results]
        return [self._output(node) for node in listed if isinstance(node, Node)]

    def _output(self, node: Node) -> Expr:
        tensor = self._operation(node).tensor(node)
        return self.emitter.emit_output(tensor, [node.name], node.name)

    def _operation(self, node: Node) -> TorchOperation:
        return TorchOperation(node, self._made, self.emitter, self.sizes)

    def _attempt(self, node: Node) -> None:
        if any(source not in self._made for source in node.all_input_nodes):
            return  # it reads what was refused
        with converting(partial(self._refuse, node), partial(self._operands, node)):
            self._made[node] = self._converted(node)

    def _operands(self, node: Node) -> list[Converted]:
        return [self._made[source] for source in node.all_input_nodes]

    def _refuse(self, node: Node, why: str, cause: Exception) -> None:
        self.refusals.append(Refusal(node.name, f"{node.target} ({node.name!r})", why, cause))

    def _converted(self, node: Node) -> Converted:
        if node.op == "placeholder":
            size = node.meta["val"]
            if not isinstance(size, (int, torch.SymInt)):
                raise CannotConvertError(f"it is fed a {type(size).__name__}")
            return self.sizes.dim(size)
        if node.op != "call_function":
            raise CannotConvertError("it is no call of an operator")
        if node.target is operator.getitem:
            return self._part(*node.args)
        if node.target not in CONVERTERS:
            raise CannotConvertError(_without_converter(node))
        converted = CONVERTERS[node.target](self._operation(node))
        if isinstance(converted, (tuple, list)):
            return [self._bound(node, result) for result in converted]
        return self._bound(node, converted)

    def _bound(self, node: Node, result: Any) -> Any:
        is_tensor = isinstance(result, Expr) and hasattr(result.ty, "ndim")
        return self.emitter.emit(result, [node.name], node.name) if is_tensor else result

    def _part(self, source: Any, place: Any) -> Converted:
        made = self._made[source]
        if not isinstance(made, Sequence) or not isinstance(place, int) or made[place] is None:
            raise CannotConvertError(f"its operand has no part {place}")
        return made[place]


def _without_converter(node: Node) -> str:
    """Return why an operator has no converter."""
    tags = getattr(node.target, "tags", ())
    if torch.Tag.nondeterministic_seeded in tags:
        return "it draws random numbers"
    if torch.Tag.dynamic_output_shape in tags:
        return "its result's sizes depend on the numbers"
    values = [node.meta.get("val"), *(source.meta.get("val") for source in node.all_input_nodes)]
    if any(isinstance(v, torch.Tensor) and v.is_complex() for v in pytree.tree_leaves(values)):
        return "it computes complex numbers"
    return "tvmfuse has no converter for this operator"


def _needed(graph: Graph) -> set[Node]:
    """Return the nodes that an output depends on."""
    waiting = list(graph.output_node().all_input_nodes)
    needed = set(waiting)
    while waiting:
        for source in waiting.pop().all_input_nodes:
            if source not in needed:
                needed.add(source)
                waiting.append(source)
    return needed
