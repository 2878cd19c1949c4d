"""What became of the graphs that torch handed over: plain data, to read and to print."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from torch._dynamo.exc import BackendCompilerFailed
from torch._dynamo.utils import CompilationMetrics, get_compilation_metrics

REMEMBERED: Final = 1000
"""How many graphs a process remembers, the last ones."""


@dataclass(frozen=True)
class EagerNode:
    """A node that torch computes.

    Attributes:
        name: In the graph.
        operator: What it calls.
        where: The line of the program that it comes from, ``file:line``; empty if unknown.
        why: Why it is not compiled.
    """

    name: str
    operator: str
    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.operator} ({', '.join(filter(None, (self.name, self.where)))}): {self.why}"


@dataclass(frozen=True)
class GroupReport:
    """Nodes that are compiled as one.

    Attributes:
        name: In the graph.
        operators: What its nodes call, in order.
        kernels: How many kernels one call launches.
        held_nbytes: Bytes of weights that the machine code holds for itself as it was compiled:
            packed, folded or copied. All others lie in the module's parameters.
    """

    name: str
    operators: tuple[str, ...]
    kernels: int
    held_nbytes: int = 0


@dataclass(frozen=True)
class GraphReport:
    """A graph that was compiled.

    Attributes:
        kind: `forward`, `backward` or `inference`.
        groups: What is compiled.
        eager: What is not. Views, sizes and parts of tuples take no time, and are not listed.
        broken: Why Dynamo's graph ends before the function does, and where; empty if it does not.
    """

    kind: str
    groups: tuple[GroupReport, ...]
    eager: tuple[EagerNode, ...]
    broken: str = ""

    def __str__(self) -> str:
        nodes = sum(len(group.operators) for group in self.groups)
        kernels = sum(group.kernels for group in self.groups)
        held = sum(group.held_nbytes for group in self.groups)
        said = f"{self.kind}: {nodes} nodes in {len(self.groups)} groups, {kernels} kernels"
        said += f", {held / 1e6:.3g} MB of weights beside the module's" * (held > 0)
        broken = [f"  the graph breaks at {self.broken}"] if self.broken else []
        return "\n".join([said, *(f"  in eager: {node}" for node in self.eager), *broken])


@dataclass(frozen=True)
class Frame:
    """A function as Dynamo met it.

    Attributes:
        function: Its name.
        where: Its first line, ``file:line``.
        why: Why Dynamo captured nothing of it, or compiled it again, or what the error was.
    """

    function: str
    where: str
    why: str

    def __str__(self) -> str:
        return f"{self.function} ({self.where}): {self.why}"


@dataclass(frozen=True)
class TorchReport:
    """What torch.compile did in this process.

    Attributes:
        graphs: Those that tvmfuse compiled, in order.
        uncaptured: Functions of which Dynamo captured nothing, so that all of them is in eager,
            whatever the backend is.
        recompiled: Functions that were compiled once more.
        failed: Functions whose compilation ended in an error: of an option, or of `fullgraph`.
    """

    graphs: tuple[GraphReport, ...]
    uncaptured: tuple[Frame, ...]
    recompiled: tuple[Frame, ...]
    failed: tuple[Frame, ...] = ()

    def __str__(self) -> str:
        return "\n".join(
            [
                *([] if self.graphs else ["no graph came to tvmfuse"]),
                *map(str, self.graphs),
                *(f"Dynamo captured nothing of {frame}" for frame in self.uncaptured),
                *(f"compiled again: {frame}" for frame in self.recompiled),
                *(f"an error ended the compilation of {frame}" for frame in self.failed),
            ]
        )


_graphs: Final[deque[GraphReport]] = deque(maxlen=REMEMBERED)


def report() -> TorchReport:
    """Return what became of all that was compiled since the process began, or since `forget`.

    Dynamo remembers its last 64 functions.
    """
    frames = get_compilation_metrics()
    stopped = [f for f in frames if f.fail_reason and not f.graph_op_count]
    failed = [f for f in stopped if f.fail_type == BackendCompilerFailed.__name__]
    return TorchReport(
        tuple(_graphs),
        tuple(_frame(f, f.fail_reason) for f in stopped if f not in failed),
        tuple(_frame(f, f.recompile_reason) for f in frames if f.recompile_reason),
        tuple(_frame(f, f.fail_reason) for f in failed),
    )


def forget() -> None:
    """Forget the graphs so far; Dynamo's own memory is `torch._dynamo.utils`'."""
    _graphs.clear()


def remember(graph: GraphReport) -> None:
    """Take note of a graph that was compiled."""
    _graphs.append(graph)


def short(reason: str) -> str:
    """Return what Dynamo says of a reason, and the first hint, on one line."""
    return "; ".join(_kept(reason))


def _kept(reason: str) -> Iterator[str]:
    hints = 0
    for line in filter(None, map(str.strip, reason.splitlines())):
        if line.startswith(("User stack trace", "Developer debug context")):
            return
        hints += line.startswith("Hint:")
        if hints < 2:
            yield " ".join(line.split())


def _frame(metrics: CompilationMetrics, why: str | None) -> Frame:
    where = f"{metrics.co_filename}:{metrics.co_firstlineno}"
    return Frame(str(metrics.co_name), where, short(why or ""))
