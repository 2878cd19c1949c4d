"""What converts a graph, as a choice between graphs sees it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from tvm.ir import Expr

from tvmfuse.frontend.emitter import Emitter
from tvmfuse.frontend.onnx.evaluate import Evaluator
from tvmfuse.frontend.onnx.graph import Graph, Node
from tvmfuse.frontend.onnx.plan import Plan
from tvmfuse.frontend.onnx.values import Value
from tvmfuse.frontend.refusals import Refusal


class Waiting(Protocol):
    """See `choice.Chooser`."""

    @property
    def dependents(self) -> Mapping[Node, Collection[str]]:
        """The nodes that read what is chosen, be it through others, and what they read."""


class GraphContext(Protocol):
    """See `builder.GraphBuilder`."""

    graph: Graph
    plan: Plan
    emitter: Emitter
    evaluator: Evaluator
    refusals: list[Refusal]
    open_ended: bool

    @property
    def choosing(self) -> Sequence[Waiting]:
        """The choices that are being converted, the outermost first."""

    def build(self) -> list[Expr]:
        """Convert all needed nodes; return the outputs, or nothing after refusals."""

    def tensor(self, name: str) -> Expr:
        """Return what a name stands for, as a variable or a constant."""

    def value(self, name: str) -> Value:
        """Return the numbers that a name stands for; raises NotKnownError."""

    def narrow(self, name: str) -> str | None:
        """Return the type of a value whose tensor holds it in bytes; of others None."""

    def is_in_rows(self, name: str) -> bool:
        """Whether a sequence is held as one tensor with an element in each row."""

    def is_read(self, name: str) -> bool:
        """Whether a node or the caller reads this value."""

    def inlined(self, graph: Graph) -> list[Expr]:
        """Convert a graph inside a node as if its nodes stood here; return its outputs."""

    def part(self, graph: Graph) -> GraphContext:
        """Return what converts a graph inside a node, of which an output may be left open."""

    def count(self, nodes: int, why: str) -> None:
        """Count nodes that are converted once more; raises TooManyNodesError."""

    def made(self, name: str) -> Expr | None:
        """Return the tensor that a name stands for, if there is one."""

    def has_failed(self, name: str) -> bool:
        """Whether what a name stands for was refused."""

    def bind(self, name: str, made: Expr, node: str) -> None:
        """Say which tensor a name stands for, whose node is converted elsewhere."""

    def converted(self, nodes: Sequence[Node], *, apart: Collection[str]) -> None:
        """Say that nodes are converted elsewhere, and which values nobody here reads."""

    def as_it_was(self) -> AbstractContextManager[None]:
        """Forget what is converted meanwhile of this graph and of those around it."""
