"""A Ray cluster that runs tasks; it takes the extra `ray`."""

from __future__ import annotations

import socket
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final, Self

from tvmfuse.errors import ConfigurationError, first_line
from tvmfuse.fleet.executor import AHEAD, RETRIES, LostError, Outcome, Task

CPUS: Final = 1
"""What a task asks Ray for."""
ANSWER_S: Final = 5.0
"""Seconds in which a cluster has to answer."""


class RayExecutor:
    """Runs each task on a worker of a Ray cluster, where tvmfuse has to be installed.

    Where this process is connected to Ray already, that is taken, and stays. Ray retries nothing:
    a task whose worker or node died is given to Ray anew.

    Args:
        address: Of the cluster: ``auto``, ``host:6379`` or ``ray://host:10001``.
        jobs: How many tasks run at once; by default as many as the cluster has CPUs.
    """

    sees_files = False

    def __init__(self, address: str, jobs: int | None = None) -> None:
        self._address = address
        self._jobs = jobs
        self._ray = _ray()
        self._connects = not self._ray.is_initialized()
        self._running: dict[Any, Future[Outcome]] = {}
        self._ended = False

    @property
    def capacity(self) -> int:
        """How many tasks it is given at once: those that run, and a few for CPUs that come."""
        return self._jobs or int(self._ray.cluster_resources().get("CPU", 0)) // CPUS + AHEAD

    def submit(self, task: Task) -> Future[Outcome]:
        """Have a task run where a CPU is free."""
        future: Future[Outcome] = Future()
        self._begin(task, future, RETRIES)
        return future

    def __enter__(self) -> Self:
        """Connect to the cluster.

        Raises:
            ConfigurationError: There is none, or it is another version of Ray's or Python's.
        """
        if self._connects:
            _check_answers(self._address)
            try:
                self._ray.init(self._address, log_to_driver=False, logging_level="ERROR")
            except Exception as error:
                raise ConfigurationError(
                    f"cannot connect to Ray at {self._address}: {type(error).__name__}: "
                    f"{first_line(error)}; `ray start --head` begins a cluster on this machine, "
                    "which is auto"
                ) from error
        self._remote = self._ray.remote(num_cpus=CPUS, max_retries=0, scheduling_strategy="SPREAD")(
            _run
        )
        return self

    def __exit__(self, *_raised: object) -> None:
        """End what still runs; and the connection, if it was made here."""
        self._ended = True
        for reference in [*self._running]:
            with suppress(Exception):  # it has ended, or the cluster is gone
                self._ray.cancel(reference, force=True)
        if self._connects:
            self._ray.shutdown()

    def _begin(self, task: Task, future: Future[Outcome], left: int) -> None:
        reference = self._remote.remote(task)
        self._running[reference] = future

        def ended(got: Future[Outcome]) -> None:
            del self._running[reference]
            error = got.exception()
            if error is None:
                future.set_result(got.result())
            elif self._ended or not left or isinstance(error, self._ray.exceptions.RayTaskError):
                future.set_exception(LostError(_words(error, RETRIES - left + 1)))
            else:
                self._begin(task, future, left - 1)

        reference.future().add_done_callback(ended)


def _run(task: Task) -> Outcome:
    return task.run()


def _check_answers(address: str) -> None:
    """Refuse an address where nobody listens: Ray would wait for minutes.

    Raises:
        ConfigurationError: Nobody does.
    """
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not (colon and port.isdigit()):
        return  # auto, or what Ray says is none
    try:
        socket.create_connection((host, int(port)), ANSWER_S).close()
    except OSError as error:
        raise ConfigurationError(
            f"no Ray cluster answers at {address}: {error}; expected auto, HOST:PORT or "
            "ray://HOST:PORT, as `ray start --head` and `ray status` print it"
        ) from error


def _words(error: BaseException, workers: int) -> str:
    cause = getattr(error, "cause", None) or error
    words = f"{type(cause).__name__}: {first_line(cause)}"
    if isinstance(cause, ModuleNotFoundError):
        return f"its worker has no module {cause.name}: install tvmfuse on every node"
    if hasattr(error, "cause"):
        return f"its worker cannot run it: {words}"
    return f"{workers} workers died of it, the last with {words}"


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise ConfigurationError(
            "a Ray cluster takes Ray: python -m pip install 'tvmfuse[ray]'"
        ) from error
    return ray
