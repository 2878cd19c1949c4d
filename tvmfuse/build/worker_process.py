"""A Python process beside this one for some work: started, told, listened to, and ended.

Both sides are here. It gets what this process can import, and a folder for its temporary files. It
is ended with the block that started it, and ends itself when this process is gone, however that
ended.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from tvmfuse.build.tools import kill, started
from tvmfuse.unfinished import undo_all

WORDS: Final = "words.txt"
"""The file of what the process prints: advice to call what is called anyway, or its last words."""
LOOK_S: Final = 0.5
"""Seconds after which each process looks whether the other one is still there."""


class DiedError(Exception):
    """The process ended before its work.

    Attributes:
        code: Its exit code, as `subprocess` has it.
        last: The last line that it printed.
    """

    def __init__(self, code: int, last: str) -> None:
        super().__init__(f"{how_it_ended(code)}{f': {last}' if last else ''}")
        self.code = code
        self.last = last


def how_it_ended(code: int) -> str:
    """Say how a process ended.

    >>> how_it_ended(3), how_it_ended(-9)
    ('exit code 3', 'SIGKILL')
    """
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


class WorkerProcess:
    """A process that does what it is told; one thread at a time talks to it.

    Args:
        process: It.
        connection: To it.
        words: The file of what it prints.
    """

    def __init__(self, process: subprocess.Popen[Any], connection: Connection, words: Path) -> None:
        self._process = process
        self._connection = connection
        self._words = words

    def send(self, message: object) -> None:
        """Tell it something.

        Raises:
            DiedError: It has ended.
        """
        try:
            self._connection.send(message)
        except OSError:
            raise self._died() from None

    def receive(self) -> Any:
        """Wait for what it says next.

        Raises:
            DiedError: It has ended. Whether all that writes to this connection has, does not count:
                another thread may fork, and its child has what this process has.
        """
        try:
            while not self._connection.poll(LOOK_S):
                if self._process.poll() is not None and not self._connection.poll():
                    break
            else:
                return self._connection.recv()
        except (EOFError, ConnectionResetError):
            pass
        raise self._died()

    def kill(self) -> None:
        """End it in the middle of what it does."""
        kill([self._process])

    def _died(self) -> DiedError:
        code = self._process.wait()
        said = self._words.read_text(errors="replace").strip().splitlines()
        return DiedError(code, said[-1] if said else "")


@contextmanager
def worker_process(module: str, folder: Path) -> Iterator[WorkerProcess]:
    """Start a process that runs a module, which calls `connection_of` with its arguments.

    Args:
        module: Its name.
        folder: Of the process alone, for its temporary files.

    Raises:
        OSError: It cannot be started.
    """
    ours, theirs = multiprocessing.Pipe()
    command = [
        sys.executable, "-P", "-m", module, str(theirs.fileno()), str(os.getpid()),
    ]  # fmt: skip
    options: dict[str, Any] = {
        "pass_fds": [theirs.fileno()],
        "stdin": subprocess.DEVNULL,
        "stderr": subprocess.STDOUT,
        # The same modules as here, wherever they come from.
        "env": {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    }
    words = folder / WORDS
    with (
        ours,
        theirs,
        words.open("wb") as said,
        started(command, folder, stdout=said, **options) as process,
    ):
        theirs.close()
        yield WorkerProcess(process, ours, words)


def connection_of(arguments: list[str]) -> Connection:
    """Return the connection to the process that started this one, and end when that has ended.

    Args:
        arguments: Of this process.
    """
    descriptor, parent = map(int, arguments)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    return Connection(descriptor)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_S)
    undo_all()
    os._exit(1)
