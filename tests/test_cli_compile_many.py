"""`tvmfuse compile-many`: its table, its exit codes, Ctrl-C and deaths in the middle."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from fleet_models import let_slow_models_wait, write_model
from fleet_tasks import is_running, wait_for
from interrupted import LONG_S, Interrupted, members
from pretended import tvmfuse_cli

import tvmfuse


@pytest.fixture
def models(tmp_path: Path) -> list[str]:
    """Return a model, what is none, and a model that takes long."""
    (tmp_path / "broken.onnx").write_text("this is no model")
    quick, slow = (write_model(tmp_path / f"{n}.onnx", 8 + len(n)) for n in ("quick", "slow"))
    return [str(quick), str(tmp_path / "broken.onnx"), str(slow)]


class Slow:
    """A run in a process of its own, the last of whose models waits.

    Attributes:
        process: The run.
    """

    def __init__(self, folder: Path, models: list[str], *options: str) -> None:
        site, self.begun, self.gate = let_slow_models_wait(folder, "tvmfuse.fleet.worker")
        path = os.pathsep.join([str(site), *sys.path])
        out = str(folder / "out")
        command = ["compile-many", *models, "-o", out, "--targets", "avx2", *options]
        places = {"PYTHONPATH": path}
        self.process = Interrupted(folder, "-m", "tvmfuse", *command, environment=places)
        self._folder = folder

    def workers(self) -> list[int]:
        """Wait until the slow model is given to one more worker; return all of them."""
        return [int(word) for word in wait_for(self.begun).split()]

    def rows(self) -> dict[str, str]:
        """Return the states in the list, by the models' names."""
        listed = json.loads((self._folder / "out/compile-many.json").read_text())["models"]
        return {Path(row["model"]).stem: row["state"] for row in listed}

    def wait_for_rows(self, count: int) -> None:
        end = time.monotonic() + 60
        while not (self._folder / "out/compile-many.json").exists() or len(self.rows()) < count:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_a_row_for_each_and_what_comes_of_it(models: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = tvmfuse_cli("compile-many", *models, "-o", out, "--targets", "avx2", "--jobs", 1)
    assert done.exit_code == 1
    head, *rows, last = done.stdout.splitlines()
    assert head.split() == ["model", "target", "file,", "or", "why", "there", "is", "none"]
    assert [row.split()[1:3] for row in rows] == [
        ["avx2", "compiled"], ["avx2", "refused"], ["avx2", "compiled"],
    ]  # fmt: skip
    assert rows[0].index("avx2") == head.index("target")
    assert (
        last
        == f"2 of 3 files are in {out}: 2 compiled, 1 refused; {out}/compile-many.json lists them."
    )
    tvmfuse.inspect(out / "quick.avx2.so", check=True)

    again = tvmfuse_cli("compile-many", models[0], "-o", out, "--target", "avx2", "--json")
    assert again.exit_code == 0
    record = json.loads(again.stdout)
    assert [(m["state"], m["file"]) for m in record["models"]] == [("kept", "quick.avx2.so")]


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["nope.onnx"], 2, "File 'nope.onnx' does not exist"),
        (["--targets", "avx3"], 2, "no target is called 'avx3'; did you mean avx2"),
        (["--jobs", "0"], 2, "0 is not in the range x>=1"),
        (["--job", "1", "--levels"], 2, "No such option"),
        (["-o", __file__], 2, "is a file"),
        (["-o", "/proc/out"], 1, "cannot make the folder /proc/out"),
        (["memory://no/net.onnx"], 2, "cannot read memory://no/net.onnx: FileNotFoundError"),
        (["new://no/net.onnx"], 2, "new://no/net.onnx: fsspec cannot open it"),
    ],
)
def test_what_is_wrong_is_said_before_any_work(
    options: list[str], code: int, words: str, models: list[str], tmp_path: Path
) -> None:
    done = tvmfuse_cli("compile-many", models[0], "-o", tmp_path / "out", *options)
    assert (done.exit_code, done.stdout) == (code, "")
    assert words in done.stderr


def test_ctrl_c_ends_all_and_the_same_command_goes_on(models: list[str], tmp_path: Path) -> None:
    slow = Slow(tmp_path, models, "--jobs", "2")
    slow.workers()
    slow.wait_for_rows(2)
    ended = slow.process.interrupt()
    assert ended.code == 130, ended.stderr
    assert ended.seconds < LONG_S
    assert ended.orphans == []
    assert "1 compiled, 1 interrupted, 1 refused" in ended.stdout
    assert slow.process.left == []
    assert slow.rows() == {"quick": "compiled", "broken": "refused"}

    done = tvmfuse_cli(
        "compile-many", *models, "-o", tmp_path / "out", "--targets", "avx2", "--json"
    )
    states = [model["state"] for model in json.loads(done.stdout)["models"]]
    assert states == ["kept", "refused", "compiled"]


def test_a_worker_that_is_killed_is_replaced(models: list[str], tmp_path: Path) -> None:
    slow = Slow(tmp_path, models, "--jobs", "1")
    (worker,) = slow.workers()
    slow.gate.touch()
    os.kill(worker, signal.SIGKILL)
    assert slow.process.process.wait(60) == 1  # one is no model
    assert slow.rows() == {"quick": "compiled", "broken": "refused", "slow": "compiled"}
    assert len(slow.workers()) == 2


def test_a_run_that_is_killed_leaves_no_process_and_goes_on(
    models: list[str], tmp_path: Path
) -> None:
    slow = Slow(tmp_path, models, "--jobs", "1")
    (worker,) = slow.workers()
    slow.wait_for_rows(2)
    process = slow.process.process
    process.kill()
    process.wait()
    end = time.monotonic() + 10
    while is_running(worker) or members(process.pid):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert [f.name for f in (tmp_path / "out").iterdir() if f.name.startswith(".")] == []
    done: Any = tvmfuse_cli(
        "compile-many", *models, "-o", tmp_path / "out", "--targets", "avx2", "--json"
    )
    states = [model["state"] for model in json.loads(done.stdout)["models"]]
    assert states == ["kept", "refused", "compiled"]
