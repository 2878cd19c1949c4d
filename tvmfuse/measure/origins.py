"""Where errors begin: what each tensor's operands came with, and which kernels are to blame."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.manifest import Kernel
from tvmfuse.measure.results.accuracy import TensorError


def with_incoming(
    rows: Iterable[TensorError], graph: SourceGraph, kernels: Sequence[Kernel] = ()
) -> tuple[TensorError, ...]:
    """Tell each tensor the error that its operands came with, and whether one begins there."""
    listed = list(rows)
    by_name: dict[str, list[int]] = {}
    for at, row in enumerate(listed):
        by_name.setdefault(row.name, []).append(at)
    compared = {row.place for row in listed}
    unseen = {at: kernel for at, kernel in enumerate(kernels) if at not in compared}
    carried: dict[str, float] = {}
    alarmed: set[str] = set()
    for node in graph.nodes:
        reads = graph.reads(node.name)
        came = max((carried.get(name, 0.0) for name in reads), default=0.0)
        wrong = not alarmed.isdisjoint(reads)
        for name in node.outputs:
            carried[name], begun = came, wrong
            for at in by_name.get(name, ()):
                row = listed[at]
                carried[name] = row.distance.max_rel or 0.0
                begins = row.alarm and not begun
                begun = begun or row.alarm
                blamed = _blamed(row, graph, by_name, unseen) if begins else ()
                listed[at] = replace(row, incoming=came, origin=begins, blamed=blamed)
            if begun:
                alarmed.add(name)
    return tuple(listed)


def _blamed(
    row: TensorError, graph: SourceGraph, compared: Collection[str], unseen: Mapping[int, Kernel]
) -> tuple[int, ...]:
    """Return the kernel that wrote a tensor, and those whose results are not compared before it."""
    nodes, todo = set[str](), [row.name]
    while todo:
        node = graph.producers.get(todo.pop())
        if node is not None and node.name not in nodes:
            nodes.add(node.name)
            todo += [name for name in graph.reads(node.name) if name not in compared]
    hidden = (at for at, kernel in unseen.items() if not nodes.isdisjoint(kernel.nodes))
    last = () if row.place is None else (row.place,)
    return tuple(sorted({*hidden, *last}))
