"""A part of a model that is computed here, node by node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import DecodeError

from tvmfuse.errors import InputError, first_line
from tvmfuse.text.node import NotTakenError, Run, TextNode, array_of, node_of
from tvmfuse.text.table import OPERATORS

__all__ = ["NotTakenError", "TextPart"]


class TextPart:
    """A model of strings, maps and numbers, which any number of threads may run at once.

    Args:
        model: Serialized.
        weights: The tensors that are not in it, by name.
        said: What errors call it.

    Raises:
        NotTakenError: It has a node that is not computed here.
    """

    def __init__(self, model: bytes, weights: Mapping[str, np.ndarray], said: str) -> None:
        try:
            proto = onnx.ModelProto.FromString(model)
        except DecodeError as error:
            raise NotTakenError(f"it is no ONNX model: {first_line(error)}") from error
        opsets = {o.domain: o.version for o in proto.opset_import}
        constants = {
            tensor.name: array_of(tensor)
            for tensor in proto.graph.initializer
            if tensor.name not in weights
        }
        self._constants: dict[str, Any] = {**constants, **weights}
        self._steps: list[tuple[TextNode, Run]] = []
        for each in proto.graph.node:
            node = node_of(each, opsets.get(each.domain, 0))
            if node.operator == "Constant":
                self._constants[node.outputs[0]] = _stated(node)
            elif node.operator in OPERATORS:
                self._steps.append((node, OPERATORS[node.operator](node)))
            else:
                node.refuse("tvmfuse has no such operator of strings")
        self._said = said
        self.inputs = tuple(value.name for value in proto.graph.input)
        self.outputs = tuple(value.name for value in proto.graph.output)
        self._check_names()

    def _check_names(self) -> None:
        """Check that all is made before it is read.

        Raises:
            NotTakenError: It is not so.
        """
        made = {"", *self._constants, *self.inputs}
        for node, _ in self._steps:
            for name in node.inputs:
                node.require(name in made, f"it reads {name!r}, which nothing makes")
            made.update(node.outputs)
        for name in self.outputs:
            if name not in made:
                raise NotTakenError(f"nothing makes its output {name!r}")

    def run(self, feeds: Mapping[str, Any]) -> list[Any]:
        """Return the outputs in order: arrays, of strings those of objects, and lists of dicts.

        Raises:
            InputError: It fails on these inputs.
        """
        values = {**self._constants, **feeds, "": None}
        for node, run in self._steps:
            try:
                made = run(*(values[name] for name in node.inputs))
            except (ValueError, TypeError, IndexError) as error:
                raise InputError(
                    f"{self._said}: {node.operator} {node.name!r} fails on what it is fed: "
                    f"{first_line(error)}"
                ) from error
            results: Sequence[Any] = made if isinstance(made, tuple) else (made,)
            values.update(zip(node.outputs, results, strict=False))
        return [values[name] for name in self.outputs]


def _stated(node: TextNode) -> np.ndarray:
    """Return what a Constant states."""
    [(name, value)] = node.attributes.items()
    if name == "value" and isinstance(value, np.ndarray):
        return value
    dtypes = {"value_float": np.float32, "value_int": np.int64, "value_string": object}
    dtype = dtypes.get(name.removesuffix("s"))
    if dtype is None:
        raise NotTakenError(f"Constant {node.name!r}: its {name} is not taken")
    return np.array(value, dtype)
