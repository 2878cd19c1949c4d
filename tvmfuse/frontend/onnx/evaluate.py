"""Computing values: on demand, each once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from onnx.reference import ReferenceEvaluator

from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.onnx.graph import Graph, Node, without_objects
from tvmfuse.frontend.onnx.operands import SEQUENCES, content_operands
from tvmfuse.frontend.onnx.result_sizes import ask_for_results, model_of
from tvmfuse.frontend.onnx.value_kernels import KERNELS
from tvmfuse.frontend.onnx.values import NotKnownError, Value, concrete, of_dims, of_elements
from tvmfuse.frontend.symbols import Dim, Symbols

TypeOf = Callable[[str], tuple[tuple[Dim, ...], str]]
"""Gives a tensor's shape and dtype."""


#: Operators that the onnx package evaluates from a version on which takes all that those before it
#: take, and means the same.
EVALUATED_SINCE: Final[Mapping[str, int]] = {"DequantizeLinear": 19, "QuantizeLinear": 19}


DIVISIONS: Final = frozenset({"Div", "Mod"})


class Evaluator:
    """The known values of one graph.

    Args:
        graph: Where the values are defined.
        symbols: The model's symbolic dimensions.
        type_of: Gives the type of a tensor; raises NotKnownError if there is none.
        gate: Is asked for each value before it is computed.
        outer: For a branch, the values of the graph around it.
    """

    def __init__(
        self,
        graph: Graph,
        symbols: Symbols,
        type_of: TypeOf,
        gate: Gate,
        outer: Evaluator | None = None,
    ) -> None:
        self._graph = graph
        self._symbols = symbols
        self._type_of = type_of
        self._gate = gate
        self._outer = outer
        # What follows under an assumption holds nowhere else.
        self._values: dict[int, dict[str, Value]] = {}

    def value(self, name: str) -> Value:
        """Return the value of this name.

        Raises:
            NotKnownError: It depends on what the model is fed.
        """
        todo = [name]
        while todo:
            missing = [] if self._has(todo[-1]) else self._missing(todo[-1])
            if missing:
                todo += missing
            elif not self._has(todo[-1]):
                self._evaluate(self._graph.producers[todo.pop()])
            else:
                todo.pop()
        return self._get(name)

    def tell(self, name: str, value: Value) -> None:
        """Say what a name stands for, whose node is converted elsewhere."""
        self._values.setdefault(self._symbols.assumptions[-1], {})[name] = value

    def _has(self, name: str) -> bool:
        return name in self._graph.constants or self._found(name) is not None

    def _get(self, name: str) -> Value:
        found = self._found(name)
        if found is None:
            found = concrete(self._graph.constants[name])
            self.tell(name, found)
        return found

    def _found(self, name: str) -> Value | None:
        for assumption in self._symbols.assumptions:
            if name in (values := self._values.get(assumption, {})):
                return values[name]
        return None

    def _missing(self, name: str) -> list[str]:
        node = self._graph.producers.get(name)
        if node is None:
            if self._outer is None:
                raise NotKnownError(f"it depends on what is fed as {name!r}")
            self.tell(name, self._outer.value(name))
            return []
        return [i for i in content_operands(node) if not self._has(i)]

    def _evaluate(self, node: Node) -> None:
        results = self._results(node)
        for name, result in zip(node.outputs, results, strict=False):
            self.tell(name, result)

    def _results(self, node: Node) -> tuple[Value, ...]:
        if node.op in ("Shape", "Size"):
            return (self._of_type(node),)
        if node.op == "CastLike":
            return (self._cast_like(node),)
        if node.op in SEQUENCES:
            raise NotKnownError(f"{node.op} is of a sequence, or of an optional tensor")
        operands = [self._get(i) if i else None for i in node.inputs]
        ask_for_results(self._gate, node, operands)
        if all(v is None or v.is_concrete for v in operands):
            return _reference(node, operands)
        if node.op not in KERNELS:
            raise NotKnownError(f"{node.op} of symbolic dimensions is not known before it runs")
        result = KERNELS[node.op](node, operands, self._symbols)
        return result if isinstance(result, tuple) else (result,)

    def _of_type(self, node: Node) -> Value:
        dims, _ = self._type_of(node.inputs[0])
        if node.op == "Size":
            return of_elements([self._symbols.product(dims)], (), "int64")
        return of_dims(dims[node.attributes.get("start", 0) : node.attributes.get("end")])

    def _cast_like(self, node: Node) -> Value:
        value, (_, dtype) = self._get(node.inputs[0]), self._type_of(node.inputs[1])
        if not value.is_concrete:
            raise NotKnownError("CastLike of symbolic dimensions is not known before it runs")
        return concrete(value.array.astype(dtype))


def _reference(node: Node, operands: list[Value | None]) -> tuple[Value, ...]:
    """Evaluate a node on numbers, with the onnx package's reference implementation."""
    if node.op in DIVISIONS and operands[1] is not None and not operands[1].array.all():
        raise NotKnownError(f"{node.op} divides by 0")  # numpy makes 0 of it where it is whole
    feeds = {i: v.array for i, v in zip(node.inputs, operands, strict=True) if i and v is not None}
    outputs = [o for o in node.outputs if o]
    try:
        model = model_of(node, operands)
        if not node.proto.domain:
            (opset,) = model.opset_import
            opset.version = max(opset.version, EVALUATED_SINCE.get(node.op, 0))
        with np.errstate(all="ignore"):
            results = ReferenceEvaluator(model).run(None, feeds)
    except Exception as error:
        raise NotKnownError(f"{node.op} cannot be evaluated on {list(feeds)}: {error}") from error
    named = dict(
        zip(outputs, (concrete(without_objects(np.asarray(r))) for r in results), strict=True)
    )
    return tuple(named.get(o, concrete(np.zeros(0))) for o in node.outputs)
