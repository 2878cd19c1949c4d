"""A process beside this one that compiles a model, and ends with it.

It has Python's lock, TVM and its memory for itself, so that this process runs the model as quickly
as if nobody compiled. One at a time works for each process, at a low priority.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from tvmfuse.starting.order import Order

#: What is said of a process that cannot be started or does not answer.
NO_PYTHON: Final = "this program is no Python that could be started once more"


NICE: Final = 10
"""The process's priority: where all cores are busy it has a tenth of one, and ends some time."""

CLEANS_UP_S: Final = 2.0
"""Seconds that a process has for that."""


class FailedError(Exception):
    """There is no compiled model; the message says why."""


class Beside:
    """Compiles one model; `answer` waits for it, and `end` ends it from any thread.

    Attributes:
        ended: Whether that was done.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self.ended = False

    def answer(self, order: Order) -> Mapping[str, Any]:
        """Have a model compiled, and return where it is.

        Returns:
            Its ``key``, where it is kept under one, else its ``path``, which is gone with `end`;
            and what the compiler ``warned`` of.

        Raises:
            FailedError: It cannot be compiled, or `end` was called.
        """
        memory = None
        try:
            memory = _in_memory(order.model) if isinstance(order.model, bytes) else None
            process = self._start(memory)
            assert process.stdin is not None  # both are pipes
            assert process.stdout is not None
            request = {
                "model": order.place if memory is None else None, "memory": memory,
                "settings": json.loads(order.written or "{}"), "written": order.written,
                "cache": order.cache,
                "parent": os.getpid(), "began": order.began, "nice": NICE,
            }  # fmt: skip
            with suppress(BrokenPipeError):
                process.stdin.write(json.dumps(request).encode() + b"\n")
                process.stdin.flush()
            line = process.stdout.readline()
        except OSError as error:
            raise FailedError(str(error)) from error
        finally:
            if memory is not None:
                os.close(memory)
        return self._read(line, process)

    def end(self, *, kindly: bool = False) -> None:
        """End it with all that it has started; what it has not finished is nobody's.

        Args:
            kindly: Whether it has answered, and is given the time to clean up.
        """
        with self._lock:
            self.ended = True
            process, self._process = self._process, None
        if process is not None:
            if kindly:
                self._wait(process)
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()
            process.wait()

    @staticmethod
    def _wait(process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None  # it is a pipe
        with suppress(OSError, subprocess.TimeoutExpired):
            process.stdin.close()
            process.wait(CLEANS_UP_S)

    def _start(self, memory: int | None) -> subprocess.Popen[bytes]:
        if "python" not in os.path.basename(sys.executable or ""):
            raise FailedError(NO_PYTHON)
        # What this program can import, however it came by its path, the other one can.
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with self._lock:
            if self.ended:
                raise FailedError("the session is gone")
            # A group of its own: Ctrl-C is this program's.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "tvmfuse.starting"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env=environment, pass_fds=() if memory is None else (memory,),
                start_new_session=True,
            )  # fmt: skip
            return self._process

    def _read(self, line: bytes, process: subprocess.Popen[bytes]) -> Mapping[str, Any]:
        try:
            said: Mapping[str, Any] = json.loads(line)
        except ValueError:
            with self._lock:
                ended = self.ended
            if ended:
                raise FailedError("the session is gone") from None
            try:
                status = process.wait(1)
            except subprocess.TimeoutExpired:
                status = None
            raise FailedError(f"the process that compiled it ended, with status {status}") from None
        if "error" in said:
            raise FailedError(said["error"])
        return said


def _in_memory(content: bytes) -> int:
    """Return a descriptor of what a process that is started can read."""
    descriptor = os.memfd_create("model")
    left = memoryview(content)
    while left:
        left = left[os.write(descriptor, left) :]
    return descriptor
