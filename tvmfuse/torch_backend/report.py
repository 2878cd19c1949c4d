"""What became of the graphs that torch handed over: plain data, to print and to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tvmfuse.torch_backend.compiled_group import CompiledGroup


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
        return f"{self.operator} ({self.name}{', ' + self.where if self.where else ''}): {self.why}"


@dataclass(frozen=True)
class Group:
    """Nodes that are compiled as one.

    Attributes:
        name: In the graph.
        operators: What its nodes call, in order.
        compiled: The machine code.
    """

    name: str
    operators: tuple[str, ...]
    compiled: CompiledGroup
