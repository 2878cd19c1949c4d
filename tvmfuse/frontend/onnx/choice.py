"""A choice between two graphs, of which one runs: If, and what depends on a size like one.

Where both give tensors of one rank and dtype, that is all. What reads a value that is something
else in each of them, one of another rank or a sequence, is converted with both, up to where the
values are tensors of one rank again. A graph behind which that cannot be, by ONNX's own rules, is
never taken by a run that succeeds: the other one takes the node's place, and the model asks for
what chooses it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NoReturn

from onnx import helper
from tvm import relax, tirx
from tvm.ir import Expr

from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx.choice_side import Side, is_settled, words_of
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers
from tvmfuse.frontend.onnx.convert.runtime_shapes import ensure
from tvmfuse.frontend.onnx.graph import Graph, Node
from tvmfuse.frontend.onnx.graph_context import GraphContext
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.onnx.plan import read_by
from tvmfuse.frontend.onnx.values import Value
from tvmfuse.frontend.refusals import CannotConvertError, DependsOnFailureError, Refusal
from tvmfuse.frontend.require import require_shape
from tvmfuse.frontend.symbols import Dim, Symbols, as_dim, written
from tvmfuse.ir.provenance import span_of

#: Nodes behind a choice that are tried with it first, beside those that have to be.
FIRST: Final = 8


@dataclass(frozen=True)
class Choice:
    """What decides, and between what.

    Attributes:
        op: The node.
        test: Whether the first graph runs, a bool of shape ().
        condition: The same as a condition on sizes; None where it is none.
        graphs: The one for true and the one for false, each with an output for one of the node's.
    """

    op: Operation
    test: Expr
    condition: Expr | None
    graphs: tuple[Graph, Graph]

    def holding(self, place: int) -> Expr | None:
        """Return what holds of sizes where a graph runs."""
        if self.condition is None or place == 0:
            return self.condition
        condition: Expr = self.op.symbols.simplify(tirx.Not(self.condition))
        return condition


class _RefusedError(Exception):
    """Something in a graph cannot be converted."""


class Chooser:
    """Converts a choice.

    Args:
        builder: Of the graph that the node stands in.
        choice: What is chosen.
    """

    def __init__(self, builder: GraphContext, choice: Choice) -> None:
        self.builder = builder
        self.choice = choice
        self.op = choice.op
        self.around = {str(symbol.name) for symbol in self.op.symbols.all}
        self.outputs = [o for o in self.op.node.outputs if o and builder.is_read(o)]

    def convert(self) -> list[Expr | None]:
        """Emit the choice; return the node's outputs, None for one that is settled nowhere."""
        copied: list[Node] = []
        while True:
            outputs = self._read_outside(copied)
            sides = [self._side(place, copied, outputs) for place in range(2)]
            if (taken := self._only_way(sides)) is not None:
                return taken
            needed, unsettled, told = self._unsettled(sides, copied)
            self._refuse(sides, needed)
            waiting = self._waiting(needed, unsettled)
            wanted = self._closed([*needed, *waiting[: len(needed) + FIRST]])
            if not set(wanted) <= set(copied):
                copied = wanted
            elif given_back := unsettled & {*self.builder.graph.outputs}:
                return self._ranked(sides, min(given_back))
            elif len(needed) < len(copied):
                copied = needed
            else:
                for name, value in told.items():
                    self.builder.evaluator.tell(name, value)
                settled = [o for o in outputs if o not in unsettled and o not in told]
                if settled != outputs:
                    sides = [self._side(place, copied, settled) for place in range(2)]
                self.builder.converted(copied, apart=unsettled)
                return self._emitted(sides, settled)

    # What the graphs make of it.

    def _side(self, place: int, copied: Sequence[Node], outputs: Sequence[str]) -> Side:
        """Convert one of the graphs with what comes after it."""
        graph, op, builder = self.choice.graphs[place], self.op, self.builder
        named = [
            Node(op.name, op.opset, helper.make_node("Identity", [inside], [outside]), renames=True)
            for inside, outside in zip(graph.outputs, op.node.outputs, strict=False)
            if outside in self.outputs
        ]
        nodes = (*graph.nodes, *named, *copied)
        inner = builder.part(Graph(nodes, (), tuple(outputs), graph.constants))
        builder.count(len(copied), f"copied for both branches of {op.name!r}")
        for name in sorted(inner.plan.captured):
            builder.tensor(name)  # inside a branch it would be out of scope for what comes after

        def emit() -> list[Expr]:
            if (condition := self.choice.holding(place)) is not None:
                op.symbols.assume(condition)
            try:
                made = inner.build()
            except UnsupportedModelError as error:
                raise CannotConvertError(str(error)) from error
            if len(made) < len(outputs):
                raise _RefusedError
            return [tensor for value in made for tensor in self._tensors(value)]

        with builder.as_it_was(), suppress(_RefusedError):
            return Side(inner, builder.emitter.block(emit) if outputs else None)
        return Side(inner, None)

    def _tensors(self, value: Expr) -> list[Expr]:
        if not isinstance(value.ty, relax.TupleType):
            return [value]
        count = len(value.ty.fields)
        return [self.op.emit(relax.TupleGetItem(value, place)) for place in range(count)]

    def _unsettled(
        self, sides: Sequence[Side], copied: Sequence[Node]
    ) -> tuple[list[Node], set[str], dict[str, Value]]:
        """Return what has to be copied, and what is made of it in both graphs.

        Returns:
            Of the nodes those that read what is no tensor of one rank in both, and those in
            between; all that is no such tensor; the numbers that are known and the same.
        """
        needed: list[Node] = []
        while True:
            unsettled, told = set[str](), dict[str, Value]()
            readers: list[Node] = []
            for node in [self.op.node, *copied]:
                if node is not self.op.node and node not in needed:
                    if not read_by(node) & unsettled:
                        continue
                    readers.append(node)
                for name in self.outputs if node is self.op.node else filter(None, node.outputs):
                    if (value := self._same_numbers(sides, name)) is not None:
                        told[name] = value
                    elif name in self.builder.plan.known or not is_settled(sides, name):
                        unsettled.add(name)
            if not readers:
                return needed, unsettled, told
            needed = self._closed([*needed, *readers])

    def _same_numbers(self, sides: Sequence[Side], name: str) -> Value | None:
        """Return what a size or so is known to be, where it is the same in both."""
        if name not in self.builder.plan.shape_derived:
            return None
        one, other = (side.value(name) for side in sides)
        if one is None or other is None or one.array.shape != other.array.shape:
            return None
        pairs = zip(one.elements, other.elements, strict=True)
        same = all(self._is_around(a) and _equal(self.op.symbols, a, b) for a, b in pairs)
        return one if same else None

    # What comes after it.

    @cached_property
    def dependents(self) -> Mapping[Node, Collection[str]]:
        """The nodes that read what is made here, be it through others, and what they read."""
        nodes, changed = self.builder.graph.nodes, set(self.outputs)
        found: dict[Node, Collection[str]] = {}
        for node in nodes[nodes.index(self.op.node) + 1 :]:
            if (names := read_by(node)) & changed:
                found[node] = names
                changed.update(node.outputs)
        return found

    def _read_outside(self, copied: Sequence[Node]) -> list[str]:
        """Return the values made here that others read, or the caller."""
        if not copied:
            return self.outputs
        made = [*self.outputs, *(o for node in copied for o in node.outputs if o)]
        others = set(self.builder.graph.outputs).union(
            *(names for node, names in self.dependents.items() if node not in copied)
        )
        return [name for name in made if name in others]

    def _waiting(self, needed: Sequence[Node], unsettled: Collection[str]) -> list[Node]:
        """Return what reads an unsettled value, be it through others, beside what is copied.

        What waits for a choice that is under way, too, is left to that one.
        """
        around = (other.dependents for other in self.builder.choosing if other is not self)
        left = set(needed).union(*around)
        found, changed = list[Node](), set(unsettled)
        for node, names in self.dependents.items() if unsettled else ():
            if node not in left and changed.intersection(names):
                found.append(node)
                changed.update(node.outputs)
        return found

    def _closed(self, nodes: Sequence[Node]) -> list[Node]:
        """Return nodes in order, and those between them that read what is made here."""
        found, wanted = set[Node](), set[str]()
        for node, names in reversed([*self.dependents.items()]) if nodes else ():
            if node in nodes or wanted.intersection(node.outputs):
                found.add(node)
                wanted.update(names)
        return [node for node in self.dependents if node in found] if nodes else []

    # How it ends.

    def _only_way(self, sides: Sequence[Side]) -> list[Expr | None] | None:
        """Take the one graph behind which the model is one of ONNX's, if there is only one."""
        culprits = [[r for r in s.inner.refusals if r.impossible][:1] for s in sides]
        if all(culprits):
            self._fail([refusal for found in culprits for refusal in found])
        for place, found in enumerate(culprits):
            for culprit in found:
                why = f", whose other branch {culprit.node!r} cannot follow"
                return self._taken(1 - place, why)
        return None

    def _taken(self, place: int, why: str) -> list[Expr | None]:
        """Take one graph, and have the model ask for what chooses it."""
        condition, op = self.choice.holding(place), self.op
        if condition is None or not op.symbols.ask(condition, f"of {op.name!r}{why}"):
            holds = Numbers(op, self.choice.test)
            words = "its condition is true" if place == 0 else "its condition is false"
            ensure(holds if place == 0 else ~holds, words)
        if condition is not None:
            op.symbols.assume(condition)
        return [*self.builder.inlined(self.choice.graphs[place])]

    def _refuse(self, sides: Sequence[Side], needed: Sequence[Node]) -> None:
        """Refuse what one of the graphs, or what has to be copied behind it, asks for in vain."""
        made = [*self.outputs, *(o for node in needed for o in node.outputs)]
        refused: list[Refusal] = []
        for place, side in enumerate(sides):
            if side.inner.refusals and any(map(side.inner.has_failed, made)):
                refused += [replace(r, why=r.why + self._where(place)) for r in side.inner.refusals]
        if refused:
            self._fail(refused)

    def _fail(self, refusals: Sequence[Refusal]) -> NoReturn:
        """Give up the node for the sake of others, which are refused."""
        self.builder.refusals += refusals
        raise DependsOnFailureError

    def _where(self, place: int) -> str:
        if (condition := self.choice.holding(place)) is None:
            return ""
        return f" (where {written(condition)}, of {self.op.name!r}: dims= fixes sizes)"

    def _ranked(self, sides: Sequence[Side], name: str) -> list[Expr | None]:
        """Take the graph that gives the rank which the model states for its output.

        Where it states none of both, take the size that a dimension is compared with for another
        one than is fed.

        Raises:
            CannotConvertError: Nothing is compared, or the inputs do not tell.
        """
        ranks = [[ty.ndim for ty in side.types(name) or ()] for side in sides]
        stated = [self.builder.graph.stated_ranks.get(name)]
        usual = 0 if isinstance(self.choice.condition, tirx.NE) else 1
        place = ranks.index(stated) if ranks.count(stated) == 1 else usual
        condition = self.choice.holding(place)
        if isinstance(condition, tirx.NE | tirx.EQ) and self.op.symbols.tells(condition):
            why = f" (else the output {name!r} has another rank: compile with dims= for that)"
            return self._taken(place, why)
        if self.builder.open_ended:
            self._fail([])  # the choice around it copies what comes after that one, too
        one, other = (words_of(side, name) for side in sides)
        first = self.choice.condition
        where = "its condition is true" if first is None else written(first)
        raise CannotConvertError(
            f"{name!r} is {one} where {where} and else {other}, and what is given back has one "
            "rank: fix the sizes with dims= or shapes=, so that the condition is known"
        )

    def _emitted(self, sides: Sequence[Side], outputs: Sequence[str]) -> list[Expr | None]:
        """Emit an If that gives the settled values."""
        made: dict[str, Expr] = {}
        types = [zip(*(side.types(name) or () for side in sides), strict=True) for name in outputs]
        pairs = [[*each] for each in types]
        results = iter(self._results(sides, [pair for each in pairs for pair in each]))
        for name, each in zip(outputs, pairs, strict=True):
            own = [next(results) for _ in each]
            made[name] = relax.Tuple(own) if sides[0].is_sequence(name) else own[0]
        for name in outputs:
            if name not in self.outputs:
                self.builder.bind(name, made[name], self.op.name)
        return [made.get(name) for name in self.op.node.outputs]

    def _results(
        self, sides: Sequence[Side], types: Sequence[tuple[relax.TensorType, ...]]
    ) -> Iterator[Expr]:
        """Emit an If; yield its results, given the types that they have in both graphs."""
        if not types:
            return
        blocks = [side.block for side in sides]
        result = self.op.emit(relax.If(self.choice.test, *blocks, span=span_of([self.op.name])))
        for place, pair in enumerate(types):
            one = result if len(types) == 1 else self.op.emit(relax.TupleGetItem(result, place))
            yield self._joined(one, *pair)

    def _joined(self, made: Expr, *types: relax.TensorType) -> Expr:
        """Return a result with those dimensions that are the same in both graphs."""
        pairs = zip(*(_dims(ty) for ty in types), require_shape(made), strict=True)
        dims = [
            a if self._is_around(a) and self.op.symbols.equal(a, b) else own for a, b, own in pairs
        ]
        if all(self.op.symbols.equal(*p) for p in zip(dims, require_shape(made), strict=True)):
            return made
        return self.op.match(made, relax.TensorType(dims, made.ty.dtype))

    def _is_around(self, dim: object) -> bool:
        if not isinstance(dim, Expr):
            return True
        return {str(symbol.name) for symbol in tirx.analysis.undefined_vars(dim)} <= self.around


def _equal(symbols: Symbols, a: object, b: object) -> bool:
    if isinstance(a, int | Expr) and isinstance(b, int | Expr):
        return str(a) == str(b) or symbols.equal(a, b)
    return a == b


def _dims(ty: relax.TensorType) -> list[Dim]:
    return [as_dim(dim) for dim in ty.shape.values]
