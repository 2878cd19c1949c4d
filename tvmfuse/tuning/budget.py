"""How long tuning may take, and how much of that is spent."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from tvmfuse.progress import Progress, Step

#: Of the budget, for confirming at the end; and seconds, at least.
CONFIRMING: Final = 0.1
CONFIRMING_S: Final = 4.0


@dataclass(frozen=True)
class Budget:
    """How long tuning may take.

    Attributes:
        begin_s: When it began, as `time.monotonic` has it.
        seconds: That it may take.
        trials: How many plans may be timed; None for as many as there is time for.
        progress: Told how much is spent.
    """

    begin_s: float
    seconds: float
    trials: int | None
    progress: Progress

    @property
    def spent_s(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.begin_s

    @property
    def confirming_s(self) -> float:
        """Seconds that are left for the end."""
        return max(CONFIRMING * self.seconds, min(CONFIRMING_S, self.seconds / 2))

    @property
    def share(self) -> float:
        """How much is spent, from 0 to 1."""
        return min(1.0, self.spent_s / self.seconds)

    def report(self, words: str) -> None:
        """Say what is done next."""
        self.progress(Step(words, self.share))
