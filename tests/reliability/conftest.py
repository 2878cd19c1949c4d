"""Who times something runs alone: the tests of the other workers wait.

A test holds the machine together with others, or, marked `alone`, by itself. The gate before it
lets nobody pass one who waits, or those who share would keep out who wants it alone.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def turn(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Wait for the machine, and hold it until the test is over."""
    folder = shared_folder(request.config, tmp_path_factory)
    alone = request.node.get_closest_marker("alone") is not None
    with (folder / "machine").open("w") as machine:
        with (folder / "gate").open("w") as gate:
            fcntl.flock(gate, fcntl.LOCK_EX)
            fcntl.flock(machine, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield


def shared_folder(config: pytest.Config, factory: pytest.TempPathFactory) -> Path:
    """Return the folder of this run; each of its workers has one of its own in it."""
    base = factory.getbasetemp()
    return base.parent if hasattr(config, "workerinput") else base
