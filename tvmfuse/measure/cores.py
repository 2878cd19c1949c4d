"""What a model would take on more cores than there are, from the time of its loops' pieces."""

from __future__ import annotations

import heapq
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tvmfuse.errors import ConfigurationError
from tvmfuse.format.kinds import is_compiled
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.inputs import feeds_of
from tvmfuse.measure.results.cores import KernelOnCores, ManyCores
from tvmfuse.progress import Progress, Step, silent
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.loading import load
from tvmfuse.runtime.timed_pieces import TimedPieces, timed_pieces

if TYPE_CHECKING:
    from tvmfuse.measure.inputs import Inputs
    from tvmfuse.pipeline.source import GivenModel
    from tvmfuse.size_ranges import GivenSizes

#: As `build/native/launcher.c` has them.
PIECES: Final = 16
MOST_PIECES: Final = 64
SHARES: Final = 64
#: Milliseconds that a piece takes in which there is nothing to do, at most.
EMPTY_MS: Final = 0.0002
#: Of the time of a kernel's longest loop: what takes less says nothing of how it is cut.
LEAST_LOOP: Final = 0.1
#: Runs of which the median of each piece counts.
RUNS: Final = 9


def many_cores(
    model: GivenModel,
    threads: Sequence[int] = (4, 16, 64),
    *,
    inputs: Inputs | None = None,
    dims: GivenSizes | None = None,
    seed: int = 0,
    runs: int = RUNS,
    progress: Progress = silent,
    **compiling: Any,
) -> ManyCores:
    """Work out how well a model's parallel loops would fill more cores than there are.

    The model runs on one thread, and each piece of each loop is timed. How long as many threads
    would take follows from how the launcher hands out pieces. Left out are what it takes to wake a
    thread, some microseconds for each loop, and that cores share memory and their clock.

    Args:
        model: An ONNX model, as `tvmfuse.compile` takes it; or the path of a compiled file.
        threads: For how many it is worked out.
        inputs: Arrays by name, or what makes them of the model's inputs; None for random ones.
        dims: A size for a symbolic dimension, by its name; others have their usual sizes.
        seed: Seed for random inputs.
        runs: Of which the median of each piece counts.
        progress: Called with each step and the share of it that is done, never while timing.
        compiling: Arguments of `tvmfuse.compile`, of a model that is compiled here.

    Raises:
        ConfigurationError: No number of threads is given, or one below 1; or a compiled file is
            asked to be another one.
        InputError: The inputs do not fit the model.
        TvmfuseError: What `compile` and `load` raise.
    """
    if not threads or min(threads) < 1:
        raise ConfigurationError(f"threads: expected numbers of 1 or more, found {threads!r}")
    if isinstance(model, str | os.PathLike) and is_compiled(model):
        if asked := sorted(name for name, value in compiling.items() if value):
            raise ConfigurationError(
                f"{model} is compiled already; asked for is another {', '.join(asked)}"
            )
        executable = load(model, num_threads=1)
    else:
        from tvmfuse.pipeline.compile import compile_model
        from tvmfuse.pipeline.settings import CompileSettings
        from tvmfuse.pipeline.source import source_of

        settings = CompileSettings.of(dims=dims, progress=progress, **compiling)
        executable = compile_model(source_of(model), settings, progress).load(num_threads=1)
        dims = None
    if executable.manifest.parts:
        raise ConfigurationError(
            f"{executable.manifest.name} is in parts, of which other engines compute some: "
            "expected a model that is compiled as a whole"
        )
    feeds = feeds_of(executable.inputs, inputs, dims or {}, seed)
    cut = {count: pieces_for(count) for count in threads}
    seen = {pieces: _median(executable, feeds, pieces, runs, progress) for pieces in cut.values()}
    name = Path(model).name if isinstance(model, str | os.PathLike) else executable.manifest.name
    return ManyCores(name, tuple(threads), _kernels(seen, cut))


