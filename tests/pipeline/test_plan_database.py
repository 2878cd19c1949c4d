"""A folder of plans that were timed: written by several processes, read by every compilation."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tvmfuse.errors import ArtifactError, ConfigurationError
from tvmfuse.passes.nchwc.winograd_costs import Layer
from tvmfuse.pipeline.plan_database import FILE, Chosen, PlanDatabase, PlanRecord, TilesRecord
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.plans import PointwisePlan

PLAN = KernelPlan.of("elementwise", frozenset(), (PointwisePlan(lanes=8, order=("i", "j")),))
TIMING: dict[str, Any] = {
    "target": "avx2", "version": "1.0", "cpu": "a CPU", "threads": 1, "speedup": 1.25, "low": 1.2,
    "high": 1.3, "pairs": 16,
}  # fmt: skip
RECORD = PlanRecord(kernel="0123456789abcdef", plan=PLAN, **TIMING)
LAYER = Layer(1, 56, 56, 64, 64, 16)

#: Appends records without an end, and says how many it has appended.
WRITER = """
import sys
from pathlib import Path
from dataclasses import replace
sys.path.insert(0, {here!r})
from test_plan_database import RECORD
from tvmfuse.pipeline.plan_database import PlanDatabase
database = PlanDatabase({folder!r})
for count in range({most}):
    database.append([replace(RECORD, kernel="{name}-%d" % count)])
    print(count, flush=True)
