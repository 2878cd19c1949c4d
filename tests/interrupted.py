"""A process that gets Ctrl-C: how long it goes on, and what it leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LONG_S = 5.0
"""Each is made to stop within 2 s; tests share their two cores with other work."""

STARTED_S = 120.0


@dataclass(frozen=True)
class Ended:
    """How a process ended that got Ctrl-C."""

    seconds: float
    code: int
    stdout: str
    stderr: str
    orphans: Sequence[str]


class Interrupted:
    """A process of its own session, in a folder of its own, that is going to get Ctrl-C.

    Args:
        folder: It works in `folder/work`, and has `folder/tmp` for temporary files.
        arguments: Of Python.
        environment: What is added to this process's.
    """

    def __init__(
        self, folder: Path, *arguments: str, environment: dict[str, str] | None = None
    ) -> None:
        self.work, self.temporary = folder / "work", folder / "tmp"
        self.work.mkdir()
        self.temporary.mkdir()
        own = {"TMPDIR": str(self.temporary), "PYTHONPATH": os.pathsep.join(sys.path)}
        self._output = (folder / "stdout", folder / "stderr")
        with self._output[0].open("wb") as stdout, self._output[1].open("wb") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=self.work,
                env={**os.environ, **own, **(environment or {})},
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
                preexec_fn=_heeds_interrupts,
            )

    def wait_for(self, word: str) -> None:
        """Wait until the process has written a word to standard error."""
        end = time.monotonic() + STARTED_S
        while word not in self._output[1].read_text():
            assert self.process.poll() is None, self._output[1].read_text()
            assert time.monotonic() < end
            time.sleep(0.02)

    def wait_until_watched(self) -> None:
        """Wait until the command watches for Ctrl-C: the process has a second thread."""
        while len(os.listdir(f"/proc/{self.process.pid}/task")) < 2:
            assert self.process.poll() is None
            time.sleep(0.01)

    def interrupt(self, *, times: int = 1) -> Ended:
        """Send Ctrl-C and wait for the end."""
        begin = time.monotonic()
        for _ in range(times):
            self.process.send_signal(signal.SIGINT)
            time.sleep(0.1 if times > 1 else 0.0)
        try:
            code = self.process.wait(60)
        finally:
            seconds = time.monotonic() - begin
            orphans = members(self.process.pid)
            if orphans:
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
        out, err = (file.read_text(errors="replace") for file in self._output)
        return Ended(seconds, code, out, err, orphans)

    @property
    def left(self) -> list[str]:
        """The files that it left, its temporary ones included."""
        files = [*self.work.rglob("*"), *self.temporary.rglob("*")]
        return [file.name for file in files]


def members(session: int) -> list[str]:
    """Return the programs of a session that still run."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (process / "stat").read_text().rpartition(")")
        except OSError:  # it has just ended
            continue
        state, _, _, its_session = rest.split()[:4]
        if int(its_session) == session and state != "Z":
            found.append(name)
    return found


def _heeds_interrupts() -> None:
    """A shell's background job starts with the signal ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
