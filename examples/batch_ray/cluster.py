"""A cluster of two nodes on this machine."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import click

PLACE: Final = "place"
"""A resource that each node has once, so that each has one of two actors."""


@contextmanager
def two_nodes(memory: int) -> Iterator[None]:
    """Start a cluster of two nodes of 2 CPUs on this machine, and end it.

    Args:
        memory: Bytes of each node's object store.

    Raises:
        ClickException: Ray is not installed.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
        from ray.cluster_utils import Cluster
    except ImportError as error:
        raise click.ClickException(
            f"Ray is not installed ({error}): python -m pip install 'tvmfuse[ray]'"
        ) from error
    node: dict[str, Any] = {"num_cpus": 2, "object_store_memory": memory, "resources": {PLACE: 1}}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        cluster.add_node(**node)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
        ray.data.DataContext.get_current().enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        yield
    finally:
        ray.shutdown()
        cluster.shutdown()
