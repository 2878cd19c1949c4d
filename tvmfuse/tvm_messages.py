"""TVM's messages go to Python's `logging`, to the logger ``tvmfuse.tvm``, and not to the terminal.

TVM and LLVM write to the process's standard error from C++, and TVM 0.27 has no hook for that: its
macro TVM_LOG_CUSTOMIZE is for those who build TVM themselves. So file descriptor 2 becomes a pipe
while TVM works, and a thread reads it. What is a message of theirs is logged; all else that arrives
(another thread's, a program's that was started) is written on to where it was going.
"""

from __future__ import annotations

import fcntl
import logging
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from traceback import walk_tb
from typing import Any, Final, TextIO, cast

LOGGER: Final = logging.getLogger("tvmfuse.tvm")
LOGGER.addHandler(logging.NullHandler())  # or Python prints warnings that nobody handles

STDERR: Final = 2
PIPE_BYTES: Final = 1 << 20
"""Linux's limit for a user: who writes must not wait for a reader that waits for Python's lock."""

OF_TVM: Final = re.compile(
    rb"\[\d\d:\d\d:\d\d\] (?P<place>[^\n]*?:\d+): (?P<level>Debug|Warning|Error)?(?:: )?"
)
"""How a message of TVM begins: ``[12:34:56] /src/arith/rewrite.cc:89: Warning: ...``."""

OF_LLVM: Final = re.compile(
    rb"'[^'\n]*' is not a recognized (?:processor|feature) for this target"
    rb"|(?:warning|error|remark): <unknown>:"
)

OF_PRINTER: Final = re.compile(rb"IndexError: \w+ is not defined in the environment: ")
"""What TVM's printer of kernels writes when an error is about a kernel that is not well-formed."""

#: The thread that redirects standard error -> where it went, and Python's own stream.
_redirected: Final[dict[int, tuple[int, TextIO | None]]] = {}

LEVELS: Final = {b"Debug": logging.DEBUG, b"Warning": logging.WARNING, b"Error": logging.ERROR}


class Messages:
    """Sorts what arrives at standard error: messages are logged, all else is written on.

    Args:
        real: The file descriptor that takes what is no message.
    """

    def __init__(self, real: int) -> None:
        self._real = real
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Take what was read; the start of a message waits for its line's end."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._line(line, b"\n")
        if self._rest and not self._rest.startswith((b"[", b"'", b"IndexError")):
            self.finish()

    def finish(self) -> None:
        """Take a last line that did not end."""
        rest, self._rest = self._rest, b""
        if rest:
            self._line(rest, b"")

    def _line(self, line: bytes, end: bytes) -> None:
        if found := OF_TVM.match(line):
            words = line[found.end() :].decode(errors="replace")
            place = found["place"].decode(errors="replace")
            level = LEVELS.get(found["level"], logging.INFO)
            LOGGER.log(level, "%s", words, extra={"tvm_source": place})
        elif OF_LLVM.match(line) or OF_PRINTER.match(line):
            LOGGER.warning("%s", line.decode(errors="replace"))
        else:
            _write(self._real, line + end)


@contextmanager
def logged() -> Iterator[None]:
    """Log what TVM says while the block runs; not to be entered again before it has ended.

    Where the process has no standard error, or no room for a thread, nothing is done.
    """
    try:
        real = os.dup(STDERR)
    except OSError:
        yield
        return
    ours, theirs = os.pipe()
    with suppress(OSError):
        fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    done = os.urandom(16)  # A program that was started may hold the pipe open: it has no end.
    reader = threading.Thread(
        target=_read, args=(ours, real, done), name="tvmfuse.tvm", daemon=True
    )
    try:
        reader.start()
    except RuntimeError:  # No room for a thread: what is said stays where it goes.
        for descriptor in (ours, theirs, real):
            os.close(descriptor)
        yield
        return
    _redirected[threading.get_ident()] = real, sys.stderr
    try:
        os.dup2(theirs, STDERR)
        with _python_writes_to(real):
            try:
                yield
            except BaseException as error:
                _let_go(error)
                raise
    finally:
        os.dup2(real, STDERR)
        del _redirected[threading.get_ident()]
        _write(theirs, done)
        os.close(theirs)
        reader.join()
        os.close(ours)
        os.close(real)


def _let_go(error: BaseException) -> None:
    """Drop what our and TVM's functions held as they failed, while it is logged what that says.

    A builder that was left half-way says so when it goes, and an error keeps it for as long as
    somebody keeps the error.
    """
    left, seen = [error], set[int]()
    while left:
        failed = left.pop()
        if id(failed) not in seen:
            seen.add(id(failed))
            left += [e for e in (failed.__cause__, failed.__context__) if e is not None]
            for frame, _ in walk_tb(failed.__traceback__):
                if frame.f_globals.get("__name__", "").partition(".")[0] in ("tvm", "tvmfuse"):
                    with suppress(RuntimeError):  # it still runs
                        frame.clear()


def _undo_redirection() -> None:
    """Give a child its standard error back, where the parent's thread that took it is not."""
    for thread, (real, stream) in list(_redirected.items()):
        if thread != threading.get_ident():
            os.dup2(real, STDERR)
            sys.stderr = stream
            del _redirected[thread]


os.register_at_fork(after_in_child=_undo_redirection)


def _read(pipe: int, real: int, done: bytes) -> None:
    messages, held = Messages(real), b""
    while True:
        held += os.read(pipe, PIPE_BYTES)
        before, end, _ = held.partition(done)
        if end:
            messages.feed(before)
            messages.finish()
            return
        keep = next((n for n in range(len(done) - 1, 0, -1) if held.endswith(done[:n])), 0)
        messages.feed(held[: len(held) - keep])
        held = held[len(held) - keep :]


class _Stream:
    """Python's standard error, which goes to another stream as long as the block runs."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def _python_writes_to(real: int) -> Iterator[None]:
    """Let Python write to the terminal itself, so that what asks finds that it is one."""
    before = sys.stderr
    try:
        through_stderr = before.fileno() == STDERR
    except (AttributeError, OSError, ValueError):  # None, closed, or a file in memory
        through_stderr = False
    if not through_stderr:
        yield
        return
    with os.fdopen(
        os.dup(real), "w", buffering=1, encoding=before.encoding, errors=before.errors
    ) as direct:
        ours = _Stream(direct)
        stream = sys.stderr = cast("TextIO", ours)  # it has all that the stream has
        try:
            yield
        finally:
            ours.stream = before  # for whoever kept it
            if sys.stderr is stream:
                sys.stderr = before


def _write(place: int, data: bytes) -> None:
    with suppress(OSError):  # a closed terminal
        while data:
            data = data[os.write(place, data) :]
