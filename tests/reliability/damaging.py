"""Damages many files in one process, and reads each: what is raised has to be a TvmfuseError."""

from __future__ import annotations

import itertools
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from resealed import lies

import tvmfuse
from tvmfuse.errors import TvmfuseError
from tvmfuse.runtime import functions, whole_file
from tvmfuse.views.terminal import manifest_tables

#: CPU seconds for one file.
AT_MOST_S = 5.0
X = {"x": np.ones((2, 16), "float32")}


def accidents(content: bytes, seed: int) -> Iterator[bytes]:
    """Yield files that were cut, lengthened, or changed somewhere, whose checksums do not fit."""
    rng = random.Random(seed)
    while True:
        place, other = rng.randrange(len(content)), rng.randrange(len(content))
        # One half near the end, where the index and the footer are.
        place = place if rng.random() < 0.5 else max(0, len(content) - 1 - place % 4096)
        match rng.randrange(5):
            case 0:
                yield content[:place]
            case 1:
                changed = bytes([content[place] ^ (1 << rng.randrange(8))])
                yield content[:place] + changed + content[place + 1 :]
            case 2:
                yield content[:place] + rng.randbytes(rng.randrange(1, 64)) + content[place:]
            case 3:
                yield content[: min(place, other)] + content[max(place, other) + 1 :]
            case _:
                yield content + rng.randbytes(rng.randrange(1, 200))


def read_model(path: Path, expected: np.ndarray) -> str:
    """Show a compiled file, load it and run it; return what became of it."""
    loaded: list[object] = []
    open_library = functions.LibraryFunctions

    def noted(*given: Any) -> Any:
        loaded.append(given)
        return open_library(*given)

    vars(whole_file)["LibraryFunctions"] = noted
    try:
        manifest_tables(tvmfuse.inspect(path))
        run = tvmfuse.load(path)
    except TvmfuseError as error:
        if loaded:
            raise RuntimeError("it was loaded before it was refused") from error
        return type(error).__name__
    finally:
        vars(whole_file)["LibraryFunctions"] = open_library
    try:
        (found,) = run(X).values()
    except TvmfuseError as error:
        return f"{type(error).__name__} of the feeds"
    assert np.isfinite(found).all(), "foreign numbers"
    return "the same" if np.array_equal(found, expected) else "other finite numbers"


def read_graph(path: Path, _: Any) -> str:
    """Compile an optimized graph."""
    try:
        artifact = tvmfuse.compile(path)
    except TvmfuseError as error:
        return type(error).__name__
    str(artifact.report)
    return "compiled"


def main(kind: str, how: str, original: str, folder: str, seed: str, count: str) -> None:
    """Read `count` files; print how often each end was."""
    content = Path(original).read_bytes()
    expected: Any = None
    if kind == "model":
        (expected,) = tvmfuse.load(original)(X).values()
    read = read_model if kind == "model" else read_graph
    read(Path(original), expected)  # which imports what reading takes
    damage = lies if how == "lies" else accidents
    ends = Counter[str]()
    for number, damaged in enumerate(itertools.islice(damage(content, int(seed)), int(count))):
        # Each under its own name: to overwrite a library that is loaded is another fault.
        path = Path(folder) / f"{number}.{kind}"
        path.write_bytes(damaged)
        began = time.process_time()
        try:
            ends[read(path, expected)] += 1
        except Exception as error:
            raise SystemExit(f"{how} {seed}, number {number}: {error!r}") from error
        path.unlink()
        assert time.process_time() - began < AT_MOST_S
    print(dict(ends))


if __name__ == "__main__":
    main(*sys.argv[1:])
