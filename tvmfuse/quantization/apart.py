"""The caller's side of the quantizer: its process is started, told, listened to, and ended."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from tvmfuse.build.scratch import temporary_folder
from tvmfuse.build.worker_process import DiedError, WorkerProcess, worker_process
from tvmfuse.errors import (
    ArtifactError,
    OutOfMemoryError,
    TvmfuseError,
    UnsupportedModelError,
)
from tvmfuse.progress import Progress
from tvmfuse.quantization.job import Failed, Job, SampleWanted
from tvmfuse.quantization.samples import Samples

PROGRAM: Final = "tvmfuse.quantization.worker"
"""The module that the process runs."""


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
    with ExitStack() as stack:
        try:
            process = stack.enter_context(worker_process(PROGRAM, job.folder))
        except OSError as error:
            raise ArtifactError(f"cannot start {sys.executable} to quantize: {error}") from error
        try:
            _answer(process, job, samples, progress)
        except DiedError as error:
            raise _died(error) from None


def _answer(process: WorkerProcess, job: Job, samples: Samples, progress: Progress) -> None:
    """Answer what a process asks, until it is done."""
    process.send(job)
    while (said := process.receive()) is not None:
        if isinstance(said, Failed):
            said.error.__cause__ = QuantizerError(said.trace)
            raise said.error
        if isinstance(said, SampleWanted):
            process.send(samples.get_next())
        else:
            progress(said)


def _died(error: DiedError) -> TvmfuseError:
    """Return the error of a process that ended before its work."""
    if -error.code == signal.SIGKILL:
        return OutOfMemoryError(
            "onnxruntime's quantizer was killed, as the system does when memory runs out"
        )
    return UnsupportedModelError(
        f"onnxruntime's quantizer cannot take this model: its process ended with {error}"
    )
