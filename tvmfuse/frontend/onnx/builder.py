"""Emitting one graph as Relax, each call stamped with the ONNX nodes it computes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import onnx
from tvm import relax
from tvm.ir import Call, Expr, GenericConst, Tuple, TupleGetItem, Type

from tvmfuse.errors import UnsupportedModelError, first_line
from tvmfuse.frontend.onnx.dims import DTYPES
from tvmfuse.frontend.onnx.evaluate import Evaluator
from tvmfuse.frontend.onnx.graph import Graph, Node, read_graph
from tvmfuse.frontend.onnx.operation import CannotConvertError, Operation
from tvmfuse.frontend.onnx.plan import Plan, captured_names, plan_of
from tvmfuse.frontend.onnx.random_types import RANDOM_TYPES
from tvmfuse.frontend.onnx.values import NotKnownError, Value
from tvmfuse.frontend.symbols import Dim, Symbols, as_dim
from tvmfuse.ir.provenance import with_nodes
from tvmfuse.ir.types import constant

Converted: TypeAlias = Expr | Sequence[Expr | None]
Converter: TypeAlias = Callable[[Operation], Converted]


@dataclass(frozen=True)
class Refusal:
    """One node that cannot be compiled, and why."""

    node: Node
    why: str
    cause: Exception


class GraphBuilder:
    """Converts the needed nodes of one graph, in order.

    Args:
        graph: The graph.
        plan: What of it is needed, and what is known.
        builder: Stands inside a binding block.
        converters: Operator -> converter.
        inputs: Name -> variable: the graph's inputs, and for a branch what is around it.
        symbols: The model's symbolic dimensions.
        opsets: Domain -> version, for the graphs inside nodes.
        outer: For a branch, the graph around it.
        in_dataflow: Whether the binding block is a dataflow block.
    """

    def __init__(
        self,
        graph: Graph,
        plan: Plan,
        builder: relax.BlockBuilder,
        converters: Mapping[str, Converter],
        inputs: Mapping[str, Expr],
        symbols: Symbols,
        opsets: Mapping[str, int],
        *,
        outer: GraphBuilder | None = None,
        in_dataflow: bool = True,
    ) -> None:
        self.graph = graph
        self.plan = plan
        self.builder = builder
        self.converters = converters
        self.symbols = symbols
        self._opsets = opsets
        self.refusals: list[Refusal] = []
        self.evaluator: Evaluator = Evaluator(
            graph, symbols, self._type, None if outer is None else outer.evaluator
        )
        self._tensors: dict[str, Expr] = dict(inputs)
        self._outer = outer
        self._in_dataflow = in_dataflow
        self._attempted: set[str] = set()
        self._failed: set[str] = set()
        self._read = _reads(graph)

    def build(self) -> list[Expr]:
        """Convert all needed nodes; return the outputs.

        Nodes that cannot be converted go to `refusals`; those that read from them are skipped, and
        then nothing is returned.

        Raises:
            UnsupportedModelError: An output is a constant of a dtype that is not compiled.
        """
        for node in self.graph.nodes:
            if node.name in self.plan.needed:
                self._attempt(node)
        if self.refusals:
            return []
        try:
            return [self._output(name) for name in self.graph.outputs]
        except _DependsOnFailureError:
            return []

    def _output(self, name: str) -> Expr:
        try:
            return self.tensor(name)
        except CannotConvertError as error:
            raise UnsupportedModelError(f"the output {name!r}: {error}") from error

    # The context of an operation.

    def tensor(self, name: str) -> Expr:
        """Return what a name stands for, as a variable or a constant."""
        if name not in self._tensors:
            if name in self._failed:
                raise _DependsOnFailureError
            self._tensors[name] = self._make(name)
        return self._tensors[name]

    def value(self, name: str) -> Value:
        """Return the numbers that a name stands for; raises NotKnownError."""
        return self.evaluator.value(name)

    def is_read(self, name: str) -> bool:
        """Whether a node or the caller reads this value."""
        return name in self._read

    def emit(self, expr: Expr, nodes: Sequence[str]) -> Expr:
        """Bind an expression, said to compute these ONNX nodes; every dimension gets a symbol."""
        if isinstance(expr, relax.Var | GenericConst):
            return expr
        return self._with_dims(self.builder.emit(stamped(expr, nodes)), nodes[0])

    def match(self, expr: Expr, ty: Type) -> Expr:
        """Bind an expression to a variable of this type, checked when the model runs."""
        return self.builder.match_cast(expr, ty)

    def inlined(self, branch: onnx.GraphProto) -> list[Expr]:
        """Convert a graph inside a node as if its nodes stood here; return its outputs."""
        graph = read_graph(branch, branch.initializer, self._opsets)
        inner = GraphBuilder(
            graph,
            plan_of(graph, outer=self.plan),
            self.builder,
            self.converters,
            {},
            self.symbols,
            self._opsets,
            outer=self,
            in_dataflow=False,
        )
        outputs = inner.build()
        if inner.refusals:
            self.refusals += inner.refusals
            raise _DependsOnFailureError
        return outputs

    def block(self, branch: onnx.GraphProto) -> relax.SeqExpr:
        """Convert a graph inside a node to blocks of its own."""
        min_sizes, fed = dict(self.symbols.min_sizes), self.symbols.fed
        self.symbols.fed = ()  # the branch may not be taken: it constrains no input
        self.builder._begin_binding_block()  # noqa: SLF001
        try:
            outputs = self.inlined(branch)
            body = self.builder.emit(relax.Tuple(outputs)) if len(outputs) > 1 else outputs[0]
        finally:
            block = self.builder._end_block()  # noqa: SLF001
            self.symbols.min_sizes, self.symbols.fed = min_sizes, fed
        return relax.SeqExpr([block], body)

    # How it works.

    def _attempt(self, node: Node) -> None:
        if node.name in self._attempted:
            return
        self._attempted.add(node.name)
        try:
            self._convert(node)
        except _DependsOnFailureError:
            self._failed.update(node.outputs)
        except CannotConvertError as error:
            self._refuse(node, str(error), error)
        except Exception as error:  # TVM raises what it likes: its type inference, its converters
            self._refuse(node, f"{type(error).__name__}: {first_line(error)}", error)

    def _refuse(self, node: Node, why: str, cause: Exception) -> None:
        self.refusals.append(Refusal(node, why, cause))
        self._failed.update(node.outputs)

    def _convert(self, node: Node) -> None:
        for name in captured_names(node.proto):
            # Inside a branch it would be out of scope for what comes after.
            self.tensor(name)
        converter = self.converters.get(node.op)
        if converter is None:
            raise CannotConvertError("tvmfuse has no converter for this operator")
        converted = converter(Operation(node, self))
        results = [converted] if isinstance(converted, Expr) else list(converted)
        for name, result in zip(node.outputs, results, strict=False):
            if name and result is not None:
                self._tensors[name] = self._bind(name, result, node)
        for name in node.outputs:
            if name and name not in self._tensors and self.is_read(name):
                raise CannotConvertError(f"its output {name!r} cannot be computed")

    def _bind(self, name: str, result: Expr, node: Node) -> Expr:
        """Bind what a node makes; what the caller reads outlives the dataflow block."""
        leaf = isinstance(result, relax.Var | GenericConst)
        if leaf or name not in self.graph.outputs or not self._in_dataflow:
            return self.emit(result, [node.name])
        return self._with_dims(self.builder.emit_output(stamped(result, [node.name])), node.name)

    def _with_dims(self, var: Expr, node: str) -> Expr:
        """Return a tensor each of whose dimensions is a number or has a symbol."""
        ty = var.ty
        if isinstance(ty, relax.TensorType) and isinstance(ty.shape, relax.ShapeExpr):
            dims = [as_dim(d) for d in ty.shape.values]
            if any(isinstance(d, int) and d < 0 for d in dims):
                raise CannotConvertError(f"its result would have the shape {dims}")
            for dim in dims:
                self.symbols.require_non_negative(dim)
        if not isinstance(ty, relax.TensorType) or ty.shape is not None:
            return var
        if ty.ndim < 0:
            raise CannotConvertError("the rank of its result is not known")
        dims = [self.symbols.fresh(f"{node}_dim{i}") for i in range(ty.ndim)]
        return self.match(var, relax.TensorType(dims, ty.dtype))

    def _make(self, name: str) -> Expr:
        if name in self.graph.constants:
            return _constant(name, self.graph.constants[name])
        if name in self.plan.shape_derived:
            # What cannot be known is computed when the model runs, like any other tensor.
            with suppress(NotKnownError):
                return self._materialized(name, self.value(name))
        if name not in self.graph.producers:
            if self._outer is None:
                raise CannotConvertError(f"nothing computes {name!r}")
            return self._outer.tensor(name)
        self._attempt(self.graph.producers[name])
        if name in self._failed:
            raise _DependsOnFailureError
        return self._tensors[name]

    def _materialized(self, name: str, value: Value) -> Expr:
        if value.is_concrete:
            return _constant(name, value.array)
        producer = self.graph.producers[name].name
        vector = self.emit(relax.op.shape_to_tensor(_dims(value)), [producer])
        shaped = self.emit(relax.op.reshape(vector, value.array.shape), [producer])
        if value.dtype == "int64":
            return shaped
        return self.emit(relax.op.astype(shaped, value.dtype), [producer])

    def _type(self, name: str) -> tuple[tuple[Dim, ...], str]:
        """Return the shape and the dtype of a tensor; raises NotKnownError."""
        if name in self.plan.known:
            # What cannot be known has a tensor, and that has a type.
            with suppress(NotKnownError):
                value = self.value(name)
                return value.array.shape, value.dtype
        producer = self.graph.producers.get(name)
        if producer and producer.op in RANDOM_TYPES:
            return RANDOM_TYPES[producer.op](producer, self._type)
        try:
            ty = self.tensor(name).ty
        except _DependsOnFailureError:
            raise NotKnownError(f"the shape of {name!r} is not known") from None
        if not isinstance(ty, relax.TensorType) or ty.shape is None:
            raise NotKnownError(f"the shape of {name!r} is not known")
        return tuple(as_dim(d) for d in ty.shape.values), str(ty.dtype)


class _DependsOnFailureError(Exception):
    """A node reads what a refused node should have made."""


def stamped(expr: Expr, nodes: Sequence[str]) -> Expr:
    """Return an expression all of whose calls are said to compute these ONNX nodes."""
    if isinstance(expr, Call):
        args = [stamped(a, nodes) for a in expr.args]
        return with_nodes(Call(expr.op, args, attrs=expr.attrs, ty_args=expr.ty_args), nodes)
    if isinstance(expr, Tuple):
        return relax.Tuple([stamped(f, nodes) for f in expr.fields])
    if isinstance(expr, TupleGetItem):
        return TupleGetItem(stamped(expr.tuple_value, nodes), expr.index)
    return expr


def _dims(value: Value) -> relax.ShapeExpr:
    """Return elements as dimensions; a cast may have made them floats."""
    numbers = [e for e in value.elements if not isinstance(e, Expr)]
    if any(e != int(e) for e in numbers):
        raise NotKnownError("a fraction is no dimension")
    return relax.ShapeExpr([e if isinstance(e, Expr) else int(e) for e in value.elements])


def _constant(name: str, array: np.ndarray) -> GenericConst:
    if array.dtype.name not in DTYPES:
        raise CannotConvertError(f"it reads the constant {name!r} of {array.dtype.name}")
    return constant(array)


def _reads(graph: Graph) -> Collection[str]:
    reads = set(graph.outputs)
    for node in graph.nodes:
        reads.update(node.inputs, captured_names(node.proto))
    return reads
