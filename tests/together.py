"""Several nodes in one model, each with inputs of its own: they are compiled all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from graphs import onnx_model, run
from onnx import helper
from reference import assert_agrees, reference

from tvmfuse.frontend.onnx import import_model


@dataclass(frozen=True)
class Part:
    """One node.

    Attributes:
        op: Its operator.
        operands: What it is fed.
        outputs: Their dtypes.
        attributes: Its attributes.
        symbolic: Whether the first dimension of its operands is a symbol.
    """

    op: str
    operands: Sequence[np.ndarray]
    outputs: tuple[str, ...] = ("float32",)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    symbolic: bool = True


def together(
    parts: Sequence[Part], *, domain: str = "", version: int = 17
) -> tuple[onnx.ModelProto, dict[str, np.ndarray]]:
    """Return a model of all of them, and what it is fed; `version` is that of their domain."""
    feeds: dict[str, np.ndarray] = {}
    nodes: list[onnx.NodeProto] = []
    inputs: dict[str, tuple[str, Sequence[object]]] = {}
    outputs: dict[str, str] = {}
    for place, part in enumerate(parts):
        names = [f"x{place}_{i}" for i in range(len(part.operands))]
        results = [f"{part.op}_{place}_{i}" for i in range(len(part.outputs))]
        feeds |= dict(zip(names, part.operands, strict=True))
        for name, array in zip(names, part.operands, strict=True):
            rest = array.shape[1:]
            inputs[name] = array.dtype.name, (f"n{place}", *rest) if part.symbolic else array.shape
        outputs |= dict(zip(results, part.outputs, strict=True))
        made = helper.make_node(
            part.op, names, results, f"node_{place}", domain=domain, **part.attributes
        )
        nodes.append(made)
    model = onnx_model(nodes, inputs, outputs, opset=17 if domain else version)
    if domain:
        model.opset_import.append(helper.make_opsetid(domain, version))
    return model, feeds


def agree(model: onnx.ModelProto, feeds: Mapping[str, np.ndarray]) -> None:
    """Compare a model, lowered plainly, with onnxruntime."""
    names = [output.name for output in model.graph.output]
    found = dict(zip(names, run(import_model(model).module, *feeds.values()), strict=True))
    expected = reference(model, feeds)
    for name in names:
        assert_agrees({name: found[name]}, {name: expected[name]})
