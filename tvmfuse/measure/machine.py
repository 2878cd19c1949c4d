"""What else the machine does before and while we measure: whether its numbers can be trusted.

Frequencies are read from Linux's files (Documentation/admin-guide/pm/cpufreq.rst in the kernel's
sources). Where a file does not exist, nothing is known and nothing is said.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from tvmfuse.measure.cpu_time import TICKS_PER_S, CpuTime, cpu_time, family_s, quota, read
from tvmfuse.result import Record

STEAL: Final = 0.03
"""Of the cores' time, that the hypervisor gave to somebody else."""
OTHERS: Final = 0.05
"""Of the cores' time, that other processes took."""
THROTTLED: Final = 0.01
"""Of the time, for which a quota stopped this process."""
FREQUENCY: Final = 0.10
SPREAD: Final = 0.10
LEAST_TICKS: Final = 100
"""Fewer ticks of the kernel's clock say nothing: one of them is more than a percent."""
LOOK_S: Final = 0.25
"""Seconds between two looks at the frequency."""
WINDOW_S: Final = 0.5
"""Seconds that have to be watched, at least, before anything is said of the load."""
SETTLE_S: Final = 0.05
"""Seconds after which the thread pools of the engines do not spin for work any more."""
REST_S: Final = 0.25
"""Seconds of a rest: one tick of a child's CPU time is less of them than `OTHERS`."""


@dataclass(frozen=True)
class Machine(Record):
    """What the machine did while it was watched; None where it does not say.

    Shares are the larger one of those before the measurement and during it.

    Attributes:
        cores: That this process may run on.
        steal: Share of these cores' time that the hypervisor gave to others.
        others: Share of these cores' time that other processes took. Where a quota allows fewer
            cores, it is the share of so many, once the others have filled the rest.
        load: Runnable threads of the whole machine, averaged over the last minute.
        mhz: The lowest and the highest frequency, of the fastest of these cores at each look.
        spread: Half of the baseline's times lie within this share of its median.
        throttled: Share of the time for which a quota stopped this process.
        waited_s: Seconds that were spent on waiting for the machine to be quiet.
        own: Share of these cores' time that this process, and those that descend from it, took
            while it had nothing to do: that is other threads' work, and none of what is timed.
        timed: Whether anything was timed while it was watched.
    """

    cores: int
    steal: float | None = None
    others: float | None = None
    load: float | None = None
    mhz: tuple[float, float] | None = None
    spread: float | None = None
    throttled: float | None = None
    waited_s: float = 0.0
    own: float | None = None
    timed: bool = True

    @property
    def disturbances(self) -> tuple[str, ...]:
        """What takes the cores from this process, as clauses; nothing on a quiet machine."""
        found = []
        if self.others is not None and self.others > OTHERS:
            load = "" if self.load is None else f" (load average {self.load:.2f})"
            found.append(
                f"other processes took {_percent(self.others)} of the time of {self._cores} that "
                f"this one may use{load}"
            )
        if self.own is not None and self.own > OTHERS:
            found.append(
                f"other threads of this process, or its children, took {_percent(self.own)} of the "
                f"time of {self._cores} when nothing was timed"
            )
        if self.steal is not None and self.steal > STEAL:
            found.append(
                f"the hypervisor gave {_percent(self.steal)} of the time of {self._cores} to other "
                "tenants (steal)"
            )
        if self.throttled is not None and self.throttled > THROTTLED:
            found.append(
                f"a CPU quota stopped this process for {_percent(self.throttled)} of the time "
                "(throttling)"
            )
        return tuple(found)

    @property
    def quiet(self) -> bool | None:
        """Whether nothing took the cores from this process; None where the machine does not say."""
        if self.disturbances:
            return False
        return None if self.others is None else True

    @property
    def banner(self) -> str:
        """Why nothing is claimed of the times, in sentences; nothing where they can be trusted."""
        return self.banner_over()

    def banner_over(self, *names: str) -> str:
        """Return the banner, which says what was timed.

        >>> Machine(1, steal=0.2).banner_over()
        'Not quiet: the hypervisor gave 20 % of the time of the core to other tenants (steal). \
What was timed meanwhile gets no verdict.'
        >>> Machine(1).banner_over("ladder", "profile")
        'Load unknown: /proc/stat does not say what else took the core. \
What was timed meanwhile gets no verdict: ladder, profile.'
        """
        if not self.timed or self.quiet:
            return ""
        unknown = f"Load unknown: /proc/stat does not say what else took {self._cores}"
        said = "; ".join(self.disturbances)
        words = ": ".join(filter(None, ("no verdict", ", ".join(names))))
        why = f"Not quiet: {said}" if said else unknown
        return f"{why}. What was timed meanwhile gets {words}."

    @property
    def notes(self) -> tuple[str, ...]:
        """What else a reader has to know: where absolute times mean little."""
        notes = []
        if self.mhz is not None and self.mhz[0] < self.mhz[1] * (1 - FREQUENCY):
            low, high = self.mhz
            notes.append(
                f"the CPU's frequency moved between {low:.0f} and {high:.0f} MHz, so that only the "
                "paired ratios mean something"
            )
        if self.spread is not None and self.spread > SPREAD and not self.disturbances:
            notes.append(
                f"the baseline's own times spread: half of them lie within {_percent(self.spread)} "
                "of the median, so that only the paired ratios mean something"
            )
        return tuple(notes)

    @property
    def _cores(self) -> str:
        return "the core" if self.cores == 1 else f"the {self.cores} cores"


