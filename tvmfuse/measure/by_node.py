"""An ONNX graph computed one node at a time, so that each tensor is seen and none is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
import onnx
from onnx import helper

from tvmfuse.errors import UnsupportedModelError, first_line
from tvmfuse.frontend.onnx.graph import Graph, Node
from tvmfuse.frontend.onnx.plan import captured_names
from tvmfuse.measure.agreement import Array

RunModel = Callable[[onnx.ModelProto, Mapping[str, Array]], Sequence[Array]]
"""Compute a model's outputs, in order."""


def by_node(
    graph: Graph, opsets: Mapping[str, int], feeds: Mapping[str, Array], run: RunModel
) -> Iterator[tuple[str, Array]]:
    """Yield each tensor that a node makes, in the graph's order, under its ONNX name.

    A tensor is dropped when its last reader has run: no more live at once than in any run.

    Args:
        graph: Without values that a caller may replace: those fed take the constants' places.
        opsets: Domain -> version, of the whole model.
        feeds: The model's inputs.
        run: What computes a model of one node; weights are among its inputs.

    Raises:
        UnsupportedModelError: `run` cannot compute a node; it is named.
    """
    readers = Counter(name for node in graph.nodes for name in reads(node))
    live = dict(feeds)
    for node in graph.nodes:
        names = reads(node)
        arrays = {n: live[n] if n in live else graph.constants[n] for n in names}
        try:
            results = run(_model_of(node, opsets, arrays), arrays)
        except Exception as error:
            raise UnsupportedModelError(
                f"{node} cannot be computed alone, to compare its results: {first_line(error)}"
            ) from error
        _drop(live, readers, names)
        del arrays
        for name, array in zip(filter(None, node.outputs), results, strict=True):
            if readers[name]:
                live[name] = array
            yield name, array


def reads(node: Node) -> list[str]:
    """Name the values that a node reads, once each, with those that its branches capture."""
    return list(dict.fromkeys([*filter(None, node.inputs), *captured_names(node.proto)]))


def _drop(live: dict[str, Array], readers: Counter[str], names: Iterable[str]) -> None:
    for name in names:
        readers[name] -= 1
        if not readers[name]:
            live.pop(name, None)


def _model_of(
    node: Node, opsets: Mapping[str, int], arrays: Mapping[str, Array]
) -> onnx.ModelProto:
    versions = {**opsets, node.proto.domain: node.opset}
    inputs = [
        helper.make_tensor_value_info(name, _onnx_dtype(array), array.shape)
        for name, array in arrays.items()
    ]
    outputs = [onnx.ValueInfoProto(name=name) for name in node.outputs if name]
    imports = [helper.make_opsetid(domain, version) for domain, version in versions.items()]
    return helper.make_model(
        helper.make_graph([node.proto], node.name, inputs, outputs),
        opset_imports=imports,
        ir_version=helper.find_min_ir_version_for(imports, ignore_unknown=True),
    )


def _onnx_dtype(array: Array) -> int:
    if array.dtype.kind in "USO":
        return onnx.TensorProto.STRING
    return int(helper.np_dtype_to_tensor_dtype(np.dtype(array.dtype)))
