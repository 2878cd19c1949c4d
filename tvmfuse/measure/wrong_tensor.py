"""The first tensor that a wrong rewrite leaves, by its name in the ONNX model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tvmfuse.ir.source_graph import SourceGraph, SourceNode
from tvmfuse.measure.agreement import Array, differences
from tvmfuse.measure.reference import Reference
from tvmfuse.measure.results.bisection import WrongTensor
from tvmfuse.measure.tensors import Tensor
from tvmfuse.measure.trials import Trials
from tvmfuse.passes.trace import Nodes


def first_wrong_tensor(
    graph: SourceGraph,
    reference: Reference,
    trials: Trials,
    before: Iterable[Tensor],
    after: Iterable[Tensor],
) -> WrongTensor | None:
    """Return the first tensor after a rewrite that is not the reference's.

    What is not before the rewrite either is left out: a pass on layouts may have stored it in
    another order.

    Args:
        graph: Its nodes have the names that the tensors' nodes have.
        reference: What is expected.
        trials: Their inputs and tolerance are taken.
        before: What kernels computed just before the rewrite.
        after: What they computed with it, in order.
    """
    readers = _readers(graph)
    nodes = {node.name: node for node in graph.nodes}
    leaving = {tensor.nodes: _leaving(tensor.nodes, nodes, readers) for tensor in (*before, *after)}
    names = dict.fromkeys(name for found in leaving.values() for name in found)
    expected = reference.tensors(graph, trials.feeds, list(names))
    there = _by_name(before, leaving, expected)
    here = _by_name(after, leaving, expected)
    tolerance = trials.settings.tolerance
    known = {name for name, t in there.items() if _problem(expected[name], t, tolerance)}
    for name, tensor in here.items():
        if name not in known and (p := _problem(expected[name], tensor, tolerance)):
            return WrongTensor(name, tensor.nodes, p)
    return None


def _problem(expected: Array, tensor: Tensor, tolerance: float) -> str | None:
    (found,) = differences({"": expected}, {"": tensor.array}, tolerance=tolerance)
    return found.problem


def _by_name(
    tensors: Iterable[Tensor], leaving: Mapping[Nodes, list[str]], expected: Mapping[str, Array]
) -> dict[str, Tensor]:
    """Give tensors the names of the ONNX tensors that they must be, by nodes, shape and dtype.

    One node may take several kernels: the last one computes what the node does.
    """
    found: dict[str, Tensor] = {}
    for tensor in tensors:
        fit = [
            name
            for name in leaving[tensor.nodes]
            if name in expected
            and (expected[name].shape, expected[name].dtype)
            == (tensor.array.shape, tensor.array.dtype)
        ]
        if len(fit) == 1:
            found.pop(fit[0], None)
            found[fit[0]] = tensor
    return found


def _leaving(
    group: Nodes, nodes: Mapping[str, SourceNode], readers: Mapping[str, set[str]]
) -> list[str]:
    """Return what a group of nodes computes for others."""
    return [
        name
        for node in group
        if node in nodes
        for name in nodes[node].outputs
        if name and not readers.get(name, {""}) <= set(group)
    ]


def _readers(graph: SourceGraph) -> dict[str, set[str]]:
    """Return the nodes that read each tensor; the graph itself is "", which no node is called."""
    found: dict[str, set[str]] = {name: {""} for name in graph.outputs}
    for node in graph.nodes:
        for name in graph.reads(node.name):
            found.setdefault(name, set()).add(node.name)
    return found
