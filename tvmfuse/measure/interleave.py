"""Run several variants in turn, so that whatever else the machine does hits them alike.

A drifting clock frequency or a noisy neighbour shifts all variants of a round, and drops out of
their ratio. The order is balanced in blocks of two rounds, a random permutation and its
mirror image (for two variants ABBA or BAAB): a linear drift drops out too, and no variant always
runs first. Nothing else runs meanwhile: the garbage collector is off, progress is
reported between rounds.
"""

from __future__ import annotations

import gc
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tvmfuse.measure.clock import Clock, system_clock
from tvmfuse.measure.settings import MeasureSettings
from tvmfuse.progress import Progress, Step

Run = Callable[[], object]

TICKS: Final = 100
"""One tick of the clock may be at most 1 % of a sample."""

WARM_UP_FLOOR_S: Final = 0.1
"""Frequency governors look every 10 ms, and climb in several steps."""

WINDOW: Final = 5
WARM: Final = 0.05
"""Warm: the medians of the last two windows of 5 runs differ by at most 5 %."""


@dataclass(frozen=True, eq=False)
class Samples:
    """What was measured; only whole rounds are kept."""

    milliseconds: npt.NDArray[np.float64]
    """[rounds, variants]: the time of one run."""
    calls: tuple[int, ...]
    """How many runs one sample of each variant averages."""
    warm: bool
    """Whether the warm-up ended because times were stable, and not because its time was up."""
    interrupted: bool

    def ratios(self, numerator: int, denominator: int) -> npt.NDArray[np.float64]:
        """Return one ratio per block of two mirrored rounds.

        It is the geometric mean of the rounds' ratios, so that what running second costs
        multiplies and divides it once.
        """
        logs = np.log(self.milliseconds[:, numerator] / self.milliseconds[:, denominator])
        blocks = logs[: len(logs) // 2 * 2].reshape(-1, 2)
        ratios: npt.NDArray[np.float64] = np.exp(blocks.mean(axis=1))
        return ratios


def interleave(runs: Sequence[Run], settings: MeasureSettings) -> Samples:
    """Time the variants in balanced order until the duration is over or the rounds are done.

    At least one block of two rounds is run; Ctrl-C ends the measurement and keeps what was
    measured until then. A variant's own exception is raised.

    Args:
        runs: One callable per variant; a call is one run.
        settings: How long, with which clock, in which order.
    """
    clock = settings.clock or system_clock()
    rows: list[list[float]] = []
    calls, warm, interrupted = [1] * len(runs), False, False
    try:
        with collector_off():
            warm, fastest_ns = _warm_up(runs, clock, settings.warm_up_s, settings.progress)
            calls = [max(1, math.ceil(TICKS * clock.resolution_ns / ns)) for ns in fastest_ns]
            begin = clock.now()
            for order in balanced_orders(len(runs), settings.seed):
                row = [0.0] * len(runs)
                for variant in order:
                    _let_others_rest(runs[variant], settings.pause_s)
                    row[variant] = _sample_ns(runs[variant], calls[variant], clock) / 1e6
                rows.append(row)
                done = _share(clock.now() - begin, len(rows), settings)
                settings.progress(Step("measuring", min(done, 1.0)))
                if done >= 1 and len(rows) % 2 == 0:
                    break
    except KeyboardInterrupt:
        interrupted = True
    table = np.array(rows, dtype=np.float64).reshape(-1, len(runs))
    return Samples(table, tuple(calls), warm, interrupted)


def balanced_orders(variants: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Yield orders for ever: a random permutation, its mirror image, the next permutation.

    >>> orders = balanced_orders(3, seed=0)
    >>> [next(orders) for _ in range(4)]
    [(2, 0, 1), (1, 0, 2), (2, 1, 0), (0, 1, 2)]
    """
    rng = np.random.default_rng(seed)
    while True:
        order = tuple(int(variant) for variant in rng.permutation(variants))
        yield order
        yield order[::-1]


@contextmanager
def collector_off() -> Iterator[None]:
    """Collect garbage now, then not until the block ends."""
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _warm_up(
    runs: Sequence[Run], clock: Clock, limit_s: float, progress: Progress
) -> tuple[bool, list[float]]:
    """Run all in turn until their times are stable; return each variant's fastest run in ns."""
    history = [deque[float](maxlen=2 * WINDOW) for _ in runs]
    fastest = [math.inf] * len(runs)
    begin = clock.now()
    while True:
        for variant, run in enumerate(runs):
            spent = _sample_ns(run, 1, clock)
            history[variant].append(spent)
            fastest[variant] = min(fastest[variant], spent)
        elapsed_s = (clock.now() - begin) / 1e9
        warm = elapsed_s >= min(WARM_UP_FLOOR_S, limit_s) and all(map(_is_stable, history))
        if warm or elapsed_s >= limit_s:
            progress(Step("warming up", 1.0))
            return warm, fastest
        progress(Step("warming up", elapsed_s / limit_s))


def _let_others_rest(run: Run, pause_s: float) -> None:
    if pause_s > 0:
        time.sleep(pause_s)
        run()


def _is_stable(history: deque[float]) -> bool:
    times = list(history)
    if len(times) < 2 * WINDOW:
        return False
    change = float(np.median(times[WINDOW:]) / np.median(times[:WINDOW])) - 1
    return abs(change) <= WARM


def _sample_ns(run: Run, calls: int, clock: Clock) -> float:
    begin = clock.now()
    for _ in range(calls):
        run()
    return max(1.0, (clock.now() - begin) / calls)  # a ratio of zeros says nothing


def _share(spent_ns: int, done: int, settings: MeasureSettings) -> float:
    """Return how much is done: of the duration or of the rounds, whichever is over sooner."""
    by_time = spent_ns / 1e9 / settings.duration_s if settings.duration_s else 0.0
    by_rounds = done / settings.rounds if settings.rounds else 0.0
    return min(max(by_time, by_rounds), done / settings.least_rounds)
