"""forking: children of `os.fork` run models, or say why they cannot; none waits for good."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from relax_models import affine, in_parallel, python, saved, succeeds

#: Forks 20 times while threads do what `BESIDE` has; a child that hangs is ended by its alarm.
FORKS: Final = """
import os, signal, threading, time, warnings
import numpy as np
import tvmfuse
from tvmfuse.errors import TvmfuseError
from tvmfuse.runtime.loading import load
warnings.simplefilter("ignore")  # Python's, that a process of several threads forks
path, beside, words = sys.argv[1], sys.argv[2], sys.argv[3]
x = np.ones((64, 16), "float32")
run = load(path, num_threads=2)
y = run(x=x)["y"]
began, ended = threading.Event(), threading.Event()

def loads():
    while not ended.is_set():
        load(path, num_threads=2)

def runs():
    while not ended.is_set():
        run(x=x)

def compiles():
    from tvmfuse.pipeline.compiling import COMPILING
    with COMPILING:
        began.set()
        ended.wait()

def in_child():
    signal.alarm(60)
    try:
        same = np.array_equal(run(x=x)["y"], y) and np.array_equal(load(path)(x=x)["y"], y)
        if beside == "compiles":
            try:
                tvmfuse.compile("no.onnx")
            except TvmfuseError as error:
                same = same and words in str(error)
                print("\\nto standard error", file=sys.stderr, flush=True)
        return 0 if same else 1
    except BaseException as error:
        print(repr(error), flush=True)
        return 2

threads = [threading.Thread(target=globals()[beside]) for _ in range(beside != "nothing") for _ in range(2)]
if beside == "compiles":
    tvmfuse.compile
for thread in threads[: 1 if beside == "compiles" else None]:
    thread.start()
if beside == "compiles":
    began.wait()
ends = []
for _ in range(20):
    time.sleep(0.01)
    if (child := os.fork()) == 0:
        os._exit(in_child())
    ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
ended.set()
assert ends == [0] * 20, ends
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(in_parallel(affine(64)), tmp_path_factory.mktemp("model"))


@pytest.mark.parametrize("beside", ["nothing", "loads", "runs", "compiles"])
def test_a_child_computes_whatever_its_parent_did(path: Path, beside: str) -> None:
    succeeds(python(FORKS, path, beside, "the process forked while another thread compiled"))


LONG: Final = """
import os, threading, time, warnings
import numpy as np
from tvmfuse.errors import ArtifactError
from tvmfuse.runtime import forking
from tvmfuse.runtime.loading import load
warnings.simplefilter("ignore")
forking.LONGEST_WAIT = 0.1
x = np.ones((64, 16), "float32")
run = load(sys.argv[1])
inside, ended = threading.Event(), threading.Event()

def waits(*_):
    inside.set()
    ended.wait()

def opens():
    with forking.STEPS:
        waits()

def runs():
    run.on_cpu._main._turns.begun()
    waits()

work = opens if sys.argv[2] == "opening" else runs
thread = threading.Thread(target=work)
thread.start()
inside.wait()
if (child := os.fork()) == 0:
    try:
        run(x=x) if sys.argv[2] == "running" else load(sys.argv[1])
    except ArtifactError as error:
        print(error, flush=True)
        os._exit(0)
    os._exit(1)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
ended.set()
thread.join()
run(x=x)  # the parent goes on
sys.exit(code)
"""


@pytest.mark.parametrize(
    ("what", "words"),
    [("running", "while another thread ran this model"), ("opening", "another thread opened")],
)
def test_a_fork_that_cannot_wait_says_so_in_the_child(path: Path, what: str, words: str) -> None:
    output = succeeds(python(LONG, path, what))
    assert words in output
    assert "'spawn' or 'forkserver'" in output


#: A fork while another thread is at some place of its first run; that thread goes on before the
#: process forks, but only after all that this package does before it.
BETWEEN: Final = """
import os, threading, time, warnings
warnings.simplefilter("ignore")
at, goes_on, went_on = threading.Event(), threading.Event(), threading.Event()

def before():
    goes_on.set()
    went_on.wait(0.2)

os.register_at_fork(before=before)  # The last that is called, since it is registered first.
import numpy as np
from tvmfuse.runtime.loading import load
from collections import deque
x = np.ones((64, 16), "float32")
run = load(sys.argv[1])

class Idle(deque):
    def pop(self):
        if threading.current_thread() is thread:
            at.set()
            goes_on.wait()
        machine = super().pop()
        if threading.current_thread() is thread:
            went_on.set()
        return machine

def slow():
    if threading.current_thread() is thread:
        at.set()
        time.sleep(0.2)
    used()

if sys.argv[2] == "taking a machine":
    run.on_cpu._main._turns._idle = Idle(run.on_cpu._main._turns._idle)
else:
    turns = run.on_cpu._main._turns
    used, turns._before = turns._before, slow
thread = threading.Thread(target=lambda: run(x=x))
thread.start()
at.wait()
if (child := os.fork()) == 0:
    try:
        run(x=x)
        os._exit(0)
    except BaseException as error:
        print(repr(error), flush=True)
        os._exit(1)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
thread.join()
run(x=x)
sys.exit(code or run.on_cpu._main._turns.running)
"""


@pytest.mark.parametrize("where", ["taking a machine", "taking threads"])
def test_a_run_that_begins_as_the_process_forks_waits_for_it(path: Path, where: str) -> None:
    succeeds(python(BETWEEN, path, where))


#: A fork while another thread compiles.
COMPILES: Final = """
import os, signal, sys, threading, warnings
warnings.simplefilter("ignore")
from tvmfuse.errors import ConfigurationError
from tvmfuse.pipeline.compiling import COMPILING
at, goes_on = threading.Event(), threading.Event()

def compiles():
    with COMPILING:
        at.set()
        goes_on.wait()

thread = threading.Thread(target=compiles)
thread.start()
at.wait()
if (child := os.fork()) == 0:
    signal.alarm(60)
    try:
        compiles()
    except ConfigurationError as error:
        print(error, flush=True)
        os._exit(0)
    os._exit(1)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
goes_on.set()
thread.join()
sys.exit(code)
"""


def test_a_fork_as_another_thread_compiles_says_so_in_the_child() -> None:
    assert "while another thread compiled" in succeeds(python(COMPILES))
