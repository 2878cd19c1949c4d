"""A process's other life: threads that use what belongs to all of it, and look after it.

Run as a program beside the work of `test_process`: each thread goes on until the work is done, and
notes what it finds changed.
"""

from __future__ import annotations

import gc
import locale
import logging
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch

#: With its folder: looking for a program, Python changes the filters of warnings for a moment.
READLINK = shutil.which("readlink") or "/bin/readlink"


def state() -> dict[str, Any]:
    """Return what a library has to leave alone, by name."""
    return {
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "mask": [s for s in Path("/proc/self/status").read_text().splitlines() if "Umask" in s],
        "limits": [resource.getrlimit(n) for n in range(16)],
        "signals": {s: signal.getsignal(s) for s in signal.valid_signals()},
        "streams": [(s, s.fileno()) for s in (sys.stdin, sys.stdout, sys.stderr)],
        "descriptors": [os.readlink(f"/proc/self/fd/{n}") for n in range(3)],
        "temporary": (tempfile.gettempdir(), tempfile.tempdir),
        "path": [*sys.path],
        "arguments": [*sys.argv],
        "hooks": [sys.excepthook, sys.unraisablehook, threading.excepthook, sys.displayhook],
        "interpreter": (sys.getrecursionlimit(), sys.getswitchinterval(), sys.gettrace()),
        "collector": (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()),
        "warnings": ([*warnings.filters], warnings.showwarning),
        "logging": (logging.root.level, [*logging.root.handlers], logging.root.manager.disable),
        "locale": locale.setlocale(locale.LC_ALL),
        "random": (random.getstate(), str(np.random.get_state())),  # noqa: NPY002
        "numpy": (np.geterr(), np.get_printoptions()),
        "torch": (
            torch.get_num_threads(), torch.get_default_dtype(), torch.initial_seed(),
            torch.get_rng_state().numpy().tobytes(), torch.are_deterministic_algorithms_enabled(),
            torch.get_float32_matmul_precision(),
        ),
    }  # fmt: skip


class OtherLife:
    """Threads beside some work.

    Attributes:
        found: What was not as it should be, in words.
        turns: How often each thread went round.
    """

    def __init__(self) -> None:
        self.found: list[str] = []
        self.turns: dict[str, int] = {}
        self._before = state()
        self._stderr = os.readlink("/proc/self/fd/2")
        self._done = threading.Event()
        self._may_change: set[str] = set()

    @contextmanager
    def may_change(self, name: str) -> Iterator[None]:
        """Take no note of one thing while the block runs."""
        self._may_change.add(name)
        yield
        self._may_change.remove(name)

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Let the threads live while the block runs."""
        lives = (self._looks, self._starts_programs, self._keeps_files, self._prints, self._forks)
        threads = [threading.Thread(target=self._live, args=(life,)) for life in lives]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._done.set()
            for thread in threads:
                thread.join()

    def _live(self, life: Callable[[], None]) -> None:
        name = life.__name__
        while not self._done.is_set():
            try:
                life()
            except BaseException as error:
                self.found.append(f"{name}: {error!r}")
            self.turns[name] = self.turns.get(name, 0) + 1
            time.sleep(0.2)

    def _looks(self) -> None:
        now = state()
        changed = {name for name in now if now[name] != self._before[name]}
        self.found += [f"{name} is another" for name in changed - self._may_change]

    def _starts_programs(self) -> None:
        done = subprocess.run(
            [READLINK, "/proc/self/fd/2"], stdout=subprocess.PIPE, text=True, check=True
        )
        if done.stdout.strip() != self._stderr:
            self.found.append(f"a program writes its errors to {done.stdout.strip()}")

    def _keeps_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as file:
            time.sleep(0.1)
            if not (Path(folder).is_dir() and Path(file.name).is_file()):
                self.found.append("a temporary folder or file is gone")
            if {Path(folder).parent, Path(file.name).parent} != {
                Path(self._before["temporary"][0])
            }:
                self.found.append(f"temporary files lie in {Path(folder).parent}")

    def _prints(self) -> None:
        print("printed")
        print("complained", file=sys.stderr)

    def _forks(self) -> None:
        child = os.fork()
        if not child:
            with tempfile.TemporaryFile() as file:
                file.write(b"x")
            fine = os.readlink("/proc/self/fd/2") == self._stderr
            os._exit(0 if fine and sys.stderr is self._before["streams"][2][0] else 1)
        until = time.monotonic() + 60
        while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < until:
            time.sleep(0.01)
        if ended == (0, 0):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            self.found.append("a child hangs")
        elif ended[1]:
            self.found.append(f"a child ended with {ended[1]}")
