"""What Prometheus sees; with several workers, the sum over all of them.

``PROMETHEUS_MULTIPROC_DIR`` has to be set before this is imported: workers keep their numbers in
files there, and whichever of them is asked adds them up.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"

REQUESTS: Final = Counter("serve_requests", "Predictions asked for, by HTTP status", ["status"])
SECONDS: Final = Histogram(
    "serve_request_seconds",
    "From a request's headers to its answer",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
)
RUN_SECONDS: Final = Histogram(
    "serve_run_seconds",
    "One run of the model",
    buckets=(0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5),
)
ROWS: Final = Histogram("serve_batch_rows", "Rows of one run", buckets=(1, 2, 4, 8, 16, 32, 64))
WAITING: Final = Gauge("serve_queue", "Requests that wait", multiprocess_mode="livesum")


def exposition() -> bytes:
    """Return all metrics in Prometheus' text format."""
    if FOLDER not in os.environ:
        return generate_latest(REGISTRY)
    _forget_the_dead(Path(os.environ[FOLDER]))
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def _forget_the_dead(folder: Path) -> None:
    """Take the gauges of workers that were killed out of the sum: those had no time to."""
    for process in {int(file.stem.rpartition("_")[2]) for file in folder.glob("gauge_live*.db")}:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            multiprocess.mark_process_dead(process)  # type: ignore[no-untyped-call]


def worker_ends() -> None:
    """Take this worker's gauges out of the sum."""
    if FOLDER in os.environ:
        multiprocess.mark_process_dead(os.getpid())  # type: ignore[no-untyped-call]
