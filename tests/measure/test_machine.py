"""The watch over the machine, on made-up files."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tvmfuse.measure.cpu_time import TICKS_PER_S, family_s
from tvmfuse.measure.machine import Machine, Watch, worst

CURRENT = "sys/devices/system/cpu/cpu{}/cpufreq/scaling_cur_freq"


class Files:
    """A machine's files; cores 0 and 1 are ours, core 2 belongs to others."""

    def __init__(self, root: Any) -> None:
        self.root, self.own_s = root, 0.0
        self.ticks = {cpu: dict.fromkeys(("user", "idle", "steal"), 0) for cpu in (0, 1, 2)}
        (root / "proc").mkdir()
        (root / "proc/loadavg").write_text("1.25 0.80 0.60 2/300 4242\n")
        self.write()

    def write(self) -> None:
        lines = [
            f"cpu{n} {t['user']} 0 0 {t['idle']} 0 0 0 {t['steal']} 0 0"
            for n, t in self.ticks.items()
        ]
        (self.root / "proc/stat").write_text("cpu 1 2 3 4 5 6 7 8 9 0\n" + "\n".join(lines) + "\n")

    def spend(self, cpu: Any, **ticks: Any) -> None:
        for kind, count in ticks.items():
            self.ticks[cpu][kind] += count
        self.write()

    def frequency(self, cpu: Any, mhz: Any) -> None:
        path = self.root / CURRENT.format(cpu)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{mhz * 1000}\n")

    def watch(self) -> Any:
        seconds = itertools.count()
        return Watch(self.root, cpus={0, 1}, own_s=lambda: self.own_s, now_s=lambda: next(seconds))


@pytest.fixture
def files(tmp_path: Path) -> Any:
    return Files(tmp_path)


def test_a_quiet_machine_says_nothing(files: Any) -> None:
    watch = files.watch()
    watch.look()
    files.spend(0, user=500, idle=500)
    files.spend(1, idle=1000)
    files.spend(2, user=1000, steal=500)  # not our core
    files.own_s = 495 / TICKS_PER_S
    found = watch.finish(np.full(20, 3.0))
    assert (found.steal, found.others, found.load) == (0.0, pytest.approx(5 / 2000), 1.25)
    assert (found.spread, found.mhz, found.notes) == (0.0, None, ())
    assert (found.quiet, found.banner) == (True, "")


def test_steal_is_said(files: Any) -> None:
    watch = files.watch()
    watch.look()
    files.spend(0, idle=900, steal=100)
    files.spend(1, idle=1000)
    found = watch.finish()
    assert found.steal == 0.05
    assert (found.quiet, found.notes) == (False, ())
    assert found.banner == (
        "Not quiet: the hypervisor gave 5 % of the time of the 2 cores to other tenants (steal). "
        "What was timed meanwhile gets no verdict."
    )


def test_other_processes_are_said(files: Any) -> None:
    watch = files.watch()
    watch.look()
    files.spend(0, user=1000)
    files.spend(1, user=400, idle=600)
    files.own_s = 1000 / TICKS_PER_S
    found = watch.finish()
    assert found.others == 0.2
    assert (found.quiet, found.notes) == (False, ())
    assert "other processes took 20 % of the time of the 2 cores" in found.banner
    assert "(load average 1.25)" in found.banner


def test_load_before_counts_as_load_meanwhile(files: Any) -> None:
    watch = files.watch()
    watch.look("before")
    files.spend(0, user=500, idle=500)
    watch.look("measuring")
    files.spend(0, idle=9_000)
    assert watch.finish().others == 0.5
    watch.begin()
    watch.look("measuring")
    files.spend(0, idle=9_000)
    assert watch.finish().others == 0.0


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("cpu.max", "50000 100000\n"),
        ("cpu/cpu.cfs_quota_us", "50000\n"),
        ("cpu.max", "max 100000\n"),
    ],
)
def test_in_a_container_others_fill_cores_that_are_not_ours(
    files: Any, path: str, text: str
) -> None:
    """Two cores, half of one is ours: what others take of the other 1.5 is none of our business."""
    group = files.root / "sys/fs/cgroup" / path
    group.parent.mkdir(parents=True)
    group.write_text(text)
    (group.parent / "cpu.cfs_period_us").write_text("100000\n")
    (files.root / "proc/self").mkdir()
    (files.root / "proc/self/cgroup").write_text("0::/docker/4242\n")
    watch = files.watch()
    watch.look()
    files.spend(0, user=1000)
    files.spend(1, user=500, idle=500)
    assert watch.finish().others == (0.75 if text.startswith("max") else 0.0)
    watch.begin()
    watch.look()
    files.spend(0, user=1000)
    files.spend(1, user=900, idle=100)
    assert watch.finish().others == pytest.approx(0.95 if text.startswith("max") else 0.8)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("cpu.stat", "usage_usec 7\nthrottled_usec 1000000\n", "throttled_usec 3000000\n"),
        ("cpu,cpuacct/app/cpu.stat", "throttled_time 0\n", "throttled_time 2000000000\n"),
    ],
)
def test_a_quota_that_stopped_us_is_said(files: Any, path: str, before: str, after: str) -> None:
    group = files.root / "sys/fs/cgroup" / path
    group.parent.mkdir(parents=True)
    group.write_text(before)
    (files.root / "proc/self").mkdir()
    (files.root / "proc/self/cgroup").write_text("4:cpu,cpuacct:/app\n0::/app\n")
    watch = files.watch()
    watch.look()
    for core in (0, 1):
        files.spend(core, idle=10 * TICKS_PER_S)
    group.write_text(after)
    found = watch.finish()
    assert (found.throttled, found.quiet) == (pytest.approx(0.2), False)
    assert "a CPU quota stopped this process for 20 % of the time (throttling)" in found.banner


