"""The process that compiles beside a session, and how it ends."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from at_once import EXPECTED, begin, held, is_alive, result, until


def test_a_process_that_dies_is_said(
    path: Path, folder: Path, unseen: None, begun: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    with held(folder):
        session = begin(path, folder)
        until(lambda: bool(begun))
        os.kill(begun[0], signal.SIGKILL)
        assert not session.wait(60)
    assert "ended, with status -9" in caplog.text
    np.testing.assert_allclose(result(session), EXPECTED, atol=1e-5)


def test_the_process_ends_with_its_session(
    path: Path, folder: Path, unseen: None, begun: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    with held(folder):
        session = begin(path, folder)
        result(session)
        until(lambda: bool(begun) and is_alive(begun[0]))
        del session
        gc.collect()
        until(lambda: not is_alive(begun[0]))
    assert "stays" not in caplog.text


PROGRAM = """
import os, signal, sys, time
import numpy as np
from tvmfuse.starting import beside, start
from tvmfuse.starting.kept_models import KeptModels

seen = KeptModels.key_of
KeptModels.key_of = lambda self, order, *, quick=False: None if quick else seen(self, order)
session = start(sys.argv[1], {}, how="at once", cache=sys.argv[2])
x = np.linspace(-1, 1, 6, dtype="float32").reshape(2, 3)
session.run(None, {"x": x})
"""

ENDS = """
begun = session._job._beside
while begun._process is None:
    time.sleep(0.01)
print(begun._process.pid, flush=True)
"""


@pytest.mark.parametrize("end", ["", "os.kill(os.getpid(), signal.SIGKILL)", "raise SystemExit(3)"],
                         ids=["end", "killed", "exit"])  # fmt: skip
def test_the_process_ends_with_the_program(path: Path, folder: Path, end: str) -> None:
    with held(folder):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM + ENDS + end, path, folder],
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        until(lambda: not is_alive(int(done.stdout)))
    assert done.stderr == ""


FORKS = """
import warnings
warnings.simplefilter("ignore")  # Python's, that a process of several threads forks
if (child := os.fork()) == 0:
    first = session.run(None, {"x": x})[0]
    waited = session.wait(100)
    second = session.run(None, {"x": x})[0]
    os._exit(0 if waited and session.engine == "tvmfuse" and abs(first - second).max() < 1e-4 else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(session.wait(100), session.engine)
"""


def test_a_child_of_fork_begins_its_own(path: Path, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM + FORKS, path, folder],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.stdout == "0\nTrue tvmfuse\n", done.stderr
