"""Emitting one graph as Relax, each call stamped with the ONNX nodes it computes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import onnx
from tvm import relax
from tvm.ir import Call, Expr, GenericConst, Tuple, TupleGetItem

from tvmfuse.frontend.dims import DTYPES
from tvmfuse.frontend.evaluate import Evaluator
from tvmfuse.frontend.graph import Graph, Node, read_graph
from tvmfuse.frontend.operation import CannotConvertError, Operation
from tvmfuse.frontend.plan import Plan, captured_names, plan
from tvmfuse.frontend.symbols import Dim, Symbols, as_dim
from tvmfuse.frontend.values import NotKnownError, Value
from tvmfuse.passes.facts import constant
from tvmfuse.provenance import with_nodes

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
        self._failed: set[str] = set()
        self._read = _reads(graph)

    def build(self) -> list[Expr]:
        """Convert all needed nodes; return the outputs.

        Nodes that cannot be converted go to `refusals`; those that read from them are skipped, and
        then nothing is returned.
        """
        for node in self.graph.nodes:
            if node.name in self.plan.needed and not self._tensors.keys() >= set(node.outputs):
                self._attempt(node)
        return [] if self.refusals else [self.tensor(name) for name in self.graph.outputs]

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
        var = self.builder.emit(stamped(expr, nodes))
        if isinstance(var.ty, relax.TensorType) and var.ty.shape is None and var.ty.ndim >= 0:
            dims = [self.symbols.fresh(f"{nodes[0]}_dim{i}") for i in range(var.ty.ndim)]
            var = self.match(var, relax.TensorType(dims, var.ty.dtype))
        return var

    def match(self, expr: Expr, ty: relax.TensorType) -> Expr:
        """Bind an expression to a variable of this type, checked when the model runs."""
        return self.builder.match_cast(expr, ty)

    def inlined(self, branch: onnx.GraphProto) -> list[Expr]:
        """Convert a graph inside a node as if its nodes stood here; return its outputs."""
        graph = read_graph(branch, branch.initializer, self._opsets)
        inner = GraphBuilder(
            graph,
            plan(graph, outer=self.plan),
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
        self.builder._begin_binding_block()  # noqa: SLF001
        try:
            outputs = self.inlined(branch)
            body = self.builder.emit(relax.Tuple(outputs)) if len(outputs) > 1 else outputs[0]
        finally:
            block = self.builder._end_block()  # noqa: SLF001
        return relax.SeqExpr([block], body)

    # How it works.

    def _attempt(self, node: Node) -> None:
        try:
            self._convert(node)
        except _DependsOnFailureError:
            self._failed.update(node.outputs)
        except CannotConvertError as error:
            self._refuse(node, str(error), error)
        except Exception as error:  # TVM raises what it likes: its type inference, its converters
            self._refuse(node, f"TVM: {_first_line(error)}", error)

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
        return self.builder.emit_output(stamped(result, [node.name]))

    def _make(self, name: str) -> Expr:
        if name in self.graph.constants:
            array = self.graph.constants[name]
            if array.dtype.name not in DTYPES:
                raise CannotConvertError(f"it reads the constant {name!r} of {array.dtype.name}")
            return constant(array)
        if name in self.plan.shape_derived:
            try:
                return self._materialized(name, self.value(name))
            except NotKnownError:
                pass  # then it is computed when the model runs, like any other tensor
        if name not in self.graph.producers:
            if self._outer is None:
                raise CannotConvertError(f"nothing computes {name!r}")
            return self._outer.tensor(name)
        self._convert(self.graph.producers[name])
        return self._tensors[name]

    def _materialized(self, name: str, value: Value) -> Expr:
        if value.is_concrete:
            return constant(value.array)
        producer = self.graph.producers[name].name
        dims = relax.ShapeExpr(value.elements)
        vector = self.emit(relax.op.shape_to_tensor(dims), [producer])
        shaped = self.emit(relax.op.reshape(vector, value.array.shape), [producer])
        if value.dtype == "int64":
            return shaped
        return self.emit(relax.op.astype(shaped, value.dtype), [producer])

    def _type(self, name: str) -> tuple[tuple[Dim, ...], str]:
        """Return the shape and the dtype of a tensor; raises NotKnownError."""
        try:
            if name in self.plan.known:
                value = self.value(name)
                return value.array.shape, value.dtype
        except NotKnownError:
            pass  # then its tensor has a type
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


def _reads(graph: Graph) -> Collection[str]:
    reads = set(graph.outputs)
    for node in graph.nodes:
        reads.update(node.inputs)
        for branch in node.branches:
            reads.update(i for inner in branch.node for i in inner.input)
            reads.update(o.name for o in branch.output)
    return reads


def _first_line(error: Exception) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