def test_what_children_take_is_our_own() -> None:
    """Those that are alive, and those that have ended."""
    spin = "import time\nwhile time.process_time() < 0.4: pass\nprint(flush=True)\ninput()"
    before = family_s()
    command = [sys.executable, "-S", "-c", spin]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout
        child.stdout.readline()
        alive = family_s() - before
        child.communicate(b"\n")
    assert 0.3 < alive <= family_s() - before + 0.02


@pytest.mark.parametrize(("measured_s", "rest_s"), [(60.0, 0.25), (0.1, 0.45), (0.0, 0.55)])
def test_a_rest_lasts_until_enough_was_seen(files: Any, measured_s: float, rest_s: float) -> None:
    slept: list[float] = []
    seconds = itertools.chain([0.0, 0.0], itertools.repeat(measured_s))
    watch = Watch(
        files.root, cpus={0, 1}, own_s=lambda: 0.0, now_s=lambda: next(seconds) + sum(slept),
        sleep_s=slept.append,
    )  # fmt: skip
    watch.look()
    watch.rest()
    assert slept == [0.05, pytest.approx(rest_s)]


@pytest.mark.parametrize(("own_s", "banner"), [(0.02, False), (0.3, True)])
def test_what_this_process_does_in_a_rest_is_load(
    files: Any, own_s: float, *, banner: bool
) -> None:
    """It counts as its own in all that /proc/stat says, and so is seen nowhere else."""
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds
        files.own_s += own_s * seconds
        for core in (0, 1):
            files.spend(core, idle=round(seconds * TICKS_PER_S))

    watch = Watch(
        files.root, cpus={0, 1}, own_s=lambda: files.own_s, now_s=lambda: now[0], sleep_s=sleep
    )
    watch.look()
    watch.rest()
    found = watch.finish()
    assert found.own == pytest.approx(own_s / 2)
    assert (found.quiet, bool(found.banner)) == (not banner, banner)
    watch.begin()
    assert watch.finish().own is None


def test_too_few_ticks_say_nothing(files: Any) -> None:
    watch = files.watch()
    watch.look()
    files.spend(0, user=20, steal=20)
    found = watch.finish()
    assert (found.steal, found.others) == (None, None)


def test_a_frequency_that_moves_is_said(files: Any) -> None:
    watch = files.watch()
    for mhz in (3000, 3500, 3100):
        files.frequency(0, mhz)
        files.frequency(1, 800)  # idle: what computes is the fastest one
        watch.look()
    found = watch.finish()
    assert found.mhz == (3000, 3500)
    [note] = found.notes
    assert "the CPU's frequency moved between 3000 and 3500 MHz" in note
    steady = Machine(cores=1, mhz=(3200, 3500))
    assert steady.notes == ()


def test_looks_are_seldom(files: Any) -> None:
    watch = Watch(files.root, cpus={0}, now_s=lambda: 1.0)
    for mhz in (3000, 1000):
        files.frequency(0, mhz)
        watch.look()
    assert watch.finish().mhz == (3000, 3000)


def test_the_baselines_own_spread(files: Any) -> None:
    times = np.array([8.0, 10.0, 12.0] * 10)
    found = files.watch().finish(times)
    assert found.spread == pytest.approx(0.2)
    assert "half of them lie within 20 % of the median" in found.notes[0]
    assert files.watch().finish(times[:7]).spread is None
    assert Machine(2, others=0.5, spread=0.2).notes == ()  # the banner says why


def test_nothing_is_known_where_no_file_exists(tmp_path: Path) -> None:
    watch = Watch(tmp_path / "nowhere", cpus={0, 1})
    watch.look()
    assert watch.finish() == Machine(cores=2)
    found = watch.finish()
    assert (found.notes, found.quiet) == ((), None)
    assert found.banner == (
        "Load unknown: /proc/stat does not say what else took the 2 cores. What was timed "
        "meanwhile gets no verdict."
    )


@pytest.mark.parametrize("text", ["", "cpu 1 2 3\n", "cpu0 1 2 3\n", "cpu0 1 2 3 4 5 6 7 8\n"])
def test_a_stat_that_lacks_our_cores_says_nothing(files: Any, text: str) -> None:
    (files.root / "proc/stat").write_text(text)
    watch = files.watch()
    watch.look()
    assert watch.finish().steal is None


def test_the_worst_of_several() -> None:
    machines = [
        Machine(2, steal=0.01, others=None, load=1.0, mhz=(3000, 3100), spread=0.3),
        Machine(2, steal=0.04, others=0.1, load=0.5, mhz=(2500, 3000)),
    ]
    assert worst(machines) == Machine(2, 0.04, 0.1, 1.0, (2500, 3100), 0.3)


def test_json_is_json() -> None:
    record = json.loads(json.dumps(Machine(2, steal=0.5, mhz=(1.0, 2.0)).to_json()))
    assert (record["steal"], record["quiet"]) == (0.5, False)
    assert "50 %" in record["banner"]
    assert len(record["notes"]) == 1


def test_this_machine_can_be_watched() -> None:
    watch = Watch()
    watch.look()
    found = watch.finish()
    assert found.cores >= 1
    json.dumps(found.to_json(), allow_nan=False)
