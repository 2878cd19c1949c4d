"""One run on one thread, timed kernel by kernel and, of parallel loops, piece by piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tvmfuse.manifest import Kernel
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.threads import noting

#: Numbers that there is room for: 15,000 loops of 64 pieces.
CAPACITY: Final = 1 << 20


@dataclass(frozen=True)
class TimedPieces:
    """One launch of a kernel.

    Attributes:
        kernel: Which.
        serial_ms: Milliseconds before its parallel loops and between them; all, where it has none.
            Behind the last one Python's clock has to be fetched from memory again, which takes up
            to 40 us after a kernel that fills the caches: that is left out, whatever the kernel
            does there.
        loops: For each of those, in order, the milliseconds of every piece.
    """

    kernel: Kernel
    serial_ms: float
    loops: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class _Loop:
    """The times at which a loop began and its pieces ended, in nanoseconds."""

    times: Sequence[int]

    @property
    def pieces(self) -> tuple[float, ...]:
        """The milliseconds of each."""
        pairs = zip(self.times, self.times[1:], strict=False)
        return tuple((end - begin) / 1e6 for begin, end in pairs)


def timed_pieces(
    executable: Executable, feeds: Mapping[str, Any], pieces: int
) -> Sequence[TimedPieces]:
    """Run a model once, and return each kernel's launch with the time of its pieces.

    All of it runs on this thread.

    Args:
        executable: The model.
        feeds: Its inputs by name.
        pieces: Into how many a loop is cut, where its kernel does not say so.

    Raises:
        InputError: The inputs do not fit the model.
        ConfigurationError: It runs too many loops.
    """
    with noting(pieces, CAPACITY) as end:
        run = executable.timed(feeds)
        seen = _loops(end())
    found, loop = [], next(seen, None)
    for kernel, after, milliseconds in run.launches:
        over, own = run.begin_ns + 1e6 * (after + milliseconds), list[_Loop]()
        while loop is not None and loop.times[0] < over:
            own.append(loop)
            loop = next(seen, None)
        loops = tuple(one.pieces for one in own)
        if own:
            milliseconds = (own[-1].times[-1] - run.begin_ns) / 1e6 - after
        serial = milliseconds - sum(map(sum, loops))
        found.append(TimedPieces(kernel, max(0.0, serial), loops))
    return found


def _loops(numbers: Sequence[int]) -> Iterator[_Loop]:
    """Yield the loops that `noting` noted."""
    place = 0
    while place < len(numbers):
        count = numbers[place] + 1
        yield _Loop(numbers[place + 1 : place + 1 + count])
        place += 1 + count
