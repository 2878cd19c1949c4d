"""Ctrl-C: every verb and every call stops in time, and leaves nothing."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import onnx
import pytest
import tvm_ffi
from graphs import onnx_model
from interrupted import LONG_S, Interrupted
from onnx import helper
from relax_models import WITHOUT_TORCH

from tvmfuse.background import Background, interruptible
from tvmfuse.unfinished import undo_all, undone

#: LLVM compiles each kernel again and again, and never ends.
ENDLESS_LLVM = """
import sys
import tvmfuse.build.kernels.compile as compile
make = compile.object_file
def endless(module):
    print("LLVM works", file=sys.stderr, flush=True)
    while True:
        make(module)
compile.object_file = endless
"""

COMMAND = f"""{WITHOUT_TORCH}
from tvmfuse.interruption import interruptible_command
def command():
{{prepared}}
    from tvmfuse.cli import main
    main({{arguments!r}})
interruptible_command(command)
"""


def command(*arguments: str, prepared: str = "pass") -> tuple[str, str]:
    indented = "\n".join(f"    {line}" for line in prepared.splitlines())
    return "-c", COMMAND.format(prepared=indented, arguments=list(arguments))


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a model of one kernel that takes many seconds: a product of 6000 x 6000 matrices."""
    path = tmp_path_factory.mktemp("models") / "product.onnx"
    square = ("float32", (6000, 6000))
    node = helper.make_node("MatMul", ["a", "b"], ["y"])
    onnx.save(onnx_model([node], {"a": square, "b": square}, {"y": "float32"}), path)
    return str(path)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("models") / "small.onnx"
    node = helper.make_node("Relu", ["x"], ["y"])
    onnx.save(onnx_model([node], {"x": ("float32", (2, 3))}, {"y": "float32"}), path)
    return str(path)


#: As numpy's C code does, it prints a traceback of what stops it.
SLOW_IMPORT = """
import sys, time, traceback
try:
    print("importing", file=sys.stderr, flush=True)
    time.sleep(60)
except BaseException:
    traceback.print_exc()
    raise ImportError from None
"""


def test_an_import_is_stopped_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW_IMPORT)
    prepared = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import slow"
    process = Interrupted(tmp_path, *command("--help", prepared=prepared))
    process.wait_for("importing")
    ended = process.interrupt()
    assert ended.code == 130
    assert ended.stderr == "importing\ninterrupted\n"


def test_compile_does_not_wait_for_llvm(tmp_path: Path, small: str) -> None:
    arguments = ("compile", small, "-o", "small.so", "--no-cache")
    process = Interrupted(tmp_path, *command(*arguments, prepared=ENDLESS_LLVM))
    process.wait_for("LLVM works")
    ended = process.interrupt()
    assert ended.code == 130
    assert ended.seconds < LONG_S
    assert ended.stderr == "LLVM works\ninterrupted\n"
    assert process.left == []
    assert ended.orphans == []


def test_a_library_gets_its_interrupt_and_its_process_ends_with_its_own_code(
    tmp_path: Path, small: str
) -> None:
    """Threads that come back to Python while it takes itself down would abort the process."""
    code = f"""{WITHOUT_TORCH}{ENDLESS_LLVM}
import time, tvmfuse
try:
    tvmfuse.compile({small!r}, cache=False)
except KeyboardInterrupt:
    print("mine")
    sys.exit(7)
"""
    process = Interrupted(tmp_path, "-c", code)
    process.wait_for("LLVM works")
    ended = process.interrupt()
    assert (ended.code, ended.stdout, ended.stderr) == (7, "mine\n", "LLVM works\n")
    assert ended.seconds < LONG_S
    assert process.left == []


def test_run_does_not_wait_for_a_kernel(tmp_path: Path, product: str) -> None:
    prepared = """
import sys
from tvmfuse.runtime.executable import Executable
run = Executable.__call__
def running(*arguments, **feeds):
    print("the kernel runs", file=sys.stderr, flush=True)
    return run(*arguments, **feeds)
Executable.__call__ = running
"""
    process = Interrupted(tmp_path, *command("run", product, "-o", "y.npz", prepared=prepared))
    process.wait_for("the kernel runs")
    time.sleep(0.3)
    ended = process.interrupt()
    assert ended.code == 130
    assert ended.seconds < LONG_S
    assert ended.stderr == "the kernel runs\ninterrupted\n"
    assert process.left == []


@pytest.mark.parametrize("times", [1, 2])
def test_who_swallows_an_interrupt_is_ended(tmp_path: Path, times: int) -> None:
    """Once: when its time is up; twice: at once."""
    code = """
import sys
from tvmfuse.interruption import interruptible_command
def command():
    print("works", file=sys.stderr, flush=True)
    while True:
        try:
            while True:
                pass
        except KeyboardInterrupt:
            pass
interruptible_command(command)
"""
    process = Interrupted(tmp_path, "-c", code)
    process.wait_for("works")
    ended = process.interrupt(times=times)
    assert ended.code == 130
    # Where the second one comes just as the first is answered, both are.
    assert [*dict.fromkeys(ended.stderr.splitlines())] == ["works", "interrupted"]
    assert ended.seconds < LONG_S


