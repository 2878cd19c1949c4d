"""`os.fork` beside threads that load or run models.

A child has the memory of its parent and only the thread that forked: what another thread had begun
stays as it was at that moment, locks included. So a fork waits until the others are between two
steps of theirs, and lets none begin the next; for some seconds at most, and then the child is told.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from typing import Final, Protocol

from tvmfuse.errors import ArtifactError

#: Seconds.
LONGEST_WAIT: Final = 2.0
PAUSE: Final = 0.001

INSTEAD: Final = (
    "start such processes with multiprocessing's 'spawn' or 'forkserver', or fork before threads "
    "load and run models"
)


class Runner(Protocol):
    """What runs a model, in any number of threads."""

    @property
    def running(self) -> int:
        """How many runs have begun and not ended."""

    def forked(self, *, running: bool) -> None:
        """Take note of being in a child; called before anything else happens there.

        Args:
            running: Whether the fork did not wait for some run to end.
        """


class Steps:
    """What a fork does not cut in two.

    As a context manager, a lock that one thread at a time holds for such a step, and may enter
    again. Runs are many and take no lock. Each says that it has begun; where a thread is `forking`
    then, which may not have seen that, it takes it back and waits until it may begin.

    Args:
        done: What a thread does in such a step, in words.

    Attributes:
        forking: Whether a thread is about to fork.
    """

    def __init__(self, done: str) -> None:
        self.forking = False
        self._done = done
        self._lock = threading.RLock()
        self._held = self._half_done = False
        self._runners: weakref.WeakSet[Runner] = weakref.WeakSet()
        self._cut: set[Runner] = set()
        self._no_fork = _set()
        os.register_at_fork(
            before=self._before, after_in_parent=self._in_parent, after_in_child=self._in_child
        )

    def __enter__(self) -> None:
        """Wait for other threads.

        Raises:
            ArtifactError: In a child that was forked in the middle of such a step.
        """
        if self._half_done:
            raise ArtifactError(f"the process forked while another thread {self._done}: {INSTEAD}")
        self._lock.acquire()

    def __exit__(self, *_raised: object) -> None:
        self._lock.release()

    def add(self, runner: Runner) -> None:
        """Wait for what this one runs, too."""
        with self:
            self._runners.add(runner)

    def wait(self) -> None:
        """Wait until no thread is about to fork."""
        self._no_fork.wait()

    def _before(self) -> None:
        end = time.monotonic() + LONGEST_WAIT
        self._held = self._lock.acquire(timeout=LONGEST_WAIT)
        self._no_fork.clear()
        self.forking = True
        while (cut := self._running()) and self._held and time.monotonic() < end:
            time.sleep(PAUSE)
        self._cut = cut

    def _running(self) -> set[Runner]:
        return {runner for runner in self._runners if runner.running}

    def _in_parent(self) -> None:
        self._cut, self.forking = set(), False
        self._no_fork.set()
        if self._held:
            self._lock.release()

    def _in_child(self) -> None:
        self._half_done = not self._held
        self._lock, self._no_fork = threading.RLock(), _set()
        for runner in self._runners:
            runner.forked(running=runner in self._cut)
        self._cut, self.forking = set(), False


def _set() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


#: A child could never import what is half imported.
IMPORTS: Final = Steps("imported tvmfuse")

#: A library is opened, or a pool of threads is made.
STEPS: Final = Steps("opened a model")
