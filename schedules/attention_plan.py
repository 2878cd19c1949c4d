"""The plan of attention, which computes some queries at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmfuse.schedules.plans import NestPlan


@dataclass(frozen=True, kw_only=True)
class AttentionPlan(NestPlan):
    """Attention, some queries at a time.

    Attributes:
        query_block: Queries whose scores are computed at a time.
        key_block: Keys at a time; None for all of them.
        heads: Heads that read the same copy of keys and values.
    """

    kind: ClassVar[str] = "attention"
    query_block: int
    key_block: int | None = None
    heads: int = 1

    @property
    def steps(self) -> tuple[str, ...]:
        return (*super().steps, *(("KeyBlocking",) if self.key_block is not None else ()))

    @property
    def words(self) -> str:
        keys = "all" if self.key_block is None else str(self.key_block)
        together = f", {self.heads} heads together" if self.heads > 1 else ""
        return f"{self.query_block} queries x {keys} keys{together}"
