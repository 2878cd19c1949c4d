"""Processes that use a model their parent has used, as people start them: this file is its program.

``python tests/reliability/children.py HOW MODEL COUNT`` starts children in one of `WAYS`, so many
times, and prints the seconds that each took as JSON. Each child runs the parent's model where it has
it, and one that it loads, and compares the results with the parent's.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np

# Only where this file is the program, or what it spawns: its test imports it beside other tests.
if __name__ in {"__main__", "__mp_main__"} and "data loader" not in sys.argv:  # which is torch's
    sys.modules["torch"] = None  # type: ignore[assignment]  # TVM would load it, in each process

import tvmfuse

THREADS: Final = min(2, len(os.sched_getaffinity(0)))
CHILDREN: Final = 2

#: The parent's model, which children of a fork have, too.
inherited: dict[str, tvmfuse.Executable] = {}


def feeds(model: tvmfuse.Executable) -> dict[str, np.ndarray]:
    return {
        spec.name: np.ones([d if isinstance(d, int) else 8 for d in spec.shape], spec.dtype)
        for spec in model.inputs
    }


def results(path: str) -> list[list[float]]:
    """Return what the inherited model and one that is loaded compute."""
    models = [tvmfuse.load(path, num_threads=THREADS), *inherited.values()]
    return [run(feeds(run)).popitem()[1].ravel().tolist() for run in models]


def by_pool(method: str) -> Callable[[str], list[Any]]:
    def start(path: str) -> list[Any]:
        with multiprocessing.get_context(method).Pool(CHILDREN) as pool:
            return pool.map(results, [path] * CHILDREN)

    return start


def by_executor(path: str) -> list[Any]:
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(CHILDREN, mp_context=context) as pool:
        return list(pool.map(results, [path] * CHILDREN))


class Examples:
    """A torch data set whose examples a model makes."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __len__(self) -> int:
        return CHILDREN

    def __getitem__(self, _place: int) -> list[list[float]]:
        return results(self.path)


def by_data_loader(path: str) -> list[Any]:
    from torch.utils.data import DataLoader

    given: Any = Examples(path)
    return list(DataLoader(given, batch_size=None, num_workers=CHILDREN))


def by_preload(path: str) -> list[Any]:
    """As gunicorn does with ``--preload``: a master that uses the model forks workers and waits."""
    ended = threading.Event()
    run = inherited["model"]
    given = feeds(run)

    def use() -> None:
        while not ended.is_set():
            run(given)

    thread = threading.Thread(target=use)
    thread.start()
    found, pipes = [], []
    for _ in range(CHILDREN):
        reads, writes = os.pipe()
        if os.fork() == 0:
            os.write(writes, json.dumps(results(path)).encode())
            os._exit(0)
        os.close(writes)
        pipes.append(reads)
    for reads in pipes:
        with os.fdopen(reads) as answer:
            found.append(json.loads(answer.read() or "null"))
        os.wait()
    ended.set()
    thread.join()
    return found


WAYS: Final[dict[str, Callable[[str], list[Any]]]] = {
    "fork": by_pool("fork"),
    "spawn": by_pool("spawn"),
    "forkserver": by_pool("forkserver"),
    "executor": by_executor,
    "data loader": by_data_loader,
    "preload": by_preload,
}


def main(how: str, path: str, count: int) -> None:
    """Print the seconds of each time."""
    warnings.simplefilter("ignore", DeprecationWarning)  # Python's, of forks beside threads
    inherited["model"] = tvmfuse.load(Path(path), num_threads=THREADS)
    (expected, *_) = results(path)
    seconds = []
    for _ in range(count):
        begin = time.monotonic()
        found = WAYS[how](path)
        seconds.append(round(time.monotonic() - begin, 3))
        assert len(found) == CHILDREN
        assert all(one == expected for child in found for one in child), found
    print(json.dumps(seconds))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
