"""A model's outputs as it states them: a compiled sequence's elements are joined to a list."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tvmfuse.errors import InputError, closest
from tvmfuse.onnxruntime_api.exceptions import raise_as
from tvmfuse.onnxruntime_api.node_arg import NodeArg
from tvmfuse.tensor_spec import TensorSpec


class Outputs:
    """The outputs of a model, and the tensors of which its executable makes them.

    Args:
        specs: The executable's outputs. An element of a sequence ``y`` is ``y[0]``.
        metadata: What the model says of itself; ``outputs``, where there is a sequence.

    Attributes:
        args: The model's outputs, in order.
    """

    def __init__(self, specs: Sequence[TensorSpec], metadata: Mapping[str, Any]) -> None:
        made = {spec.name: spec for spec in specs}
        stated: dict[str, str] = json.loads(metadata.get("outputs", "{}"))
        self._elements = {
            name: [n for n in made if n.rpartition("[")[0] == name]
            for name in stated
            if name not in made
        }
        self.args = [
            NodeArg.of(made[name] if name in made else TensorSpec(name, stated[name], ()))
            for name in stated or made
        ]
        self._types = {arg.name: arg.type for arg in self.args}
        self._all = [*self._types]

    def asked(self, names: Sequence[str] | None) -> list[str]:
        """Return the names of some outputs, of all where none is named.

        Raises:
            InputError: There is no such output, or `names` is no list of names.
        """
        if not names:
            return self._all
        if isinstance(names, str | bytes):
            words = f"expected a list of names of outputs, found {names!r}"
            raise_as(InputError(words), TypeError)
        for name in names:
            if name not in self._types:
                words = f"Invalid output name:{name}; {closest(str(name), self._types)}"
                raise_as(InputError(words), None if isinstance(name, str) else TypeError)
        return list(names)

    def tensors(self, names: list[str]) -> list[str] | None:
        """Return what the executable has to give for these outputs; None for all that it has."""
        if not self._elements:
            return None if names is self._all else names
        return [tensor for name in names for tensor in self._elements.get(name, (name,))]

    def joined(self, names: Sequence[str], results: Sequence[Any]) -> list[Any]:
        """Return the outputs, made of what the executable gave."""
        if not self._elements:
            return list(results)
        left = iter(results)
        return [
            [next(left) for _ in self._elements[name]] if name in self._elements else next(left)
            for name in names
        ]

    def type_of(self, name: str) -> str:
        """Return an output's type, as ``tensor(float)``."""
        return self._types[name]
