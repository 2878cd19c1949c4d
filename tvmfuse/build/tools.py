"""Programs that the build starts, and the folders that they work in: neither outlives the work."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from tvmfuse.unfinished import undone


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder that only this user can read, and remove it with all that is in it.

    Raises:
        OSError: It cannot be made.
    """
    folder = Path(tempfile.gettempdir(), f"tvmfuse-{secrets.token_hex(8)}")
    with undone(partial(shutil.rmtree, folder, ignore_errors=True)):
        folder.mkdir(mode=0o700)
        yield folder


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