def pieces_for(threads: int) -> int:
    """Return into how many pieces a loop is cut, where its kernel does not say so.

    >>> [pieces_for(threads) for threads in (1, 2, 4, 64, 128)]
    [16, 32, 64, 64, 128]
    """
    return min(PIECES * threads, max(MOST_PIECES, threads))


def makespan(pieces: Sequence[float], threads: int) -> float:
    """Return how long so many threads take for a loop, as the launcher hands out its pieces.

    Each takes those of its own share one after the other, then what is left of the others'.

    >>> makespan([1, 1, 1, 1], 2), makespan([1, 1, 1, 1], 3), makespan([3, 1, 1, 1], 2)
    (2.0, 2.0, 3.0)
    """
    shares = min(threads, SHARES)
    bounds = [share * len(pieces) // shares for share in range(shares + 1)]
    left = [list(range(bounds[s], bounds[s + 1]))[::-1] for s in range(shares)]
    free = [(0.0, thread) for thread in range(threads)]
    longest = 0.0
    while any(left):
        at, thread = heapq.heappop(free)
        order = (left[(thread + step) % shares] for step in range(shares))
        piece = next(share for share in order if share).pop()
        heapq.heappush(free, (at + pieces[piece], thread))
        longest = max(longest, at + pieces[piece])
    return longest


def _median(
    executable: Executable, feeds: Mapping[str, Array], pieces: int, runs: int, progress: Progress
) -> list[TimedPieces]:
    """Return a run of which every time is the median of several."""
    executable(feeds)
    found = []
    for run in range(runs):
        progress(Step("measuring", run / runs))
        found.append(timed_pieces(executable, feeds, pieces))
    return [
        TimedPieces(
            same[0].kernel,
            float(np.median([launch.serial_ms for launch in same])),
            tuple(
                tuple(np.median(np.array(loops), axis=0).tolist())
                for loops in zip(*(launch.loops for launch in same), strict=True)
            ),
        )
        for same in zip(*found, strict=True)
    ]


def _kernels(
    seen: Mapping[int, Sequence[TimedPieces]], cut: Mapping[int, int]
) -> tuple[KernelOnCores, ...]:
    """Return what is known of each kernel, launches of equal ones together, the longest first."""
    groups = {pieces: _by_symbol(launches) for pieces, launches in seen.items()}
    first = next(iter(groups.values()))
    rows = []
    for symbol, launches in first.items():
        loops = [loop for launch in launches for loop in launch.loops]
        longest = max(map(sum, loops), default=0.0)
        loops = [loop for loop in loops if sum(loop) >= LEAST_LOOP * longest]
        alone = _alone(launches)
        on_cores = {
            threads: alone / _times_faster(groups[pieces][symbol], threads)
            for threads, pieces in cut.items()
        }
        rows.append(
            KernelOnCores(
                symbol,
                tuple(node for launch in launches for node in launch.kernel.nodes),
                len(launches),
                1e3 * alone,
                1e3 * sum(launch.serial_ms for launch in launches),
                min((sum(piece > EMPTY_MS for piece in loop) for loop in loops), default=0),
                max((max(loop) / (sum(loop) or 1.0) for loop in loops), default=1.0),
                {threads: 1e3 * milliseconds for threads, milliseconds in on_cores.items()},
            )
        )
    return tuple(sorted(rows, key=lambda row: -row.microseconds))


def _alone(launches: Sequence[TimedPieces]) -> float:
    """Return the milliseconds of some launches on one thread."""
    return sum(launch.serial_ms + sum(map(sum, launch.loops)) for launch in launches)


def _times_faster(launches: Sequence[TimedPieces], threads: int) -> float:
    """Return by what so many threads are faster, in pieces that were timed in the same runs."""
    spent = sum(
        launch.serial_ms + sum(makespan(loop, threads) for loop in launch.loops)
        for launch in launches
    )
    return _alone(launches) / spent if spent else 1.0


def _by_symbol(launches: Sequence[TimedPieces]) -> dict[str, list[TimedPieces]]:
    found = defaultdict[str, list[TimedPieces]](list)
    for launch in launches:
        found[launch.kernel.symbol].append(launch)
    return found
