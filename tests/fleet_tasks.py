"""Tasks for workers in other processes, which find this file by its name."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from tvmfuse.fleet.executor import Outcome


@dataclass(frozen=True)
class Saying:
    """Says which process it runs in."""

    words: str = ""

    def run(self) -> Outcome:
        return Outcome(f"{self.words}{os.getpid()}".encode(), "", 0.0)


@dataclass(frozen=True)
class Deadly:
    """Kills its process as often as that is still to be done, by a file that counts."""

    counts: Path
    times: int

    def run(self) -> Outcome:
        with self.counts.open("a") as file:
            file.write("x")
        if self.counts.stat().st_size <= self.times:
            print("these are my last words", flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        return Outcome(b"alive", "", 0.0)


@dataclass(frozen=True)
class Endless:
    """Writes its process's number to a file, and does not end."""

    begun: Path

    def run(self) -> Outcome:
        self.begun.write_text(str(os.getpid()))
        time.sleep(600)
        return Outcome(b"", "", 0.0)


class Unreadable:
    """Cannot be unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return int, ("no number",)

    def run(self) -> Outcome:
        return Outcome(b"", "", 0.0)


def is_running(process: int) -> bool:
    """Whether a process is there, and is no corpse."""
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def wait_for(path: Path) -> str:
    """Wait until a file has words in it; return them."""
    end = time.monotonic() + 180
    while not (path.exists() and path.read_text()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return path.read_text()
