"""The caller's side of the quantizer: its process is started, told, listened to, and ended."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from tvmfuse.build.scratch import temporary_folder
from tvmfuse.build.tools import started
from tvmfuse.errors import (
    ArtifactError,
    OutOfMemoryError,
    TvmfuseError,
    UnsupportedModelError,
)
from tvmfuse.progress import Progress
from tvmfuse.quantization.job import LOOK_S, Failed, Job, SampleWanted
from tvmfuse.quantization.samples import Samples

PROGRAM: Final = "tvmfuse.quantization.worker"
"""The module that the process runs."""
WORDS: Final = "words.txt"
"""The file of what the process prints: advice to call what is called anyway, or its last words."""


class QuantizerError(Exception):
    """What the other process met, as the cause of the error that it is about."""


@contextmanager
def working_folder() -> Iterator[Path]:
    """Make a folder that is gone at the end; where this process is killed, when the next is made.

    Raises:
        ArtifactError: There is no place for temporary files.
    """
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(temporary_folder())
        except OSError as error:
            raise ArtifactError(f"there is no place for temporary files: {error}") from error
        yield folder


def do(job: Job, samples: Samples, progress: Progress) -> None:
    """Have a job done by a process that is gone afterwards; Ctrl-C and errors here end it, too.

    Args:
        job: Its models are in their places.
        samples: Those that the process asks for are made here, by the caller's thread.
        progress: Is told of its steps.

    Raises:
        TvmfuseError: See `tvmfuse.quantization.worker.quantize`; or a sample does not fit.
    """
    ours, theirs = multiprocessing.Pipe()
    command = [
        sys.executable, "-P", "-m", PROGRAM, str(theirs.fileno()), str(os.getpid()),
    ]  # fmt: skip
    options: dict[str, Any] = {
        "pass_fds": [theirs.fileno()],
        "stdin": subprocess.DEVNULL,
        "stderr": subprocess.STDOUT,
        # The same modules as here, wherever they come from.
        "env": {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    }
    with ours, theirs, ExitStack() as stack:
        try:
            said = stack.enter_context((job.folder / WORDS).open("wb"))
            process = stack.enter_context(started(command, job.folder, stdout=said, **options))
        except OSError as error:
            raise ArtifactError(f"cannot start {sys.executable} to quantize: {error}") from error
        theirs.close()
        _answer(ours, process, job, samples, progress)


def _answer(
    ours: Connection,
    process: subprocess.Popen[Any],
    job: Job,
    samples: Samples,
    progress: Progress,
) -> None:
    """Answer what a process asks, until it is done."""
    try:
        ours.send(job)
        while (said := _next(ours, process)) is not None:
            if isinstance(said, Failed):
                said.error.__cause__ = QuantizerError(said.trace)
                raise said.error
            if isinstance(said, SampleWanted):
                ours.send(samples.get_next())
            else:
                progress(said)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        raise _died(process.wait(), job.folder / WORDS) from None


def _next(ours: Connection, process: subprocess.Popen[Any]) -> Any:
    """Return what comes next.

    Raises:
        EOFError: The process has ended. Whether all that writes to it has, does not count: another
            thread may fork, and its child has what this process has.
    """
    while not ours.poll(LOOK_S):
        if process.poll() is not None and not ours.poll():
            raise EOFError
    return ours.recv()


def _died(code: int, words: Path) -> TvmfuseError:
    """Return the error of a process that ended before its work."""
    how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    if -code == signal.SIGKILL:
        return OutOfMemoryError(
            "onnxruntime's quantizer was killed, as the system does when memory runs out"
        )
    said = words.read_text(errors="replace").strip().splitlines()
    last = f": {said[-1]}" if said else ""
    return UnsupportedModelError(
        f"onnxruntime's quantizer cannot take this model: its process ended with {how}{last}"
    )