def test_an_interrupt_in_a_destructor_is_no_traceback(tmp_path: Path) -> None:
    """Python drops it there; the command is ended when its time is up."""
    code = """
import sys
from tvmfuse.interruption import interruptible_command
class Destroyed:
    def __del__(self):
        print("works", file=sys.stderr, flush=True)
        while True:
            pass
def command():
    Destroyed()
    while True:
        pass
interruptible_command(command)
"""
    process = Interrupted(tmp_path, "-c", code)
    process.wait_for("works")
    ended = process.interrupt()
    assert (ended.code, ended.stderr) == (130, "works\ninterrupted\n")
    assert ended.seconds < LONG_S


def test_a_linker_that_hangs_is_killed_with_what_it_started(tmp_path: Path, small: str) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "cc").write_text(
        f"#!/bin/sh\ntouch $TMPDIR/rest.o\ntouch {tools}/begun\n/bin/sleep 60 &\nwait\n"
    )
    (tools / "cc").chmod(0o755)
    arguments = ("-m", "tvmfuse", "compile", small, "-o", "small.so", "--no-cache")
    process = Interrupted(tmp_path, *arguments, environment={"PATH": f"{tools}:/usr/bin:/bin"})
    while not (tools / "begun").exists():
        assert process.process.poll() is None
        time.sleep(0.02)
    ended = process.interrupt()
    assert (ended.code, ended.stderr) == (130, "interrupted\n")
    assert ended.seconds < LONG_S
    assert ended.orphans == []
    assert process.left == []


def test_the_cursor_is_visible_again(small: str) -> None:
    ours, theirs = pty.openpty()
    arguments = ("compile", small, "-o", "/dev/null", "--no-cache")
    process = subprocess.Popen(
        [sys.executable, *command(*arguments, prepared=ENDLESS_LLVM)],
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "PYTHONPATH": os.pathsep.join(sys.path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(theirs)
    shown = b""
    while b"LLVM works" not in shown:
        shown += os.read(ours, 1 << 16)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    while True:
        try:
            shown += os.read(ours, 1 << 16)
        except OSError:  # nobody writes any more
            break
    os.close(ours)
    assert b"\x1b[?25l" in shown
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l")
    assert b"interrupted" in shown


def test_what_ignores_the_signal_goes_on_ignoring_it() -> None:
    code = """
import os, signal
from tvmfuse.interruption import interruptible_command
signal.signal(signal.SIGINT, signal.SIG_IGN)
interruptible_command(lambda: os.kill(os.getpid(), signal.SIGINT))
print("done")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("done\n", "")


def test_an_interrupt_comes_out_of_tvm_as_what_it_is() -> None:
    def called() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tvm_ffi.convert(called)()


def test_interruptible_work_returns_and_raises() -> None:
    assert interruptible(lambda: 3) == 3
    with pytest.raises(ValueError, match="mine"):
        interruptible(lambda: (_ for _ in ()).throw(ValueError("mine")))


def test_an_interrupt_that_another_thread_gets_is_noticed() -> None:
    """It wakes the other one only, as one that comes just before the wait wakes nobody."""
    go = threading.Event()

    def works() -> None:
        time.sleep(0.2)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        go.wait(2 * LONG_S)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    begin = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            interruptible(works)
    finally:
        signal.signal(signal.SIGINT, before)
        go.set()
    assert time.monotonic() - begin < LONG_S


def with_two_works() -> tuple[Background, threading.Event, list[int]]:
    """Return a thread that begun the first of two works, what lets it go on, and what was done."""
    begun, go, done = threading.Event(), threading.Event(), list[int]()

    def first() -> None:
        begun.set()
        go.wait()
        done.append(1)

    background = Background(1)
    background.__enter__()
    background.submit(first)
    background.submit(lambda: done.append(2))
    begun.wait()
    return background, go, done


def test_an_error_waits_for_what_was_begun_and_drops_the_rest() -> None:
    background, go, done = with_two_works()
    threading.Timer(0.1, go.set).start()
    background.__exit__(ValueError, ValueError("mine"), None)
    assert done == [1]


def test_an_interrupt_waits_for_nothing() -> None:
    background, go, done = with_two_works()
    background.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert done == []
    go.set()


def test_what_is_unfinished_is_undone_the_innermost_first() -> None:
    said: list[str] = []
    with undone(lambda: said.append("outer")), undone(lambda: said.append("inner")):
        undo_all()
        assert said == ["inner", "outer"]
    assert said == ["inner", "outer"] * 2
    undo_all()
    assert said == ["inner", "outer"] * 2


def test_what_cannot_be_undone_keeps_nothing_else() -> None:
    said: list[str] = []

    def fails() -> None:
        said.append("fails")
        if len(said) < 2:
            raise OSError

    with undone(lambda: said.append("outer")), undone(fails):
        undo_all()
    assert said == ["fails", "outer", "fails", "outer"]