def worst(machines: Sequence[Machine]) -> Machine:
    """Return one record of several measurements (at least one): the worst of each."""

    def most(values: Iterable[float | None]) -> float | None:
        return max((v for v in values if v is not None), default=None)

    seen = [f for m in machines if m.mhz for f in m.mhz]
    return Machine(
        cores=machines[0].cores,
        steal=most(m.steal for m in machines),
        others=most(m.others for m in machines),
        load=most(m.load for m in machines),
        mhz=(min(seen), max(seen)) if seen else None,
        spread=most(m.spread for m in machines),
        throttled=most(m.throttled for m in machines),
        waited_s=sum(m.waited_s for m in machines),
        own=most(m.own for m in machines),
        timed=any(m.timed for m in machines),
    )


@dataclass
class Watch:
    """Looks at the machine from the first `look` to `finish`; call both outside timed spans.

    Attributes:
        root: Where ``proc`` and ``sys`` are.
        cpus: Numbers of the cores that count.
        own_s: Seconds of CPU time that this process and those that descend from it have used.
        now_s: Seconds, to space the looks.
        sleep_s: Does nothing for so many seconds.
    """

    root: Path = Path("/")
    cpus: Iterable[int] = field(default_factory=lambda: os.sched_getaffinity(0))
    own_s: Callable[[], float] = family_s
    now_s: Callable[[], float] = time.monotonic
    sleep_s: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        self.cpus = sorted(self.cpus)
        self._looked_s = -LOOK_S
        self.begin()

    def begin(self) -> None:
        """Forget what was seen: the next look is the first."""
        self._phases: dict[str, _Reading] = {}
        self._mhz: list[float] = []
        self._own: float | None = None

    def look(self, phase: str = "measuring") -> None:
        """Note the frequency, at most every 250 ms; as a phase begins, where the counters stand."""
        if phase not in self._phases:
            self._phases[phase] = self._reading()
        if self.now_s() - self._looked_s >= LOOK_S:
            self._looked_s = self.now_s()
            if mhz := self._frequencies():
                self._mhz.append(max(mhz))

    def rest(self) -> None:
        """Do nothing until enough was seen: what this process takes meanwhile is not what is timed.

        Call it while no run is under way, after the first look.
        """
        cores = len(list(self.cpus))
        window_s = max(WINDOW_S, 1.2 * LEAST_TICKS / TICKS_PER_S / cores)
        last = next(reversed(self._phases.values()))
        self.sleep_s(SETTLE_S)
        own_s, now_s = self.own_s(), self.now_s()
        self.sleep_s(max(REST_S, window_s - (now_s - last.now_s)))
        seconds = self.now_s() - now_s
        if seconds > 0:
            self._own = max(self._own or 0.0, (self.own_s() - own_s) / seconds / cores)

    def finish(self, times: npt.NDArray[np.float64] | None = None) -> Machine:
        """Return what was seen; `times` are the baseline's, in any unit."""
        readings = [*self._phases.values(), self._reading()]
        # A phase may be too short to say anything of it; all of them together less often.
        spans = [*pairwise(readings), (readings[0], readings[-1])]
        seen = [self._between(before, after) for before, after in spans]
        words = read(self.root / "proc/loadavg").split()
        now = Machine(
            cores=len(list(self.cpus)),
            load=float(words[0]) if words else None,
            mhz=(min(self._mhz), max(self._mhz)) if self._mhz else None,
            spread=_spread(times),
            own=self._own,
        )
        return worst([now, *seen])

    def _reading(self) -> _Reading:
        return _Reading(cpu_time(self.root, self.cpus), self.own_s(), self.now_s())

    def _between(self, before: _Reading, after: _Reading) -> Machine:
        """Return the shares of a span; nothing of one that is too short to say."""
        cores = len(list(self.cpus))
        if before.cpu is None or after.cpu is None:
            return Machine(cores)
        total = after.cpu.total - before.cpu.total
        if total < LEAST_TICKS:
            return Machine(cores)
        ours = (after.own_s - before.own_s) * TICKS_PER_S
        foreign = max(0.0, (after.cpu.busy - before.cpu.busy - ours) / total)
        throttled = None
        if before.cpu.throttled_s is not None and after.cpu.throttled_s is not None:
            seconds = total / cores / TICKS_PER_S
            throttled = (after.cpu.throttled_s - before.cpu.throttled_s) / seconds
        return Machine(
            cores,
            steal=max(0.0, (after.cpu.steal - before.cpu.steal) / total),
            others=_of_ours(foreign, cores, quota(self.root)),
            throttled=throttled,
        )

    def _frequencies(self) -> list[float]:
        folder = self.root / "sys/devices/system/cpu"
        texts = (read(folder / f"cpu{cpu}/cpufreq/scaling_cur_freq") for cpu in self.cpus)
        return [int(text) / 1000 for text in texts if text.strip().isdigit()]


@dataclass(frozen=True)
class _Reading:
    """Where the counters stand."""

    cpu: CpuTime | None
    own_s: float
    now_s: float


def _of_ours(foreign: float, cores: int, allowed: float | None) -> float:
    """Return what others take of the cores that we may use: they fill the rest first.

    In a container /proc/stat is the host's, most of whose cores are none of ours.

    >>> _of_ours(0.5, 8, None), _of_ours(0.5, 8, 2.0), _of_ours(0.875, 8, 2.0)
    (0.5, 0.0, 0.5)
    """
    if allowed is None or allowed >= cores:
        return foreign
    return max(0.0, foreign * cores - (cores - allowed)) / allowed


def _spread(times: npt.NDArray[np.float64] | None) -> float | None:
    if times is None or len(times) < 8:
        return None
    low, middle, high = np.quantile(times, [0.25, 0.5, 0.75])
    return float((high - low) / 2 / middle)


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"
