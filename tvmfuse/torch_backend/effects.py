"""What the nodes of a torch.fx graph write, and which of them may share memory.

Read from the operators' schemas, and from the storages of the fake tensors that tracing left. Where
neither says anything, a node is taken to share memory with all that it reads, or to stand in
everybody's way.
"""

from __future__ import annotations

import functools
import operator
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch.fx import Graph, GraphModule, Node
from torch.fx.node import Argument, map_arg

INPLACE: Final = frozenset(
    getattr(operator, f"i{name}")
    for name in ("add", "and", "concat", "floordiv", "lshift", "mod", "mul", "matmul", "or", "pow",
                 "rshift", "sub", "truediv", "xor")
    if hasattr(operator, f"i{name}")
) | {operator.setitem, operator.delitem}  # fmt: skip


KIND: Final = "tvmfuse_kind"
"""The key in a group's ``meta`` that says of which kind it is."""


@dataclass(frozen=True)
class Shared:
    """An argument whose memory an operator writes, or may return.

    Attributes:
        name: Its keyword.
        place: Its position; nothing where it is a keyword only.
        is_written: Whether it is written.
        is_returned: Whether a result may lie in its memory.
    """

    name: str
    place: int | None
    is_written: bool
    is_returned: bool

    def nodes(self, node: Node) -> list[Node]:
        """Return the nodes that a call has there."""
        if self.place is not None and self.place < len(node.args):
            return _nodes(node.args[self.place])
        return _nodes(node.kwargs.get(self.name))


def is_operator(node: Node) -> bool:
    """Whether it calls an operator that has a schema."""
    return isinstance(node.target, torch._ops.OpOverload)


@functools.cache
def _shared(overload: torch._ops.OpOverload) -> tuple[Shared, ...]:
    schema = overload._schema
    returned = set[str]().union(*(_sets(result) for result in schema.returns))
    return tuple(
        Shared(
            argument.name,
            None if argument.kwarg_only else place,
            argument.alias_info.is_write,
            not returned.isdisjoint(_sets(argument)),
        )
        for place, argument in enumerate(schema.arguments)
        if argument.alias_info is not None
    )


def _given_as(kind: Callable[[Shared], bool], node: Node) -> list[Node]:
    """Return the arguments of one kind that a call of an operator has."""
    return [
        source
        for argument in _shared(node.target)
        if kind(argument)
        for source in argument.nodes(node)
    ]


def is_random(node: Node) -> bool:
    """Whether it draws from a generator."""
    target = node.target
    return (
        isinstance(target, torch._ops.OpOverload)
        and torch.Tag.nondeterministic_seeded in target.tags
    )


def is_scalar_arithmetic(node: Node) -> bool:
    """Whether it is Python's own arithmetic of numbers and sizes, or takes a part of a tuple."""
    module = getattr(node.target, "__module__", None)
    name = getattr(node.target, "__name__", "")
    return (
        node.op == "call_function"
        and node.target not in INPLACE
        and (module in {"_operator", "math", "builtins"} or name.startswith("sym_"))
    )


def written(node: Node) -> list[Node]:
    """Return the arguments that the node writes to, as far as its name or schema tells."""
    if is_operator(node):
        return _given_as(operator.attrgetter("is_written"), node)
    if node.op == "call_method" and _says_in_place(str(node.target)):
        return _nodes(node.args[0])
    if node.op == "call_function":
        name = getattr(node.target, "__name__", "")
        outs = _nodes(node.kwargs.get("out"))
        if node.target in INPLACE or _says_in_place(name) or node.kwargs.get("inplace") is True:
            return [*_nodes(node.args[0]), *outs]
        return outs
    return []


def is_barrier(node: Node) -> bool:
    """Whether it may do anything: a module, or an operator of higher order that writes."""
    if node.op == "call_module":
        return not is_group(node)
    if not isinstance(node.target, torch._ops.HigherOrderOperator):
        return False
    blocks = list(sub_blocks(node))
    return not blocks or any(
        is_barrier(inner) or written(inner) or is_random(inner)
        for block in blocks
        for inner in block.graph.nodes
    )


def is_group(node: Node) -> bool:
    """Whether it runs what `tvmfuse.torch_backend.fuse_graph` made one: it writes nothing."""
    owner = node.graph.owning_module
    if node.op != "call_module" or owner is None:
        return False
    return KIND in getattr(owner.get_submodule(str(node.target)), "meta", {})


