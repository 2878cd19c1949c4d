"""What else the machine does while we measure: whether its numbers can be trusted.

Read from Linux's files (proc(5); Documentation/admin-guide/pm/cpufreq.rst in the kernel's
sources). Where a file does not exist, nothing is known and nothing is said.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from tvmfuse.result import Record

STEAL: Final = 0.03
"""Of the cores' time, that the hypervisor gave to somebody else."""
OTHERS: Final = 0.05
"""Of the cores' time, that other processes took."""
FREQUENCY: Final = 0.10
SPREAD: Final = 0.10
LEAST_TICKS: Final = 100
"""Fewer ticks of the kernel's clock say nothing: one of them is more than a percent."""
LOOK_S: Final = 0.25
"""Seconds between two looks at the frequency."""
TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Machine(Record):
    """What the machine did while it was watched; None where it does not say.

    Attributes:
        cores: That this process may run on.
        steal: Share of these cores' time that the hypervisor gave to others.
        others: Share of these cores' time that other processes took.
        load: Runnable threads of the whole machine, averaged over the last minute.
        mhz: The lowest and the highest frequency, of the fastest of these cores at each look.
        spread: Half of the baseline's times lie within this share of its median.
    """

    cores: int
    steal: float | None = None
    others: float | None = None
    load: float | None = None
    mhz: tuple[float, float] | None = None
    spread: float | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """Why the numbers cannot be trusted; nothing where they can."""
        notes = []
        if self.steal is not None and self.steal > STEAL:
            notes.append(
                f"do not trust these times: another tenant of the machine took "
                f"{_percent(self.steal)} of the time of {self._cores} (steal)"
            )
        if self.others is not None and self.others > OTHERS:
            load = "" if self.load is None else f"; the load average is {self.load:.2f}"
            notes.append(
                f"do not trust these times: preempted by other processes, which took "
                f"{_percent(self.others)} of the time of {self._cores} that this one may use{load}"
            )
        if self.mhz is not None and self.mhz[0] < self.mhz[1] * (1 - FREQUENCY):
            low, high = self.mhz
            notes.append(
                f"do not trust these times: the CPU's frequency moved between {low:.0f} and "
                f"{high:.0f} MHz"
            )
        if self.spread is not None and self.spread > SPREAD:
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
    )


@dataclass
class Watch:
    """Looks at the machine from the first `look` to `finish`; call both outside timed spans.

    Attributes:
        root: Where ``proc`` and ``sys`` are.
        cpus: Numbers of the cores that count.
        own_s: Seconds of CPU time that this process has used.
        now_s: Seconds, to space the looks.
    """

    root: Path = Path("/")
    cpus: Iterable[int] = field(default_factory=lambda: os.sched_getaffinity(0))
    own_s: Callable[[], float] = time.process_time
    now_s: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self.cpus = sorted(self.cpus)
        self._start: tuple[dict[str, int], float] | None = None
        self._mhz: list[float] = []
        self._looked_s = -LOOK_S

    def look(self) -> None:
        """Note the frequency, at most every 250 ms; the first time where the counters stand."""
        if self._start is None:
            self._start = self._ticks(), self.own_s()
        if self.now_s() - self._looked_s >= LOOK_S:
            self._looked_s = self.now_s()
            if mhz := self._frequencies():
                self._mhz.append(max(mhz))

    def finish(self, times: npt.NDArray[np.float64] | None = None) -> Machine:
        """Return what was seen; `times` are the baseline's, in any unit."""
        steal = others = None
        if self._start is not None:
            before, own_s = self._start
            spent = {k: n - before[k] for k, n in self._ticks().items() if k in before}
            if (total := spent.get("total", 0)) >= LEAST_TICKS:
                ours = (self.own_s() - own_s) * TICKS_PER_S
                steal = max(0.0, spent["steal"] / total)
                others = max(0.0, (spent["busy"] - ours) / total)
        return Machine(
            cores=len(list(self.cpus)),
            steal=steal,
            others=others,
            load=self._load(),
            mhz=(min(self._mhz), max(self._mhz)) if self._mhz else None,
            spread=_spread(times),
        )

    def _ticks(self) -> dict[str, int]:
        """Add up ``user nice system idle iowait irq softirq steal`` of the cores that count."""
        text = self._read("proc/stat")
        rows = [re.search(rf"^cpu{cpu} ([\d ]+)$", text, re.MULTILINE) for cpu in self.cpus]
        counts = [[int(n) for n in row[1].split()[:8]] for row in rows if row]
        if not counts or len(counts) < len(rows) or min(map(len, counts)) < 8:
            return {}
        sums = [sum(column) for column in zip(*counts, strict=True)]
        user, nice, system, _idle, _wait, irq, softirq, steal = sums
        busy = user + nice + system + irq + softirq
        return {"total": sum(sums), "busy": busy, "steal": steal}

    def _frequencies(self) -> list[float]:
        folder = "sys/devices/system/cpu"
        texts = (self._read(f"{folder}/cpu{cpu}/cpufreq/scaling_cur_freq") for cpu in self.cpus)
        return [int(text) / 1000 for text in texts if text.strip().isdigit()]

    def _load(self) -> float | None:
        words = self._read("proc/loadavg").split()
        return float(words[0]) if words else None

    def _read(self, path: str) -> str:
        with suppress(OSError):
            return (self.root / path).read_text()
        return ""


def _spread(times: npt.NDArray[np.float64] | None) -> float | None:
    if times is None or len(times) < 8:
        return None
    low, middle, high = np.quantile(times, [0.25, 0.5, 0.75])
    return float((high - low) / 2 / middle)


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"
