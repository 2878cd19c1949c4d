"""The process that runs tasks one after the other: ``python -m tvmfuse.fleet.worker``."""

from __future__ import annotations

import sys

from tvmfuse.build.worker_process import connection_of
from tvmfuse.fleet.executor import Task


def main(arguments: list[str]) -> None:
    """Run what comes by the connection, until this process is ended."""
    connection = connection_of(arguments)
    while True:
        task: Task = connection.recv()
        connection.send(task.run())


if __name__ == "__main__":
    main(sys.argv[1:])
