"""Programs that are started for some work: none outlives it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from tvmfuse.unfinished import undone


def run_tool(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; Ctrl-C kills it, and the programs that it started.

    Args:
        command: The program and its arguments.
        folder: Where it puts its temporary files.

    Raises:
        OSError: It cannot be started.
    """
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with started(command, folder, **pipes) as process:
        output, errors = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


@contextmanager
def started(
    command: Sequence[str], folder: Path, **options: Any
) -> Iterator[subprocess.Popen[Any]]:
    """Start a program; where the block ends before it, it is killed with those that it started.

    Args:
        command: The program and its arguments.
        folder: Where it puts its temporary files.
        options: Of `subprocess.Popen`; what `env` has is added to this process's environment.

    Raises:
        OSError: It cannot be started.
    """
    environment = {**os.environ, **options.pop("env", {}), "TMPDIR": str(folder)}
    there: list[subprocess.Popen[Any]] = []
    with undone(partial(kill, there)):
        there.append(subprocess.Popen(command, env=environment, process_group=0, **options))
        with there[0] as process:
            try:
                yield process
            except BaseException:
                kill(there)  # or its end would be waited for
                raise


def kill(there: Sequence[subprocess.Popen[Any]]) -> None:
    """Kill programs that were `started`, and those that they started."""
    for process in there:
        if process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
