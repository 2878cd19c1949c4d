"""Converting one ONNX graph: its needed nodes, in order, each by the converter of its operator."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np
import onnx
from tvm import relax
from tvm.ir import Expr, GenericConst

from tvmfuse.arrays import stored
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.converting import converting
from tvmfuse.frontend.emitter import Emitter
from tvmfuse.frontend.onnx.choice import Choice, Chooser
from tvmfuse.frontend.onnx.dims import DTYPES
from tvmfuse.frontend.onnx.evaluate import Evaluator
from tvmfuse.frontend.onnx.graph import Graph, Node, read_graph
from tvmfuse.frontend.onnx.impossible import is_impossible
from tvmfuse.frontend.onnx.narrow_values import narrow_inputs, narrow_result
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.onnx.plan import Plan, captured_names, plan_of, read_in
from tvmfuse.frontend.onnx.random_types import RANDOM_TYPES
from tvmfuse.frontend.onnx.values import Given, NotKnownError, TooManyNodesError, Value, shape_of
from tvmfuse.frontend.refusals import CannotConvertError, DependsOnFailureError, Refusal
from tvmfuse.frontend.symbols import Dim, as_dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant
from tvmfuse.narrow_types import STORAGE

#: Nodes that are converted beside a model's own: those of loops that are written out, and copies.
MAX_UNROLLED: Final = 5_000

Converted: TypeAlias = Expr | Sequence[Expr | None]
Converter: TypeAlias = Callable[[Operation], Converted]


class GraphBuilder:
    """Converts the needed nodes of one graph, in order.

    Args:
        graph: The graph.
        plan: What of it is needed, and what is known.
        emitter: Stands where the graph's nodes are to be computed.
        converters: Operator -> converter.
        inputs: Name -> variable: the graph's inputs, and for a branch what is around it.
        opsets: Domain -> version, for the graphs inside nodes.
        outer: For a branch, the graph around it.
        unrolled: How many nodes are converted beside the model's; all its graphs share it.

    Attributes:
        choosing: The choices that are being converted, the outermost first.
        open_ended: Whether an output may fail without a refusal, where no one tensor can be it.
    """

    def __init__(
        self,
        graph: Graph,
        plan: Plan,
        emitter: Emitter,
        converters: Mapping[str, Converter],
        inputs: Mapping[str, Expr],
        opsets: Mapping[str, int],
        *,
        outer: GraphBuilder | None = None,
        unrolled: list[int] | None = None,
    ) -> None:
        self.graph = graph
        self.plan = plan
        self.emitter = emitter
        self.converters = converters
        self._opsets = opsets
        self.refusals: list[Refusal] = []
        around = None if outer is None else outer.evaluator
        self.evaluator: Evaluator = Evaluator(
            graph, emitter.symbols, self._type, emitter.gate, around
        )
        self.choosing: list[Chooser] = []
        self._tensors: dict[str, Expr] = dict(inputs)
        self._narrow = narrow_inputs(graph)
        self._in_rows: set[str] = set()
        self._outer = outer
        self.open_ended = False
        self._unrolled: list[int] = [0] if unrolled is None else unrolled
        self._attempted: set[Node] = set()
        self._failed: set[str] = set()
        self._apart: set[str] = set()
        self._read = read_in(graph)
        self._outputs = frozenset(graph.outputs)

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
        except DependsOnFailureError:
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
                raise DependsOnFailureError
            self._tensors[name] = self._make(name)
        return self._tensors[name]

    def value(self, name: str) -> Value:
        """Return the numbers that a name stands for; raises NotKnownError."""
        return self.evaluator.value(name)

    def narrow(self, name: str) -> str | None:
        """Return the type of a value whose tensor holds it in bytes; of others None."""
        if name in self._narrow or self._outer is None or name in self.graph.producers:
            return self._narrow.get(name)
        return self._outer.narrow(name)

    def is_in_rows(self, name: str) -> bool:
        """Whether a sequence is held as one tensor with an element in each row."""
        if name in self._in_rows or self._outer is None or name in self.graph.producers:
            return name in self._in_rows
        return self._outer.is_in_rows(name)

    def is_read(self, name: str) -> bool:
        """Whether a node or the caller reads this value."""
        return name in self._read

    def graph_of(self, branch: onnx.GraphProto) -> Graph:
        """Return a graph inside a node."""
        return read_graph(branch, branch.initializer, self._opsets)

    def inlined(self, graph: Graph) -> list[Expr]:
        """Convert a graph inside a node as if its nodes stood here; return its outputs."""
        return self._built(self.inside(graph))

    def chosen(
        self, op: Operation, test: Expr, condition: Expr | None, graphs: tuple[Graph, Graph]
    ) -> list[Expr | None]:
        """Convert a choice between graphs; return the node's outputs. See `choice.Choice`."""
        self.choosing.append(Chooser(self, Choice(op, test, condition, graphs)))
        try:
            return self.choosing[-1].convert()
        finally:
            self.choosing.pop()

    def fits(self, body: onnx.GraphProto, count: int) -> bool:
        """Whether so many iterations of a loop may be written out."""
        return self._unrolled[0] + count * max(1, len(body.node)) <= MAX_UNROLLED

    def decides(self, body: onnx.GraphProto, given: Sequence[Given]) -> bool | None:
        """Return the first output of a loop's body if it follows from inputs that are numbers."""
        inner = self.inside(*self._given(body, given))
        name = inner.graph.outputs[0]
        if name not in inner.plan.known:
            return None
        try:
            value = inner.value(name)
        except (NotKnownError, CannotConvertError, DependsOnFailureError):
            return None
        known = value.is_concrete and value.array.size == 1
        return bool(value.array.item()) if known else None

    def iteration(self, body: onnx.GraphProto, given: Sequence[Given]) -> list[Given]:
        """Convert one iteration of a loop as if its nodes stood here; return its outputs.

        Args:
            body: The graph inside the node.
            given: Its inputs, in order: numbers where they are known.

        Raises:
            TooManyNodesError: All that are written out have too many nodes.
        """
        self.count(max(1, len(body.node)), "written out for loops")
        inner = self.inside(*self._given(body, given))
        outputs, names = self._built(inner), inner.graph.outputs
        return [inner.output(name, made) for name, made in zip(names, outputs, strict=True)]

    def repeated(self, body: onnx.GraphProto, given: Sequence[Expr]) -> list[Expr]:
        """Convert the body of a loop once, for all iterations; return its outputs."""
        inner = self.inside(*self._given(body, given))
        try:
            return self._built(inner)
        except DependsOnFailureError:
            # It may never run.
            self.refusals = [replace(r, impossible=False) for r in self.refusals]
            raise

    def _given(
        self, body: onnx.GraphProto, given: Sequence[Given]
    ) -> tuple[Graph, Mapping[str, Expr]]:
        """Return a body in which numbers that it is given are constants, and the other inputs."""
        pairs = list(zip([i.name for i in body.input], given, strict=True))
        known = {name: value for name, value in pairs if isinstance(value, np.ndarray)}
        graph = self.graph_of(body)
        graph = replace(graph, constants={**graph.constants, **known})
        return graph, {name: value for name, value in pairs if isinstance(value, Expr)}

    def output(self, name: str, made: Expr) -> Given:
        """Return the numbers that an output is known to be, or else the tensor."""
        if name in self.plan.known:
            with suppress(NotKnownError):
                value = self.value(name)
                if value.is_concrete:
                    return value.array
        return made

    # The context of a choice.

    def count(self, nodes: int, why: str) -> None:
        """Count nodes that are converted once more.

        Raises:
            TooManyNodesError: They are too many.
        """
        self._unrolled[0] += nodes
        if self._unrolled[0] > MAX_UNROLLED:
            raise TooManyNodesError(f"more than {MAX_UNROLLED} nodes are {why}")

    def made(self, name: str) -> Expr | None:
        """Return the tensor that a name stands for, if there is one."""
        return self._tensors.get(name)

    def has_failed(self, name: str) -> bool:
        """Whether what a name stands for was refused."""
        return name in self._failed

    def bind(self, name: str, made: Expr, node: str) -> None:
        """Say which tensor a name stands for, whose node is converted elsewhere."""
        bind = self.emitter.emit_output if name in self._outputs else self.emitter.emit
        self._tensors[name] = bind(made, [node], name)

    def converted(self, nodes: Sequence[Node], *, apart: Collection[str]) -> None:
        """Say that nodes are converted elsewhere, and which values nobody here reads."""
        self._attempted.update(nodes)
        self._apart.update(apart)

    @contextmanager
    def as_it_was(self) -> Iterator[None]:
        """Forget what is converted meanwhile of this graph and of those around it."""
        tensors, attempted = dict(self._tensors), set(self._attempted)
        with nullcontext() if self._outer is None else self._outer.as_it_was():
            try:
                yield
            finally:
                self._tensors, self._attempted = tensors, attempted

    def part(self, graph: Graph) -> GraphBuilder:
        """Return what converts a graph inside a node, of which an output may be left open."""
        inner = self.inside(graph)
        inner.open_ended = True
        return inner

    def inside(
        self, graph: Graph, inputs: Mapping[str, Expr] = MappingProxyType({})
    ) -> GraphBuilder:
        """Return what converts a graph inside a node, where the node stands."""
        plan, emitter = plan_of(graph, outer=self.plan), self.emitter.inside()
        return GraphBuilder(
            graph, plan, emitter, self.converters, inputs, self._opsets,
            outer=self, unrolled=self._unrolled,
        )  # fmt: skip

    def _built(self, inner: GraphBuilder) -> list[Expr]:
        """Return the outputs of a graph inside a node; what of it is refused is refused here."""
        outputs = inner.build()
        if inner.refusals:
            self.refusals += inner.refusals
            raise DependsOnFailureError
        for name in inner.graph.outputs:
            if inner.is_in_rows(name):
                raise CannotConvertError(f"a graph inside it gives the sequence {name!r}")
            if narrow := inner.narrow(name):
                raise CannotConvertError(
                    f"a graph inside it gives {narrow}: cast {name!r} to float32 in there"
                )
        return outputs

    # How it works.

    def _attempt(self, node: Node) -> None:
        if node in self._attempted:
            return
        self._attempted.add(node)
        with converting(partial(self._refuse, node), partial(self._operands, node)):
            try:
                (self._rename if node.renames else self._convert)(node)
            except DependsOnFailureError:
                self._failed.update(node.outputs)

    def _operands(self, node: Node) -> list[Expr]:
        return [self._tensors[name] for name in node.inputs if name in self._tensors]

    def _refuse(self, node: Node, why: str, cause: Exception) -> None:
        impossible = self._outer is not None and is_impossible(node, self._type, self.value)
        self.refusals.append(Refusal(node.name, str(node), why, cause, impossible))
        self._failed.update(node.outputs)

    def _rename(self, node: Node) -> None:
        [old], [new] = node.inputs, node.outputs
        self._tensors[new] = self.tensor(old)
        if narrow := self.narrow(old):
            self._narrow[new] = narrow
        if self.is_in_rows(old):
            self._in_rows.add(new)

    def _convert(self, node: Node) -> None:
        for name in captured_names(node.proto):
            # Inside a branch it would be out of scope for what comes after.
            self.tensor(name)
        converter = self.converters.get(node.op)
        if converter is None:
            raise CannotConvertError("tvmfuse has no converter for this operator")
        operation = Operation(node, self)
        converted = converter(operation)
        if narrow := narrow_result(operation):
            self._narrow |= dict.fromkeys(node.outputs, narrow)
        self._in_rows.update(o for i, o in enumerate(node.outputs) if i in operation.in_rows)
        results = [converted] if isinstance(converted, Expr) else list(converted)
        for name, result in zip(node.outputs, results, strict=False):
            if name and result is not None:
                read_outside = name in self._outputs
                bind = self.emitter.emit_output if read_outside else self.emitter.emit
                self._tensors[name] = bind(result, [node.name], name)
        for name in node.outputs:
            if name and name not in {*self._tensors, *self._apart} and self.is_read(name):
                raise CannotConvertError(f"its output {name!r} cannot be computed")

    def _make(self, name: str) -> Expr:
        if name in self.graph.constants:
            return self._constant(name, self.graph.constants[name])
        if name not in self.graph.producers and self._outer is not None:
            return self._outer.tensor(name)
        if name in self.plan.shape_derived:
            # What cannot be known is computed when the model runs, like any other tensor.
            with suppress(NotKnownError):
                return self._materialized(name, self.value(name))
        if name not in self.graph.producers:
            raise CannotConvertError(f"nothing computes {name!r}")
        self._attempt(self.graph.producers[name])
        if name in self._failed:
            raise DependsOnFailureError
        if name not in self._tensors:
            raise CannotConvertError(f"{name!r}, whose rank a size decides, is asked for by itself")
        return self._tensors[name]

    def _materialized(self, name: str, value: Value) -> Expr:
        if value.is_concrete:
            return self._constant(name, value.array)
        producer = self.graph.producers[name].name
        vector = self.emitter.emit(relax.op.shape_to_tensor(shape_of(value)), [producer])
        shaped = self.emitter.emit(in_shape(vector, value.array.shape), [producer])
        wanted = relax.op.astype(shaped, value.dtype)
        return shaped if value.dtype == "int64" else self.emitter.emit(wanted, [producer])

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
        ty = self.tensor(name).ty
        if not isinstance(ty, relax.TensorType) or ty.shape is None:
            raise NotKnownError(f"the shape of {name!r} is not known")
        return tuple(as_dim(d) for d in ty.shape.values), self.narrow(name) or str(ty.dtype)

    def _constant(self, name: str, array: np.ndarray) -> GenericConst:
        dtype = array.dtype.name
        if dtype not in DTYPES:
            raise CannotConvertError(f"it reads the constant {name!r} of {dtype}")
        if dtype in STORAGE:
            self._narrow[name] = dtype
        return constant(stored(array))
