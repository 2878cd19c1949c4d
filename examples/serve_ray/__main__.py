"""Start a cluster of this machine alone, and serve on it: ``python -m examples.serve_ray``."""

from __future__ import annotations

import os
import signal
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

# Before Ray is imported; else it tells its makers of each cluster.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import click
import ray
from ray import serve

from examples.serve_ray.app import build

STORE: Final = 100 << 20
"""Bytes for arguments that do not fit in a message; Ray would take a third of the memory."""


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--port", default=8000, show_default=True)
@click.option("--metrics-port", default=8080, show_default=True, help="Of Prometheus' numbers.")
@click.option(
    "--replicas",
    default=1,
    show_default=True,
    help="Of each file without load, and of the ingress.",
)
def main(*, files: tuple[Path, ...], port: int, metrics_port: int, replicas: int) -> None:
    """Serve compiled models at the loopback address, each under its file's name.

    For machines, canaries and limits of one's own: `serve deploy config.yaml` on a cluster.
    """
    with tempfile.TemporaryDirectory() as folder:
        models: dict[str, Any] = {
            path.stem: {"stable": {"path": path, "min_replicas": replicas}} for path in files
        }
        if not models:
            from examples.serve_ray.demo import save_demos

            models = save_demos(Path(folder))
        # Local, so that it joins no cluster that somebody else has started here.
        ray.init("local", _temp_dir=folder, include_dashboard=False, object_store_memory=STORE,
                 _metrics_export_port=metrics_port)  # fmt: skip
        quiet = {"log_level": "WARNING", "enable_access_log": False}
        serve.start(http_options={"host": "127.0.0.1", "port": port}, logging_config=quiet)
        # Ray's own handler would leave out what Serve does at its end.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        application = build({"models": models, "ingresses": replicas})
        with suppress(KeyboardInterrupt):
            serve.run(application, name="tvmfuse", blocking=True, logging_config=quiet)
        serve.shutdown()
        ray.shutdown()


if __name__ == "__main__":
    main()
