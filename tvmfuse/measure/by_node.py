"""A graph computed one node at a time, so that each tensor is seen and none is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tvmfuse.errors import UnsupportedModelError, first_line
from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.rounding import Change

RunModel = Callable[[Any, Mapping[str, Array]], Sequence[Array]]
"""Compute a model's outputs, in order."""


def by_node(
    graph: SourceGraph,
    feeds: Mapping[str, Array],
    run: RunModel,
    change: Change = lambda _, array: array,
) -> Iterator[tuple[str, Array]]:
    """Yield each tensor that a node makes, in the graph's order, under its ONNX name.

    A tensor is dropped when its last reader has run: no more live at once than in any run.

    Args:
        graph: Without values that a caller may replace: those fed take the constants' places.
        feeds: The model's inputs.
        run: What computes a model of one node; weights are among its inputs.
        change: What is done to each tensor before others read it.

    Raises:
        UnsupportedModelError: `run` cannot compute a node; it is named.
    """
    readers = Counter(name for node in graph.nodes for name in graph.reads(node.name))
    live = dict(feeds)
    for node in graph.nodes:
        names = graph.reads(node.name)
        arrays = {n: live[n] if n in live else graph.constants[n] for n in names}
        try:
            results = run(graph.alone(node.name, arrays), arrays)
        except Exception as error:
            raise UnsupportedModelError(
                f"{node} cannot be computed alone, to compare its results: {first_line(error)}"
            ) from error
        _drop(live, readers, names)
        del arrays
        for name, array in zip(filter(None, node.outputs), results, strict=True):
            handed_on = change(name, array)
            if readers[name]:
                live[name] = handed_on
            yield name, handed_on


def _drop(live: dict[str, Array], readers: Counter[str], names: Iterable[str]) -> None:
    for name in names:
        readers[name] -= 1
        if not readers[name]:
            live.pop(name, None)
