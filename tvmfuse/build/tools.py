"""Programs that the build starts: none outlives the work."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from tvmfuse.unfinished import undone


def run_tool(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; Ctrl-C kills it, and the programs that it started.

    Args:
        command: The program and its arguments.
        folder: Where it puts its temporary files.

    Raises:
        OSError: It cannot be started.
    """
    started: list[subprocess.Popen[str]] = []
    with undone(partial(_kill, started)):
        started.append(
            subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "TMPDIR": str(folder)},
                process_group=0,
            )
        )
        with started[0] as process:
            output, errors = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def _kill(started: Sequence[subprocess.Popen[str]]) -> None:
    for process in started:
        if process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
