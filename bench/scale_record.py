"""What `bench.scale` measured with 1 and 2 workers, as it is written down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True)
class Farm:
    """Compilations by some workers.

    Attributes:
        workers: Each on a core of its own.
        kept: Whether the kernels were there.
        seconds: Until the last one was done.
        cpu: Seconds of a core that each took.
        wall: Seconds of the clock that each took.
    """

    workers: int
    kept: bool
    seconds: float
    cpu: Sequence[float]
    wall: Sequence[float]

    @property
    def stretch(self) -> float:
        """Seconds of the clock for one of a core."""
        return sum(self.wall) / sum(self.cpu)


@dataclass(frozen=True)
class Batches:
    """Rows by some actors.

    Attributes:
        actors: Of one CPU.
        seconds: From the pipeline's start to the last row.
        start_s: Until an actor had its first rows, the mean.
        block_s: Seconds of a core that an actor took for a block, Ray's own work included.
        stretch: Seconds of the clock for one of a core, in the model.
    """

    actors: int
    seconds: float
    start_s: float
    block_s: float
    stretch: float


@dataclass(frozen=True)
class Serving:
    """Requests at random times.

    Attributes:
        replicas: Threads.
        rate: Requests a second.
        base_s: Of a batch, whatever it holds, on the clock.
        row_s: Of each request in it.
        spread: What batches took, by what `base_s` and `row_s` say, in their order.
        milliseconds: Of the requests, their quantiles 0.5 and 0.99.
    """

    replicas: int
    rate: float
    base_s: float
    row_s: float
    spread: Sequence[float]
    milliseconds: tuple[float, float]


@dataclass(frozen=True)
class Measured:
    """All that was measured.

    Attributes:
        where: Command, commit, machine, versions.
        nbytes: Of a compiled file, the mean.
        worker_s: Of a core, that a worker of the farm takes until it can compile.
        farm: With 1 and 2 workers, and with kernels kept.
        actor_s: Of a core, that an actor of Ray Data's takes until it has rows.
        dispatch_s: Of a core, that Ray Data's head takes for a block of one batch.
        batches: With 1 and 2 actors.
        base_s: Of a core, of a batch of requests, whatever it holds.
        row_s: Of each request in it.
        spread: What batches took of a core, by what these two say.
        serving: With 1 and 2 replicas.
    """

    where: Mapping[str, Any]
    nbytes: float
    worker_s: float
    farm: Sequence[Farm]
    actor_s: float
    dispatch_s: float
    batches: Sequence[Batches]
    base_s: float
    row_s: float
    spread: Sequence[float]
    serving: Sequence[Serving]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON's types."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Return what `to_json` wrote down."""
        kinds: dict[str, Callable[..., Any]] = {
            "farm": Farm,
            "batches": Batches,
            "serving": Serving,
        }
        found: dict[str, Any] = {
            name: [kinds[name](**one) for one in value] if name in kinds else value
            for name, value in record.items()
        }
        return cls(**found)