def attribute(owner: torch.nn.Module, name: str) -> object:
    """Return what a dotted name says of a module."""
    return operator.attrgetter(name)(owner)


def sub_blocks(node: Node) -> Iterator[GraphModule]:
    """Yield the graphs that an operator of higher order runs."""
    owner = node.graph.owning_module
    for source in node.all_input_nodes:
        if source.op == "get_attr" and owner is not None:
            found = attribute(owner, str(source.target))
            if isinstance(found, GraphModule):
                yield found


class Sharing:
    """Which values of a graph may lie in one storage.

    Args:
        graph: Nodes in order.
    """

    def __init__(self, graph: Graph) -> None:
        self._root: dict[Node, Node] = {}
        by_storage: dict[int, Node] = {}
        for node in graph.nodes:
            for source in _shared_with(node):
                self.join(node, source)
            for storage in _storages(node):
                self.join(by_storage.setdefault(storage, node), node)
        outside = [node for node in graph.nodes if node.op in {"placeholder", "get_attr"}]
        self.mutated = {self.of(target) for node in graph.nodes for target in written(node)}
        if self.mutated.intersection(map(self.of, outside)):
            # The caller's tensors may share memory with each other.
            for node in outside[1:]:
                self.join(outside[0], node)
            self.mutated = {self.of(node) for node in self.mutated}

    def of(self, node: Node) -> Node:
        """Return the node that stands for all that may share memory with this one."""
        root = self._root
        while (above := root.setdefault(node, node)) is not node:
            root[node] = node = root[above]
        return node

    def is_mutated(self, node: Node) -> bool:
        """Whether some node writes to what may be this one's memory."""
        return self.of(node) in self.mutated

    def join(self, one: Node, other: Node) -> Node:
        """Let two values share memory, and return the node that stands for both."""
        self._root[self.of(one)] = self.of(other)
        return self.of(other)


def orders(nodes: Sequence[Node], sharing: Sharing) -> dict[Node, set[Node]]:
    """Return, for each node, others that come before it though it does not read from them.

    Reads and writes of memory that anybody writes keep their order, and so do the draws of random
    numbers, what is done for its effect alone, and all else around a barrier.
    """
    before: defaultdict[Node, set[Node]] = defaultdict(set)
    writer: dict[Node, Node] = {}
    readers: defaultdict[Node, list[Node]] = defaultdict(list)
    since: list[Node] = []
    barrier: Node | None = None
    effect: Node | None = None
    for node in nodes:
        if barrier is not None:
            before[node].add(barrier)
        if is_barrier(node):
            before[node].update(since)
            barrier, since = node, []
        else:
            since.append(node)
        if is_random(node) or (node.is_impure() and not written(node)):
            if effect is not None:
                before[node].add(effect)
            effect = node
        targets = {sharing.of(target) for target in written(node)}
        touched = {sharing.of(source) for source in node.all_input_nodes} & sharing.mutated
        for memory in touched:
            before[node] |= {writer[memory]} if memory in writer else set()
            if memory in targets:
                before[node].update(readers.pop(memory, ()))
                writer[memory] = node
            else:
                readers[memory].append(node)
    return {node: others - {node} for node, others in before.items()}


def _shared_with(node: Node) -> list[Node]:
    if is_operator(node):
        return _given_as(operator.attrgetter("is_returned"), node)
    if node.op in {"placeholder", "get_attr", "output"}:
        return []
    takes_part = node.target is operator.getitem
    return node.all_input_nodes if takes_part or not is_scalar_arithmetic(node) else []


def _sets(argument: torch.Argument) -> set[str]:
    info = argument.alias_info
    if info is None:
        return set()
    # Of a list's elements the schema says that they share, and not with what.
    return info.before_set | info.after_set or {"*"}


def _storages(node: Node) -> Iterator[int]:
    value = node.meta.get("val")
    for tensor in value if isinstance(value, (tuple, list)) else (value,):
        if isinstance(tensor, torch.Tensor) and tensor.layout is torch.strided:
            yield tensor.untyped_storage()._cdata


def _nodes(value: Argument) -> list[Node]:
    found: list[Node] = []
    map_arg(value, found.append)
    return found


def _says_in_place(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__")
