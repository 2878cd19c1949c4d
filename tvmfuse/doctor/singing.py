"""Listening to the canaries: they sing in one process, and whoever it dies of is the finding.

Starting a process and loading TVM takes longer than all of them. So the next process is started
only where one has died, and takes up behind the canary that ended it.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from typing import IO, Final

from tvmfuse.doctor.canaries import CANARIES
from tvmfuse.doctor.diagnosis import Check
from tvmfuse.progress import Progress, silent

#: Seconds for one canary: the first one loads TVM, and none takes more than a few of them.
LIMIT_S: Final = 30.0
PROGRAM: Final = (sys.executable, "-P", "-m", "tvmfuse.doctor.canaries")


def listen(
    names: Sequence[str] = tuple(CANARIES),
    *,
    program: Sequence[str] = PROGRAM,
    limit_s: float = LIMIT_S,
    progress: Progress = silent,
) -> Iterator[Check]:
    """Yield a check for each canary.

    Args:
        names: Of `CANARIES`.
        program: What sings the canaries that it is given, as `tvmfuse.doctor.canaries` does.
        limit_s: Seconds that one may take.
        progress: Called with each name before its canary sings.
    """
    left = list(names)
    while left:
        checks = [*_one_process(left, program, limit_s, progress)]
        left = left[len(checks) :]
        yield from checks


def _one_process(
    names: Sequence[str], program: Sequence[str], limit_s: float, progress: Progress
) -> Iterator[Check]:
    """Yield checks, in order, until all have sung or one has ended the process."""
    # The same modules as here, wherever they come from.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with (
        tempfile.TemporaryFile("w+", errors="replace") as said,
        subprocess.Popen(
            [*program, *names], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said,
            text=True, env=environment, start_new_session=True,
        ) as process,
    ):  # fmt: skip
        try:
            for name in names:
                progress(name)
                line, late = _answer(process, limit_s)
                if not line.endswith("\n"):
                    yield Check("canaries", name, "", _end(process, said, limit_s, late=late))
                    return
                answer = json.loads(line)
                yield Check("canaries", name, answer["found"], answer["problem"])
        finally:
            _kill(process)


def _answer(process: subprocess.Popen[str], limit_s: float) -> tuple[str, bool]:
    """Return the next line, or what there is of it, and whether the process was ended for it."""
    late = threading.Event()

    def end() -> None:
        late.set()
        _kill(process)

    timer = threading.Timer(limit_s, end)
    timer.start()
    assert process.stdout is not None
    line = process.stdout.readline()
    timer.cancel()
    return line, late.is_set()


def _kill(process: subprocess.Popen[str]) -> None:
    """End a process with all that it has started: it leads a session of its own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _end(process: subprocess.Popen[str], said: IO[str], limit_s: float, *, late: bool) -> str:
    """Say how the process ended, with the innermost line of Python where that is known."""
    if late:
        return f"no answer in {limit_s:g} s: please report what `tvmfuse doctor --json` prints"
    code = process.wait()
    said.seek(0)
    text = said.read()
    how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    frame = re.search(r"most recent call first\):\n\s*(File .*)", text)
    last = frame[1] if frame else next(iter(text.strip().splitlines()[-1:]), "")
    return f"the process ended with {how}{f': {last}' if last else ''}"
