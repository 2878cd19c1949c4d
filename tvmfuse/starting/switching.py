"""A model that one engine runs until another one has it: the change is between two runs."""

from __future__ import annotations

import logging
import os
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, Final

from tvmfuse.errors import TvmfuseError, first_line
from tvmfuse.starting.beside import Beside, FailedError
from tvmfuse.starting.interim import Interim
from tvmfuse.starting.kept_models import KeptModels, loader
from tvmfuse.starting.order import Order

LOGGER: Final = logging.getLogger("tvmfuse")

FIRST: Final = "onnxruntime"
THEN: Final = "tvmfuse"

GRACE_S: Final = 0.5
"""Seconds for which the first run has the machine for itself."""


class _Job:
    """The way from one engine to the other, of one process; it knows nothing of its session.

    Attributes:
        process: In which it works.
        compiled: The model, as soon as it is there.
        failure: Why it will not be; None as long as it may.
        done: Set when one or the other is known.
        ran: Set when the first engine has run once.
    """

    def __init__(self, order: Order, num_threads: int | None, *, spin: bool) -> None:
        self.process = os.getpid()
        self.compiled: Any = None
        self.failure: str | None = None
        self.done = threading.Event()
        self.ran = threading.Event()
        self._order, self._threads, self._spin = order, num_threads, spin
        self._beside = Beside()
        try:
            threading.Thread(target=self._work, name="tvmfuse-start", daemon=True).start()
        except RuntimeError as error:  # no room for a thread
            self._fail(str(error))
            self.done.set()

    def end(self) -> None:
        """End what is begun, in the process that began it."""
        if os.getpid() == self.process:
            self._beside.end()
            self.ran.set()

    def _work(self) -> None:
        self.ran.wait(GRACE_S)
        began = time.monotonic()
        try:
            with _turn(self.process):
                self.compiled = self._loaded(self._beside.answer(self._order))
        except (FailedError, TvmfuseError, OSError) as error:
            self._fail(str(error))
        except Exception as error:  # a defect, which costs no session
            self._fail(f"{type(error).__name__}: {first_line(error)}")
        else:
            took = time.monotonic() - began
            LOGGER.info("%s: %s runs it from now on, after %.1f s", self._order.name, THEN, took)
        finally:
            del self._order  # it may hold the model
            self._beside.end(kindly=True)
            self.done.set()

    def _fail(self, why: str) -> None:
        self.failure = why
        if not self._beside.ended:
            LOGGER.warning(
                "%s stays with %s, for it is not compiled: %s", self._order.name, FIRST, why
            )

    def _loaded(self, answer: Mapping[str, Any]) -> Any:
        for words in answer["warned"]:
            LOGGER.warning("%s: %s", self._order.name, words)
        if "key" in answer:
            kept = KeptModels.of(self._order.cache)
            assert kept is not None  # or there would be no key
            found = kept.load(answer["key"], self._threads, spin=self._spin)
            if found is None:
                raise FailedError("what was compiled is gone from the cache folder")
            return found
        LOGGER.info("%s is not kept for the next session", self._order.name)
        return loader()(answer["path"], num_threads=self._threads, spin=self._spin)


class Switching:
    """A model that onnxruntime runs until it is compiled; any number of threads may run it.

    A run ends on the engine on which it began. What only a compiled model has is waited for.

    Args:
        first: What runs it until then.
        order: What is to be compiled.
        num_threads: See `runtime.load`.
        spin: The same.
    """

    def __init__(
        self, first: Interim, order: Order, num_threads: int | None, *, spin: bool
    ) -> None:
        self._first: Interim | None = first
        self._order: Order | None = order
        self._threads, self._spin = num_threads, spin
        self.inputs = first.inputs
        self.overridable = first.overridable
        self.outputs = first.outputs
        self.metadata = first.metadata
        LOGGER.info("%s: %s runs it while it is compiled", order.name, FIRST)
        self._begin()

    @property
    def engine(self) -> str:
        """Which engine takes the next run."""
        return FIRST if self._job.compiled is None else THEN

    @property
    def failure(self) -> str | None:
        """Why the first engine stays; None as long as that is not so."""
        return self._job.failure

    @property
    def manifest(self) -> Any:
        """What the model says of itself."""
        compiled = self._job.compiled
        return SimpleNamespace(metadata=self.metadata) if compiled is None else compiled.manifest

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the model is compiled, or cannot be.

        Args:
            timeout: For how many seconds at most; None for as long as it takes.

        Returns:
            Whether it is compiled.
        """
        self._of_this_process().done.wait(timeout)
        return self._job.compiled is not None

    def run(self, output_names: Sequence[str] | None, feeds: Mapping[str, Any]) -> list[Any]:
        """Run the model; see `Executable.run`.

        Raises:
            InputError: The inputs do not fit the model, or it has no such output.
        """
        compiled, first = self._job.compiled, self._first
        if compiled is not None or first is None:
            self._first = self._order = None  # which hold the model
            return list(self._job.compiled.run(output_names, feeds))
        found = first.run(output_names, feeds)
        self._of_this_process().ran.set()
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if not self.wait():
            raise AttributeError(f"{name}: the model is not compiled: {self.failure}")
        return getattr(self._job.compiled, name)

    def _begin(self) -> None:
        assert self._order is not None  # as long as it is not compiled
        self._job = _Job(self._order, self._threads, spin=self._spin)
        weakref.finalize(self, self._job.end)

    def _of_this_process(self) -> _Job:
        """Return the job; a child of `os.fork`, which has no thread of it, begins its own."""
        job = self._job
        if job.compiled is None and job.process != os.getpid():
            self._begin()
        return self._job


_turns: Final[dict[int, threading.Lock]] = {}


def _turn(process: int) -> threading.Lock:
    """Return what lets one model at a time be compiled for a process."""
    with suppress(KeyError):
        return _turns[process]
    return _turns.setdefault(process, threading.Lock())
