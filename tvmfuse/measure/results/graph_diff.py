"""Two states of a graph, and what became of its operators."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tvmfuse.measure.words import counted
from tvmfuse.report import OptimizationReport
from tvmfuse.result import Result


@dataclass(frozen=True)
class Operator:
    """One call of an operator, or of a kernel.

    Attributes:
        name: Without its namespace: ``conv``.
        nodes: The ONNX nodes that it computes.
        attributes: As text; empty where it has none.
        result: The dtype and shape of what it computes: ``float32[1, 64, n]``.
        reads: What it reads, in order: the place of an operator in the graph, or the name of one
            of the graph's inputs. Constants are left out.
    """

    name: str
    nodes: tuple[str, ...]
    attributes: str
    result: str
    reads: tuple[int | str, ...]


@dataclass(frozen=True)
class OperatorGraph:
    """A graph's operators in the order in which they run, and what it returns.

    Attributes:
        operators: Each reads only those before it.
        outputs: Places of operators, and names of inputs.
        kernels: How many of the operators are kernels that one run launches; the others of such a
            graph are views and sizes.
    """

    operators: tuple[Operator, ...]
    outputs: tuple[int | str, ...]
    kernels: int = 0

    @property
    def counted(self) -> str:
        """How many operators there are; of kernels, how many are launched.

        >>> add = Operator("add", (), "", "float32[2]", ("x",))
        >>> OperatorGraph((add, add), (1,)).counted, OperatorGraph((add, add), (1,), 1).counted
        ('2', '1 (and 1 that launch nothing)')
        """
        others = len(self.operators) - self.kernels
        if not self.kernels:
            return str(others)
        return f"{self.kernels} (and {others} that launch nothing)" if others else str(self.kernels)

    def names(self, places: Sequence[int]) -> str:
        """Name some operators, each name once with its count, in order.

        >>> add = Operator("add", (), "", "float32[2]", ("x",))
        >>> OperatorGraph((add, add), (1,)).names((0, 1))
        '2 add'
        """
        counts = Counter(self.operators[place].name for place in places)
        return ", ".join(n if c == 1 else f"{c} {n}" for n, c in counts.items()) or "nothing"

    @cached_property
    def users(self) -> tuple[tuple[int, ...], ...]:
        """For each operator, the places of those that use it, each once and in order."""
        found: list[dict[int, None]] = [{} for _ in self.operators]
        for place, operator in enumerate(self.operators):
            for read in operator.reads:
                if isinstance(read, int):
                    found[read][place] = None
        return tuple(map(tuple, found))


@dataclass(frozen=True)
class Change:
    """Some operators that became others, or nothing.

    Attributes:
        before: Their places in the graph before.
        after: The places of what they became in the graph after.
        nodes: The ONNX nodes that both compute.
        passes: Whose doing it was, in running order.
    """

    before: tuple[int, ...]
    after: tuple[int, ...]
    nodes: tuple[str, ...]
    passes: tuple[str, ...]


@dataclass(frozen=True)
class GraphComparison:
    """Two states of a graph.

    Attributes:
        before: The graph before.
        after: The graph after.
        changes: In the order of the graph.
        kept: Each operator that stayed: its places before and after.
        start: What the graph before is, in words: ``level none``.
        end: What the graph after is.
    """

    before: OperatorGraph
    after: OperatorGraph
    changes: tuple[Change, ...]
    kept: tuple[tuple[int, int], ...]
    start: str = ""
    end: str = ""

    def kinds(self) -> tuple[tuple[Change, ...], ...]:
        """Return equal changes together: the same operators, read alike, became the same.

        Shapes may differ, as they do from layer to layer.
        """
        kinds: dict[object, list[Change]] = defaultdict(list)
        for change in self.changes:
            structures = (
                _structure(self.before, change.before),
                _structure(self.after, change.after),
            )
            kinds[structures, change.passes].append(change)
        return tuple(map(tuple, kinds.values()))


@dataclass(frozen=True)
class GraphDiff(Result):
    """Two states of one graph, and what lies between them.

    Attributes:
        model: Its file, or ``the model``.
        start: The first state, in words: ``level none``.
        end: The last state, in words.
        stages: What to compare, by name: ``operators``, and ``kernels`` where passes worked on
            those; or each run of one pass that changed something.
        report: What the passes did.
    """

    model: str
    start: str
    end: str
    stages: Mapping[str, GraphComparison]
    report: OptimizationReport

    @property
    def sentences(self) -> tuple[str, ...]:
        """How many there were before and after, and what stayed."""
        if not self.stages:
            return (f"nothing changed from {self.start} to {self.end}",)
        return tuple(
            f"{name}: {c.before.counted} before, {c.after.counted} after; "
            f"{counted(len(c.changes), 'change')} of {counted(len(c.kinds()), 'kind')}, "
            f"{len(c.kept)} unchanged"
            for name, c in self.stages.items()
        )


def _structure(graph: OperatorGraph, places: Sequence[int]) -> object:
    """Return the operators of a piece and how they read each other."""
    index = {place: i for i, place in enumerate(places)}
    return tuple(
        (graph.operators[p].name, tuple(index.get(r, -1) if isinstance(r, int) else -1
                                        for r in graph.operators[p].reads))
        for p in places
    )  # fmt: skip
