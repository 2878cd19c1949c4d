"""Who has used the cores so far: this process, other ones, the hypervisor; and how long it stood.

Read from Linux's files (proc(5); Documentation/admin-guide/cgroup-v2.rst in the kernel's sources).
Where a file does not exist, nothing is known.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class CpuTime:
    """Counters at one moment; the difference of two says what happened between them.

    Attributes:
        total: Ticks of the cores together.
        busy: Ticks in which they computed, for whomever.
        steal: Ticks that the hypervisor gave to others.
        throttled_s: Seconds for which a quota stopped this process's control group; None where it
            has no quota.
    """

    total: int
    busy: int
    steal: int
    throttled_s: float | None


def cpu_time(root: Path, cpus: Iterable[int]) -> CpuTime | None:
    """Add up ``user nice system idle iowait irq softirq steal`` of some cores."""
    text = read(root / "proc/stat")
    rows = [re.search(rf"^cpu{cpu} ([\d ]+)$", text, re.MULTILINE) for cpu in cpus]
    counts = [[int(n) for n in row[1].split()[:8]] for row in rows if row]
    if not counts or len(counts) < len(rows) or min(map(len, counts)) < 8:
        return None
    sums = [sum(column) for column in zip(*counts, strict=True)]
    user, nice, system, _idle, _wait, irq, softirq, steal = sums
    return CpuTime(sum(sums), user + nice + system + irq + softirq, steal, _throttled_s(root))


def family_s() -> float:
    """Return the seconds of CPU time of this process and of all that descend from it."""
    reaped = os.times()
    alive = (_spent_s(pid) for pid in _descendants(os.getpid()))
    return time.process_time() + reaped.children_user + reaped.children_system + sum(alive)


def quota(root: Path) -> float | None:
    """Return how many cores the control group may use; None where it has no quota."""
    for folder in _groups(root):
        limit, _, period = read(folder / "cpu.max").strip().partition(" ")
        if not limit:
            limit, period = (
                read(folder / f"cpu.cfs_{what}_us").strip() for what in ("quota", "period")
            )
        if limit.isdigit() and period.isdigit():
            return int(limit) / int(period)
    return None


def read(path: Path) -> str:
    """Return what a file holds; nothing where it cannot be read."""
    with suppress(OSError):
        return path.read_text()
    return ""


def _groups(root: Path) -> Iterator[Path]:
    """Yield where files of our control group may be: within a container its root is ours."""
    for line in read(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        for mount in ("cpu", "cpu,cpuacct", "unified", ""):
            for place in (path.lstrip("/"), ""):
                yield root / "sys/fs/cgroup" / mount / place


def _throttled_s(root: Path) -> float | None:
    """Read ``throttled_usec`` of version 2, or ``throttled_time`` of version 1."""
    units = {"throttled_usec": 1e-6, "throttled_time": 1e-9}
    for folder in _groups(root):
        found = re.search(r"^(throttled_usec|throttled_time) (\d+)$", read(folder / "cpu.stat"),
                          re.MULTILINE)  # fmt: skip
        if found:
            return int(found[2]) * units[found[1]]
    return None


def _descendants(pid: int) -> Iterator[int]:
    for thread in _listed(Path(f"/proc/{pid}/task")):
        for child in read(thread / "children").split():
            yield int(child)
            yield from _descendants(int(child))


def _listed(folder: Path) -> list[Path]:
    with suppress(OSError):
        return list(folder.iterdir())
    return []


def _spent_s(pid: int) -> float:
    """Return what a process has used, with the children that it has waited for."""
    fields = read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS_PER_S