"""


def writer(folder: Path, name: str, most: int) -> subprocess.Popen[str]:
    code = WRITER.format(here=str(Path(__file__).parent), folder=str(folder), name=name, most=most)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


def kernels(folder: Path) -> set[str]:
    found = PlanDatabase(folder).records("avx2", "1.0")
    return {record.kernel for record in found if isinstance(record, PlanRecord)}


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    PlanDatabase(tmp_path / "new" / "folder").append([RECORD])
    assert [*PlanDatabase(tmp_path / "new" / "folder").records("avx2", "1.0")] == [RECORD]


def test_plans_are_of_one_target_and_version(tmp_path: Path) -> None:
    database = PlanDatabase(tmp_path)
    database.append([RECORD])
    assert not [*database.records("avx512", "1.0")]
    assert not [*database.records("avx2", "1.1")]


def test_the_plan_that_was_chosen_last_counts(tmp_path: Path) -> None:
    database = PlanDatabase(tmp_path)
    other = KernelPlan.of("elementwise", frozenset(), (PointwisePlan(lanes=4),))
    database.append([replace(RECORD, chosen=True), RECORD, replace(RECORD, plan=other)])
    assert database.chosen("avx2", "1.0").plans == {RECORD.kernel: PLAN}
    database.append([replace(RECORD, plan=other, chosen=True)])
    assert database.chosen("avx2", "1.0").plans == {RECORD.kernel: other}


def test_a_choice_can_be_taken_back(tmp_path: Path) -> None:
    database, tiles = PlanDatabase(tmp_path), TilesRecord(layer=LAYER, m=2, **TIMING)
    database.append([replace(RECORD, chosen=True), replace(tiles, chosen=True)])
    database.append([replace(RECORD, plan=None, chosen=True), replace(tiles, m=None, chosen=True)])
    assert database.chosen("avx2", "1.0") == Chosen({}, {})


def test_what_is_chosen_here_counts_more_than_another_database_s_choice(tmp_path: Path) -> None:
    other = KernelPlan.of("elementwise", frozenset(), (PointwisePlan(lanes=4),))
    PlanDatabase(tmp_path / "theirs").append([replace(RECORD, plan=other, chosen=True)])
    (tmp_path / "theirs" / FILE).rename(tmp_path / "zzz.jsonl")
    assert PlanDatabase(tmp_path).chosen("avx2", "1.0").plans == {RECORD.kernel: other}
    PlanDatabase(tmp_path).append([replace(RECORD, chosen=True)])
    assert PlanDatabase(tmp_path).chosen("avx2", "1.0").plans == {RECORD.kernel: PLAN}


def test_tiles_of_convolutions_stand_beside_the_plans(tmp_path: Path) -> None:
    database = PlanDatabase(tmp_path)
    tiles = TilesRecord(layer=LAYER, m=4, **TIMING)
    database.append([tiles, RECORD, replace(tiles, m=0, chosen=True)])
    found = [*database.records("avx2", "1.0")]
    assert [r.m for r in found if isinstance(r, TilesRecord)] == [4, 0]
    assert [r.plan for r in found if isinstance(r, PlanRecord)] == [PLAN]
    assert database.chosen("avx2", "1.0").tiles == {LAYER: 0}
    assert database.chosen("avx2", "1.0").plans == {}


def test_databases_are_merged_by_putting_their_files_into_one_folder(tmp_path: Path) -> None:
    PlanDatabase(tmp_path).append([RECORD])
    PlanDatabase(tmp_path / "theirs").append([replace(RECORD, kernel="theirs")])
    (tmp_path / "theirs" / FILE).rename(tmp_path / "theirs.jsonl")
    assert kernels(tmp_path) == {RECORD.kernel, "theirs"}


@pytest.mark.parametrize(
    "line",
    [
        json.dumps(RECORD.to_json())[:-20],
        "no JSON",
        "[" * 100_000,
        "[]",
        "{}",
        json.dumps({**RECORD.to_json(), "format": 2}),
        json.dumps({**RECORD.to_json(), "more": 1}),
        json.dumps({**RECORD.to_json(), "plan": {"schedule": "elementwise"}}),
        json.dumps({**TilesRecord(layer=LAYER, m=4, **TIMING).to_json(), "layer": {"images": []}}),
    ],
    ids=[
        "half-written",
        "words",
        "nested",
        "list",
        "empty",
        "another format",
        "unknown field",
        "no plan",
        "no layer",
    ],
)
def test_what_is_no_record_is_passed_over(tmp_path: Path, line: str) -> None:
    (tmp_path / FILE).write_text(line)  # as a process that was killed leaves it: without an end
    PlanDatabase(tmp_path).append([RECORD])
    assert kernels(tmp_path) == {RECORD.kernel}
    assert PlanDatabase(tmp_path).chosen("avx2", "1.0").tiles == {}


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    names = ["a", "b", "c"]
    running = [writer(tmp_path, name, 40) for name in names]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert kernels(tmp_path) == {f"{name}-{count}" for name in names for count in range(40)}


def test_a_killed_process_loses_no_record_that_it_finished(tmp_path: Path) -> None:
    process = writer(tmp_path, "killed", 1_000_000)
    assert process.stdout
    assert process.stdout.readline() == "0\n"
    time.sleep(random.Random(0).uniform(0.05, 0.3))
    os.kill(process.pid, signal.SIGKILL)
    finished = [line for line in process.stdout.read().splitlines(keepends=True) if "\n" in line]
    process.wait()
    PlanDatabase(tmp_path).append([RECORD])
    assert {f"killed-{count}" for count in range(len(finished) + 1)} <= kernels(tmp_path)
    assert RECORD.kernel in kernels(tmp_path)


def test_a_database_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="expected a folder, found the file"):
        PlanDatabase(tmp_path / "file")
    with pytest.raises(ConfigurationError, match="expected a folder's name, found 3"):
        PlanDatabase(3)  # type: ignore[arg-type]


def test_a_folder_that_is_not_there_has_no_plans(tmp_path: Path) -> None:
    assert PlanDatabase(tmp_path / "none").chosen("avx2", "1.0").plans == {}


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "theirs.jsonl").mkdir()
    with pytest.raises(ArtifactError, match="cannot read the database"):
        PlanDatabase(tmp_path).chosen("avx2", "1.0")


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(ArtifactError, match="cannot write to the database"):
        PlanDatabase(tmp_path).append([RECORD])


def test_a_compilation_asks_for_a_folder_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that the environment names is made by the first tuning."""
    missing = tmp_path / "none"
    with pytest.raises(ConfigurationError, match="expected a folder, and there is none"):
        CompileSettings.of("avx2", database=missing)
    monkeypatch.setenv("TVMFUSE_DATABASE", str(missing))
    assert not CompileSettings.of("avx2").schedules.tuned
