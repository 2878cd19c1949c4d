"""Things of which a run uses one at a time: as many as ever ran at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from tvmfuse.errors import ArtifactError
from tvmfuse.runtime.forking import INSTEAD, LONGEST_WAIT, STEPS

T = TypeVar("T")


class Turns(Generic[T]):
    """Such things, of any number of threads; a fork waits for runs to end, and runs for the fork.

    Args:
        make: Returns a new one; the first is made now.
        before: Called before each run.
        refusal: Why a child of `os.fork` cannot use them, whatever the parent did; empty if it can.
    """

    def __init__(
        self, make: Callable[[], T], before: Callable[[], object], refusal: str = ""
    ) -> None:
        self._make, self._before, self._refusal = make, before, refusal
        self._unusable = ""  # or why they are so, in this process
        self._busy: set[T] = set()
        self._idle = deque([make()])
        STEPS.add(self)

    def begun(self) -> T:
        """Return one that is busy now, until it is `ended` or `dropped`.

        Raises:
            ArtifactError: The process is a child of `os.fork`, and they cannot be used in it: the
                parent did not wait for a run to end, or they are a GPU's.
        """
        if self._unusable:
            raise ArtifactError(self._unusable)
        self._before()
        while True:
            try:
                found = self._idle.pop()
            except IndexError:
                found = self._make()
            self._busy.add(found)
            if not STEPS.forking:
                return found
            self._busy.discard(found)
            self._idle.append(found)
            STEPS.wait()

    def ended(self, used: T) -> None:
        """Take one back."""
        self._busy.discard(used)
        self._idle.append(used)

    def dropped(self, used: T) -> None:
        """Forget one, which is in an unknown state after an error."""
        self._busy.discard(used)

    @property
    def running(self) -> int:
        """How many runs have begun and not ended."""
        return len(self._busy)

    def forked(self, *, running: bool) -> None:
        """Take note of being in a child of `os.fork`.

        Args:
            running: Whether the fork did not wait for some run to end.
        """
        self._busy.clear()
        if self._refusal:
            self._unusable = self._refusal
        elif running:
            self._unusable = (
                "the process forked while another thread ran this model for more than "
                f"{LONGEST_WAIT:g} s: {INSTEAD}"
            )
