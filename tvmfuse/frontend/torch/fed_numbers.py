"""Whole numbers that a graph is given beside tensors: which of them are sizes.

A size becomes a symbol, which is never negative, and which TVM does arithmetic with as it compiles.
Any other number is one that kernels read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import torch
from torch.fx import Graph, Node
from torch.fx.node import map_arg


def sizes_of(node: Node) -> Iterator[int | torch.SymInt]:
    """Yield the sizes of the tensors that a node makes, and the whole numbers."""
    value = node.meta.get("val")
    for part in value if isinstance(value, (tuple, list)) else (value,):
        if isinstance(part, torch.Tensor):
            yield from part.shape
        elif isinstance(part, torch.SymInt):
            yield part


def told_by_tensors(graph: Graph) -> set[str]:
    """Return the symbols that are sizes of the tensors that a graph takes.

    A tensor whose first size is ``s0`` tells ``s0``, and one of ``4*s0`` elements does not.
    """
    taken = (node for node in graph.find_nodes(op="placeholder") if not is_number(node))
    return {str(size) for node in taken for size in sizes_of(node)}


def symbols_of_sizes(graph: Graph) -> Mapping[str, Sequence[Node]]:
    """Return the symbols that have to be sizes, each with the operators that ask for it.

    They make or read a tensor of such a size, or take one: a shape, or a place on an axis.
    """
    found = defaultdict[str, list[Node]](list)
    for node in graph.nodes:
        if node.op != "call_function":
            continue
        tensors = [node, *(source for source in node.all_input_nodes if not is_number(source))]
        asked = (size for one in (*tensors, *_taken_as_sizes(node)) for size in sizes_of(one))
        for symbol in sorted({symbol for size in asked for symbol in symbols_in(size)}):
            found[symbol].append(node)
    return found


def fed_numbers(graph: Graph) -> dict[Node, bool]:
    """Return the numbers that a graph's code has to be given, and whether each is a size.

    A size is one that no tensor tells. Any other has to be given if it is not arithmetic of sizes.
    """
    told, sizes = told_by_tensors(graph), symbols_of_sizes(graph)
    fed = {}
    for node in filter(is_number, graph.find_nodes(op="placeholder")):
        symbols = symbols_in(node.meta["val"])
        if not symbols <= told | sizes.keys():
            fed[node] = False
        elif symbols == {str(node.meta["val"])} - told:
            told |= symbols
            fed[node] = True
    return fed


def may_be_negative(size: torch.SymInt) -> bool:
    """Whether torch does not know that all symbols in a number are at least 0."""
    known = map(size.node.shape_env.bound_sympy, size.node.expr.free_symbols)
    return not all(found.lower >= 0 for found in known)


def is_number(node: Node) -> bool:
    """Whether a node is a symbolic whole number."""
    return isinstance(node.meta.get("val"), torch.SymInt)


def symbols_in(size: int | torch.SymInt) -> set[str]:
    """Return the names of the symbols that a number is made of."""
    return set(map(str, size.node.expr.free_symbols)) if isinstance(size, torch.SymInt) else set()


def _taken_as_sizes(node: Node) -> Iterator[Node]:
    """Yield the numbers that an operator takes as sizes, by its schema, and not as tensors do."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return
    found: list[Node] = []
    for place, argument in enumerate(node.target._schema.arguments):
        if re.search(r"\bint\b", str(argument.type)):
            given = node.args[place] if place < len(node.args) else node.kwargs.get(argument.name)
            map_arg(given, found.append)
    yield from filter(is_number, found)
