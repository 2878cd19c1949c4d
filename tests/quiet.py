"""Machines for tests that measure: one that is quiet, and files that say what is wanted."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tvmfuse.measure.cpu_time import TICKS_PER_S
from tvmfuse.measure.machine import Machine, Watch

CORES = 2


class QuietMachine(Watch):
    """A watch that needs no time, and says that nothing else takes the cores."""

    def rest(self) -> None:
        pass

    def finish(self, times: npt.NDArray[np.float64] | None = None) -> Machine:
        return replace(super().finish(times), others=0.0)


def is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let measurements watch a machine that is quiet: this one may be busy with other work."""
    quiet = functools.partial(QuietMachine, Path("/nowhere"))
    monkeypatch.setattr("tvmfuse.measure.settings.Watch", quiet)


class BusyMachine:
    """Files of a machine of two cores, on which others take a share of each second that passes.

    Attributes:
        others: Their share; shares, one for each look, and the last one from then on.
        watch: What looks at it.
    """

    def __init__(self, root: Path, *others: float) -> None:
        self.root, self.others, self.second = root, list(others), 0
        self.total = self.busy = 0.0
        (root / "proc").mkdir(parents=True, exist_ok=True)
        self.watch = Watch(
            root, cpus=range(CORES), own_s=self._pass, now_s=lambda: float(self.second),
            sleep_s=lambda _seconds: None,
        )  # fmt: skip
        self._write()

    def _pass(self) -> float:
        """Let a second pass after each reading of the counters; of it this process takes nothing."""
        share = self.others.pop(0) if len(self.others) > 1 else self.others[0]
        self.second += 1
        self.total += TICKS_PER_S
        self.busy += TICKS_PER_S * share
        self._write()
        return 0.0

    def _write(self) -> None:
        idle = round(self.total - self.busy)
        lines = [f"cpu{core} {round(self.busy)} 0 0 {idle} 0 0 0 0 0 0" for core in range(CORES)]
        (self.root / "proc/stat").write_text("\n".join(lines) + "\n")
