"""Tensors of torch's that do not lie in rows: how a group takes them, and gives them out.

A kernel reads and writes tensors without strides. One whose dimensions lie in another order is that
tensor, transposed: the group's graph says so, where passes see it, and a call moves no element.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch.fx import GraphModule, Node
from torch.fx.experimental.symbolic_shapes import guarding_hint_or_throw, statically_known_true

aten = torch.ops.aten


class CannotStoreError(Exception):
    """No kernel writes some outputs as torch has them in memory.

    Attributes:
        nodes: Why, by their names.
    """

    def __init__(self, nodes: Mapping[str, str]) -> None:
        super().__init__(", ".join(nodes))
        self.nodes = dict(nodes)


@dataclass(frozen=True)
class View:
    """How what a kernel wrote becomes the tensor that torch would have made, in its memory.

    Attributes:
        order: The places of torch's dimensions among the kernel's; None where they are the same.
        shape: The shape, where the strides are more than that order: all of it is numbers.
        strides: The strides of it.
    """

    order: tuple[int, ...] | None = None
    shape: tuple[int, ...] | None = None
    strides: tuple[int, ...] = ()

    def __call__(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return torch's tensor."""
        if self.shape is not None:
            return tensor.as_strided(self.shape, self.strides)
        return tensor if self.order is None else tensor.permute(self.order)


def take_as_they_lie(group: GraphModule) -> dict[str, tuple[int, ...]]:
    """Let a group take tensors as they lie, in place; return their orders by the inputs' names.

    An input that is not in this mapping is taken in rows.
    """
    orders = {}
    for node in group.graph.find_nodes(op="placeholder"):
        value = node.meta["val"]
        order = memory_order(value) if isinstance(value, torch.Tensor) else None
        if order is None or order == tuple(range(len(order))):
            continue
        orders[node.name] = order
        with group.graph.inserting_after(node):
            seen = group.graph.call_function(aten.permute.default, (node, _inverse(order)))
        node.replace_all_uses_with(seen, delete_user_cb=lambda user, seen=seen: user is not seen)
        seen.meta, node.meta = node.meta, node.meta | {"val": value.permute(order)}
    return orders


def give_as_torch_does(
    group: GraphModule, exact: Collection[str], viewed: Collection[str]
) -> list[View]:
    """Let a group write its outputs as torch has them in memory, in place.

    One with gaps is written without them, unless it is to have just torch's strides: whatever view
    torch takes of it is one of the other, too.

    Args:
        group: Returns a tuple of nodes.
        exact: The names of those whose strides somebody sees.
        viewed: The names of those whose storage is viewed again in eager, by numbers.

    Returns:
        How what it writes is to be seen, for each output.

    Raises:
        CannotStoreError: No kernel writes some outputs so.
    """
    end = group.graph.output_node()
    results, views, refused = [], [], {}
    for node in end.all_input_nodes:
        stored = _stored(group, node, exact=node.name in exact)
        strides = tuple(node.meta["val"].stride())
        if stored is None:
            refused[_producer(node).name] = f"no kernel writes a tensor of the strides {strides}"
        elif node.name in viewed and _is_part(node.meta["val"]):
            refused[_producer(node).name] = "what lies around its result is viewed in eager"
        else:
            results.append(stored[0])
            views.append(stored[1])
    if refused:
        raise CannotStoreError(refused)
    end.args = (tuple(results),)
    return views


def memory_order(tensor: torch.Tensor) -> tuple[int, ...] | None:
    """Return a tensor's dimensions as they lie in memory, the outermost first.

    None where it has gaps or lies over itself, or torch does not know that it does not.
    """
    order = _outermost_first(tensor)
    return order if _is_dense(tensor, order) else None


def _outermost_first(tensor: torch.Tensor) -> tuple[int, ...]:
    plain = tuple(range(tensor.ndim))
    if _is_dense(tensor, plain):
        return plain
    hints = [guarding_hint_or_throw(stride) for stride in tensor.stride()]
    return tuple(sorted(plain, key=lambda d: -hints[d]))


def _producer(node: Node) -> Node:
    """Return the node that computes one of several results."""
    source = node.args[0] if node.target is operator.getitem else node
    return source if isinstance(source, Node) else node


def _is_dense(tensor: torch.Tensor, order: Sequence[int]) -> bool:
    expected: int | torch.SymInt = 1
    for d in reversed(order):
        size = tensor.shape[d]
        if statically_known_true(size == 1):
            continue
        if not statically_known_true(tensor.stride(d) == expected):
            return False
        expected = expected * size
    return True


def _stored(group: GraphModule, node: Node, *, exact: bool) -> tuple[Node, View] | None:
    """Return the node that a kernel computes, and how torch's tensor is seen in it."""
    value = node.meta["val"]
    shape, strides = tuple(value.shape), tuple(value.stride())
    fixed = all(isinstance(number, int) for number in (*shape, *strides))
    if fixed and strides == strides_of_rows(shape):
        return node, View()
    once, repeated = _without_repeats(value) if fixed else (value, [])
    if not (dense := memory_order(once) is not None):
        if exact:
            return None
        once, repeated = value, []
    order = _outermost_first(once)
    with group.graph.inserting_before(group.graph.output_node()):
        for axis in repeated:
            node = group.graph.call_function(aten.select.int, (node, axis, 0))
            node.meta["val"] = value = value.select(axis, 0)
        if is_moved := order != tuple(range(len(order))):
            node = group.graph.call_function(aten.permute.default, (node, order))
            node.meta["val"] = value.permute(order)
    if dense and fixed:
        return node, View(shape=shape, strides=strides)
    return node, View(order=_inverse(order) if is_moved else None)


def _without_repeats(tensor: torch.Tensor) -> tuple[torch.Tensor, list[int]]:
    """Return a tensor with its elements once, and the dimensions that were taken away for that."""
    repeated: list[int] = []
    while (axis := _repeated(tensor)) is not None:
        tensor = tensor.select(axis, 0)
        repeated.append(axis)
    return tensor, repeated


def _repeated(tensor: torch.Tensor) -> int | None:
    """Return a dimension whose elements all lie at one place."""
    places = zip(range(tensor.ndim), tensor.shape, tensor.stride(), strict=True)
    return next((d for d, size, stride in places if size > 1 and stride == 0), None)


def strides_of_rows(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the strides of a tensor without gaps, its last dimension the innermost."""
    return tuple(math.prod(max(n, 1) for n in shape[d + 1 :]) for d in range(len(shape)))


def _inverse(order: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(range(len(order)), key=order.__getitem__))


def _is_part(tensor: torch.Tensor) -> bool:
    """Whether it is a view of a tensor of other elements, too."""
    whole = tensor.untyped_storage().nbytes() == tensor.numel() * tensor.element_size()
    return not (tensor.storage_offset() == 0 and statically_known_true(whole))
