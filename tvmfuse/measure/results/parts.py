"""What the parts of a model take of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmfuse.manifest import OURS, TEXT, PartNode
from tvmfuse.result import Result

HOST: Final = "the host, for strings and maps,"
"""Who computes the text parts."""


@dataclass(frozen=True)
class PartShare:
    """One part.

    Attributes:
        engine: Who computes it.
        nodes: What it computes.
        milliseconds: Of a run; None where none was timed.
        share: Of the run.
    """

    engine: str
    nodes: tuple[PartNode, ...]
    milliseconds: float | None = None
    share: float | None = None


@dataclass(frozen=True)
class Parts(Result):
    """The parts of a model, in the order of a run.

    Attributes:
        model: Its name.
        parts: The parts.
        runs: How many were timed; each figure is their median.
        not_timed: Why none was.
    """

    model: str
    parts: tuple[PartShare, ...]
    runs: int
    not_timed: str = ""

    @property
    def sentence(self) -> str:
        """How much of the model, and of a run, is not compiled, and who computes it."""
        others = [part for part in self.parts if part.engine != OURS]
        count, nodes = (sum(len(p.nodes) for p in parts) for parts in (others, self.parts))
        who = ", ".join(dict.fromkeys(HOST if p.engine == TEXT else p.engine for p in others))
        said = f"{who} computes {count} of {nodes}"
        if self.not_timed:
            return f"{said} nodes; no run was timed: {self.not_timed}"
        share = sum(part.share or 0.0 for part in others)
        return f"{said} nodes, in {share:.0%} of a run on random inputs"
