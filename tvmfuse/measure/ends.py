"""Which tensors of the ONNX graph a kernel ends in, by the nodes that it computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.manifest import Kernel

NO_READERS: Final = frozenset({"Shape", "Size"})
"""They ask for a tensor's sizes, which are known without it."""


@dataclass(frozen=True)
class Ends:
    """Where the tensors of a graph are in a compiled model.

    Attributes:
        of_kernel: Index of a kernel -> the tensors that it may write, in the graph's order.
        inside: Tensors that are values within kernels, if anything.
        nowhere: Tensors of nodes that no kernel computes: folded, removed, or views.
    """

    of_kernel: Mapping[int, tuple[str, ...]]
    inside: tuple[str, ...]
    nowhere: tuple[str, ...]


def ends_of(kernels: Sequence[Kernel], graph: SourceGraph) -> Ends:
    """Find what each kernel writes: what its nodes make, and others read.

    Of several kernels for a node (Winograd's take three) it is the last one that ends in it.
    """
    last = {node: place for place, kernel in enumerate(kernels) for node in kernel.nodes}
    readers: dict[str, set[str]] = {}
    for node in graph.nodes:
        for name in () if node.op in NO_READERS else graph.reads(node.name):
            readers.setdefault(name, set()).add(node.name)
    of_kernel: dict[int, list[str]] = {}
    inside, nowhere = list[str](), list[str]()
    for node in graph.nodes:
        place = last.get(node.name)
        for name in filter(None, node.outputs):
            if place is None:
                nowhere.append(name)
            elif name in graph.outputs or readers.get(name, set()) - {*kernels[place].nodes}:
                of_kernel.setdefault(place, []).append(name)
            else:
                inside.append(name)
    ends = {place: tuple(names) for place, names in of_kernel.items()}
    return Ends(ends, tuple(inside), tuple(nowhere))
