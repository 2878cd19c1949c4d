"""Start the workers: ``python -m examples.serve --model m.so``."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click
import uvicorn

from examples.serve.patience import PatientProtocol
from examples.serve.settings import Settings


@click.command()
@click.option("--model", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="A compiled model.  [default: a small classifier]")  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", default=8000, show_default=True, help="0 takes a free one.")
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True,
              help="Processes; they share the cores, and the weights in memory.")  # fmt: skip
def main(*, model: Path | None, host: str, port: int, workers: int) -> None:
    """Serve a compiled model; SERVE_MAX_BATCH and its like set the limits (`settings.py`)."""
    with tempfile.TemporaryDirectory() as folder:
        if model is None:
            from examples.serve.demo import save_demo

            model = save_demo(Path(folder))
        # Before a worker imports prometheus_client; a new folder, for old numbers would be added.
        (numbers := Path(folder, "metrics")).mkdir()
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(numbers)
        os.environ["SERVE_MODEL"] = str(model)
        share = max(1, len(os.sched_getaffinity(0)) // workers)
        os.environ.setdefault("SERVE_THREADS", str(share))
        settings = Settings.read(os.environ)  # a mistake is told once, not by each worker
        uvicorn.run(
            "examples.serve.app:create", factory=True, host=host, port=port, workers=workers,
            access_log=False, timeout_keep_alive=5, timeout_graceful_shutdown=30,
            limit_concurrency=4 * settings.max_queue, http=PatientProtocol,
        )  # fmt: skip


if __name__ == "__main__":
    main()
