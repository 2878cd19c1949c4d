"""Where errors begin: what each tensor's operands came with, and which kernels are to blame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    written = {name: min(_places(listed, places)) for name, places in by_name.items()}
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
                blamed = _blamed(row, graph, written, unseen) if begins else ()
                listed[at] = replace(row, incoming=came, origin=begins, blamed=blamed)
            if begun:
                alarmed.add(name)
    return tuple(listed)


def _places(rows: Sequence[TensorError], found: Iterable[int]) -> list[int]:
    """Return the kernels that write a tensor; -1 of one that no kernel writes."""
    return [-1 if (place := rows[at].place) is None else place for at in found]


def _blamed(
    row: TensorError, graph: SourceGraph, written: Mapping[str, int], unseen: Mapping[int, Kernel]
) -> tuple[int, ...]:
    """Return the kernel that wrote a tensor, and those whose results are not compared before it.

    Those are of the nodes between it and what is compared, or store what is compared once more, as
    in another type.
    """
    nodes, todo = dict[str, int](), [row.name]
    while todo:
        name = todo.pop()
        node = graph.producers.get(name)
        is_end = name in written and name != row.name
        if node is not None and node.name not in nodes:
            nodes[node.name] = written[name] if is_end else -1
            todo += [] if is_end else graph.reads(node.name)
    last = () if row.place is None else (row.place,)
    hidden = (
        at
        for at, kernel in unseen.items()
        if not (last and at > last[0]) and any(n in nodes and at > nodes[n] for n in kernel.nodes)
    )
    return tuple(sorted({*hidden, *last}))
