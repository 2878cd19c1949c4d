"""Ctrl-C for a command: it stops within two seconds, whatever it does.

Python runs the handler of a signal on the main thread, between two steps of Python. Where C++ works
there, in a long kernel say, that is when it returns. So a thread watches: a command that does not
come back to Python in time, or does not end in time after that, is ended from there, with what it
has not finished undone.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, Final, NoReturn

from tvmfuse.unfinished import undo_all

INTERRUPTED: Final = 130
"""128 + SIGINT, as shells have it."""

NOTICE_S: Final = 1.0
"""Seconds in which the main thread has to come back to Python."""
END_S: Final = 1.0
"""Seconds of the main thread's CPU time in which it has to end then: it prints what it measured."""
LONGEST_S: Final = 5.0
"""Seconds in which it has to end then, on a machine that is not quiet."""
LOOK_S: Final = 0.05

SHOW_CURSOR: Final = b"\r\x1b[2K\x1b[?25h"
"""At the beginning of the line, erased; bars hide the cursor."""


def interruptible_command(command: Callable[[], object]) -> None:
    """Run a command, a process's whole work, so that Ctrl-C ends it in time with 130.

    The first Ctrl-C raises `KeyboardInterrupt`, the second ends the process at once. A process that
    ignores the signal, a shell's background job, goes on ignoring it.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        command()
        return
    watch = _Watch()
    try:
        try:
            command()
        finally:  # It is done: what is left is that Python takes itself down.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    finally:
        watch.end_if_interrupted()


class _Watch:
    """Watches for Ctrl-C, and for the main thread that should end then."""

    def __init__(self) -> None:
        self._noticed = False
        self._stderr = os.dup(sys.stderr.fileno()) if sys.stderr else -1
        self._cpu = time.pthread_getcpuclockid(threading.get_ident())
        self._signals, written = os.pipe()
        os.set_blocking(written, False)
        threading.Thread(target=self._run, name="tvmfuse-interrupts", daemon=True).start()
        sys.unraisablehook = self._unraisable
        signal.signal(signal.SIGINT, self._notice)
        signal.set_wakeup_fd(written, warn_on_full_buffer=False)

    def end_if_interrupted(self) -> None:
        """End the process where Ctrl-C was pressed, as an interrupted one."""
        if self._noticed:
            with suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            self._end(b"")

    def _notice(self, number: int, frame: FrameType | None) -> None:
        del number
        if self._noticed or _imports(frame):
            self._end(b"interrupted\n")
        self._noticed = True
        raise KeyboardInterrupt

    def _run(self) -> None:
        while signal.SIGINT not in os.read(self._signals, 1):
            pass
        begin = time.monotonic()
        while not self._noticed and time.monotonic() - begin < NOTICE_S:
            self._look()
        if self._noticed:
            begin, cpu = time.monotonic(), time.clock_gettime(self._cpu)
            while (
                time.clock_gettime(self._cpu) - cpu < END_S and time.monotonic() - begin < LONGEST_S
            ):
                self._look()
        self._end(b"interrupted\n")

    def _look(self) -> None:
        """Wait a moment; another Ctrl-C ends the process."""
        ready, _, _ = select.select([self._signals], [], [], LOOK_S)
        if ready and signal.SIGINT in os.read(self._signals, 1):
            self._end(b"interrupted\n")

    def _unraisable(self, lost: Any) -> None:
        """Say nothing of an interrupt in a destructor, where Python has to drop it."""
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(lost)

    def _end(self, words: bytes) -> NoReturn:
        undo_all()
        with suppress(OSError):
            os.write(self._stderr, (SHOW_CURSOR if os.isatty(self._stderr) else b"") + words)
        # Threads may still be in C++: nothing that they use may be taken down before they end.
        os._exit(INTERRUPTED)


def _imports(frame: FrameType | None) -> bool:
    """Whether a module is being imported: C code prints a traceback of what it is stopped by there.

    Half a module is of no use, so that nothing is lost.
    """
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
