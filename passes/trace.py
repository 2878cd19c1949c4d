"""What one pass did to one module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

Nodes = tuple[str, ...]


@dataclass
class Trace:
    """How often a pass fired and where, where it declined and why.

    Attributes:
        limit: The number of rewrites after which the pass stops; None for no limit. Bisection
            finds a wrong rewrite with it.
        fired: For each rewrite, the ONNX nodes that it replaced.
        noted: Whether one of them is a rewrite that the pass's note is about.
        declined: For each place that the pass looked at and left alone, why and its ONNX nodes.
        at: The ONNX nodes of the place that it looked at last: where it failed, if it fails.
    """

    limit: int | None = None
    fired: list[Nodes] = field(default_factory=list)
    declined: list[tuple[str, Nodes]] = field(default_factory=list)
    at: Nodes = ()
    noted: bool = False

    @property
    def exhausted(self) -> bool:
        """Whether the limit is reached."""
        return self.limit is not None and len(self.fired) >= self.limit

    def fire(self, nodes: Iterable[str], *, noted: bool = True) -> None:
        """Record one rewrite, and whether the pass's note is about it."""
        self.fired.append(tuple(nodes))
        self.noted |= noted

    def decline(self, reason: str, nodes: Iterable[str]) -> None:
        """Record one place left alone."""
        self.declined.append((reason, tuple(nodes)))

    @property
    def reasons(self) -> Counter[str]:
        """How many places were left alone for each reason."""
        return Counter(reason for reason, _ in self.declined)
