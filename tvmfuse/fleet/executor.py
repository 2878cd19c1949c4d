"""What runs tasks, several at a time, somewhere: `Executor`, and what goes to it and comes back."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, Protocol, Self

RETRIES: Final = 2
"""How often a task whose worker died is given to another one, before it is given up."""

AHEAD: Final = 2
"""How many tasks wait at an executor, so that no worker of it waits for one."""


class LostError(Exception):
    """Every worker that a task was given to died; the message says how."""


@dataclass(frozen=True)
class Outcome:
    """What became of a task.

    Attributes:
        content: The bytes of the file that it made; empty where it made none.
        reason: Why it made none; else empty.
        seconds: That it took, on its worker.
        warnings: What was warned of.
    """

    content: bytes
    reason: str
    seconds: float
    warnings: tuple[str, ...] = ()


class Task(Protocol):
    """Work as plain data: it is pickled, and `run` where it arrives."""

    def run(self) -> Outcome:
        """Do it; what can be said in words is no exception."""


class Executor(Protocol):
    """Runs tasks on workers; where its block ends, however it does, so do they.

    Attributes:
        capacity: How many tasks it is given at once: those that run, and a few that wait.
        sees_files: Whether workers see this machine's files and are of its kind.
    """

    @property
    def capacity(self) -> int: ...  # noqa: D102

    @property
    def sees_files(self) -> bool: ...  # noqa: D102

    def submit(self, task: Task) -> Future[Outcome]:
        """Have a task run; its future raises a `LostError` where `RETRIES` were in vain."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_raised: object) -> None: ...
