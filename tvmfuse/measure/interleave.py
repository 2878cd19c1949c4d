"""Run several arms in turn, so that whatever else the machine does hits them alike.

A drifting clock frequency or a noisy neighbour shifts all arms of a round, and drops out of
their ratio. The order is balanced in blocks of two rounds, a random permutation and its
mirror image (for two arms ABBA or BAAB): a linear drift drops out too, and no arm always
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

from tvmfuse.errors import ConfigurationError
from tvmfuse.progress import Progress, Step, silent

Run = Callable[[], object]

TICKS: Final = 100
"""One tick of the clock may be at most 1 % of a sample."""

WARM_UP_FLOOR_S: Final = 0.1
"""Frequency governors look every 10 ms, and climb in several steps."""

WINDOW: Final = 5
SETTLED: Final = 0.05
"""Warm: the medians of the last two windows of 5 runs differ by at most 5 %."""


@dataclass(frozen=True)
class Clock:
    """A monotonic clock in nanoseconds, and its finest step."""

    now: Callable[[], int]
    resolution_ns: int


@dataclass(frozen=True, eq=False)
class Samples:
    """What was measured; only whole rounds are kept."""

    milliseconds: npt.NDArray[np.float64]
    """[rounds, arms]: the time of one run."""
    calls: tuple[int, ...]
    """How many runs one sample of each arm averages."""
    settled: bool
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


def system_clock() -> Clock:
    """Return `time.perf_counter_ns` with the step that it really makes on this machine."""
    steps = [-time.perf_counter_ns() + time.perf_counter_ns() for _ in range(1_000)]
    return Clock(time.perf_counter_ns, max(1, int(np.median([s for s in steps if s] or [1]))))


def interleave(
    runs: Sequence[Run],
    *,
    duration_s: float | None = 10.0,
    rounds: int | None = None,
    least_rounds: int = 2,
    warm_up_s: float = 2.0,
    pause_s: float = 0.0,
    seed: int = 0,
    progress: Progress | None = None,
    clock: Clock | None = None,
) -> Samples:
    """Time the arms in balanced order until the duration is over or the rounds are done.

    At least one block of two rounds is run; Ctrl-C ends the measurement and keeps what was
    measured until then. An arm's own exception is raised.

    Args:
        runs: One callable per arm; a call is one run.
        duration_s: Seconds to measure, after the warm-up; None: until `rounds` are done.
        rounds: How many samples of each arm (rounded up to whole blocks); None: any number.
        least_rounds: How many samples of each arm are taken though the duration is over.
        warm_up_s: Seconds after which the warm-up ends, stable or not.
        pause_s: Seconds to wait before each sample, followed by a run that is not timed: thread
            pools spin after a run, and would take a core from the next arm.
        seed: Of the order.
        progress: Called with ``warming up`` and ``measuring``, and the share of each that is done,
            outside the timed spans.
        clock: The clock to read; None: the system's.

    Raises:
        ConfigurationError: Neither a duration nor a number of rounds says when to stop, or one
            of the times is negative, infinite or NaN.
    """
    if not (duration_s or rounds) or not (_some(duration_s) and _some(rounds)):
        raise ConfigurationError(
            "expected duration_s= or rounds= above 0, and both finite, "
            f"found {duration_s} and {rounds}"
        )
    if not all(0 <= seconds < math.inf for seconds in (warm_up_s, pause_s)):
        raise ConfigurationError(
            f"expected warm_up_s and pause_s of 0 or more, and finite, found {warm_up_s} "
            f"and {pause_s}"
        )
    clock = clock or system_clock()
    report = progress or silent
    rows: list[list[float]] = []
    calls, settled, interrupted = [1] * len(runs), False, False
    try:
        with collector_off():
            settled, fastest_ns = _warm_up(runs, clock, warm_up_s, report)
            calls = [max(1, math.ceil(TICKS * clock.resolution_ns / ns)) for ns in fastest_ns]
            begin = clock.now()
            for order in balanced_orders(len(runs), seed):
                row = [0.0] * len(runs)
                for arm in order:
                    _let_others_rest(runs[arm], pause_s)
                    row[arm] = _sample_ns(runs[arm], calls[arm], clock) / 1e6
                rows.append(row)
                done = _share(clock.now() - begin, duration_s, len(rows), rounds)
                done = min(done, len(rows) / least_rounds)
                report(Step("measuring", min(done, 1.0)))
                if done >= 1 and len(rows) % 2 == 0:
                    break
    except KeyboardInterrupt:
        interrupted = True
    table = np.array(rows, dtype=np.float64).reshape(-1, len(runs))
    return Samples(table, tuple(calls), settled, interrupted)


def balanced_orders(arms: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Yield orders for ever: a random permutation, its mirror image, the next permutation.

    >>> orders = balanced_orders(3, seed=0)
    >>> [next(orders) for _ in range(4)]
    [(2, 0, 1), (1, 0, 2), (2, 1, 0), (0, 1, 2)]
    """
    rng = np.random.default_rng(seed)
    while True:
        order = tuple(int(arm) for arm in rng.permutation(arms))
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


def _some(limit: float | None) -> bool:
    """Whether a limit is not given, or one that is reached."""
    return not limit or 0 < limit < math.inf


def _warm_up(
    runs: Sequence[Run], clock: Clock, limit_s: float, report: Progress
) -> tuple[bool, list[float]]:
    """Run all arms in turn until their times are stable; return each arm's fastest run in ns."""
    history = [deque[float](maxlen=2 * WINDOW) for _ in runs]
    fastest = [math.inf] * len(runs)
    begin = clock.now()
    while True:
        for arm, run in enumerate(runs):
            spent = _sample_ns(run, 1, clock)
            history[arm].append(spent)
            fastest[arm] = min(fastest[arm], spent)
        elapsed_s = (clock.now() - begin) / 1e9
        settled = elapsed_s >= min(WARM_UP_FLOOR_S, limit_s) and all(map(_is_stable, history))
        if settled or elapsed_s >= limit_s:
            report(Step("warming up", 1.0))
            return settled, fastest
        report(Step("warming up", elapsed_s / limit_s))


def _let_others_rest(run: Run, pause_s: float) -> None:
    if pause_s > 0:
        time.sleep(pause_s)
        run()


def _is_stable(history: deque[float]) -> bool:
    times = list(history)
    if len(times) < 2 * WINDOW:
        return False
    change = float(np.median(times[WINDOW:]) / np.median(times[:WINDOW])) - 1
    return abs(change) <= SETTLED


def _sample_ns(run: Run, calls: int, clock: Clock) -> float:
    begin = clock.now()
    for _ in range(calls):
        run()
    return max(1.0, (clock.now() - begin) / calls)  # a ratio of zeros says nothing


def _share(spent_ns: int, duration_s: float | None, done: int, rounds: int | None) -> float:
    by_time = spent_ns / 1e9 / duration_s if duration_s else 0.0
    return max(by_time, done / rounds if rounds else 0.0)
