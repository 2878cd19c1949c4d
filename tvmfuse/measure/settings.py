"""How something is measured, as one value that travels through all of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from tvmfuse.errors import ConfigurationError
from tvmfuse.measure.agreement import TOLERANCE
from tvmfuse.measure.clock import Clock
from tvmfuse.measure.machine import Watch
from tvmfuse.measure.statistics import CONFIDENCE
from tvmfuse.progress import Progress, silent


@dataclass(frozen=True)
class Quiet:
    """How quiet the machine has to be before anything is timed.

    Attributes:
        wait_s: Seconds to wait for that, at most; all measurements of one call share them.
        required: Whether nothing is timed where it is not. What happens while times are taken
            stands in the result (`Machine.quiet`).

    Raises:
        ConfigurationError: The time is negative, infinite or NaN.
    """

    wait_s: float = 0.0
    required: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.wait_s < math.inf:
            raise ConfigurationError(
                f"expected wait_s of 0 or more, and finite, found {self.wait_s}"
            )

    def after(self, waited_s: float) -> Quiet:
        """Return what is left after so many seconds."""
        return replace(self, wait_s=max(0.0, self.wait_s - waited_s))


@dataclass(frozen=True)
class MeasureSettings:
    """What a measurement depends on besides what is measured.

    Attributes:
        duration_s: Seconds to measure, after the warm-up; None: until `rounds` are done.
        rounds: How many samples of each variant; None: as many as fit in the duration.
        least_rounds: How many samples of each variant are taken though the duration is over.
        warm_up_s: Seconds after which the warm-up ends, stable or not.
        pause_s: Seconds to wait before each sample, followed by a run that is not timed: thread
            pools spin after a run, and would take a core from the next variant.
        threads: Threads that compute one run; None lets the runtime choose.
        tolerance: Of the largest error, by the largest magnitude of the reference's output.
        confidence: With which all intervals together hold the truth.
        seed: Seed for random inputs, for the order and for the bootstrap.
        progress: Called with each step and the share of it that is done, never while timing.
        clock: The clock to read; None: the system's.
        watch: Of the machine; None: of this one.
        quiet: How quiet the machine has to be.

    Raises:
        ConfigurationError: Neither a duration nor a number of rounds says when to stop, or one
            of the times is negative, infinite or NaN.
    """

    duration_s: float | None = 10.0
    rounds: int | None = None
    least_rounds: int = 2
    warm_up_s: float = 2.0
    pause_s: float = 0.0
    threads: int | None = None
    tolerance: float = TOLERANCE
    confidence: float = CONFIDENCE
    seed: int = 0
    progress: Progress = silent
    clock: Clock | None = None
    watch: Watch | None = None
    quiet: Quiet = Quiet()

    def __post_init__(self) -> None:
        stops = self.duration_s or self.rounds
        if not stops or not (_reached(self.duration_s) and _reached(self.rounds)):
            raise ConfigurationError(
                "expected duration_s= or rounds= above 0, and both finite, "
                f"found {self.duration_s} and {self.rounds}"
            )
        if not all(0 <= seconds < math.inf for seconds in (self.warm_up_s, self.pause_s)):
            raise ConfigurationError(
                "expected warm_up_s and pause_s of 0 or more, and finite, "
                f"found {self.warm_up_s} and {self.pause_s}"
            )

    @property
    def watching(self) -> Watch:
        """The watch; a new one of this machine where none is given."""
        return self.watch or Watch()


def _reached(limit: float | None) -> bool:
    """Whether a limit is not given, or one that is reached."""
    return not limit or 0 < limit < math.inf
