"""What was timed on this CPU, of one target, with so many threads: a part of a database."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import metadata
from typing import Any

from tvmfuse.measure.statistics import CONFIDENCE, Ratio
from tvmfuse.passes.nchwc.winograd_costs import Layer
from tvmfuse.pipeline.plan_database import PlanDatabase, PlanRecord, TilesRecord, Timing
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.target.host_cpu import cpu_name


@dataclass(frozen=True)
class Records:
    """What was timed for a target on this CPU.

    Attributes:
        database: That has it, and others' records, too.
        target: As TVM writes it.
        threads: That computed.
    """

    database: PlanDatabase
    target: str
    threads: int

    def known(self) -> Iterator[PlanRecord | TilesRecord]:
        """Yield what is there, the oldest first."""
        here = self.threads, cpu_name()
        for record in self.database.records(self.target, metadata.version("tvmfuse")):
            if (record.threads, record.cpu) == here:
                yield record

    def of_plan(self, key: str, plan: KernelPlan | None, ratio: Ratio | None = None) -> PlanRecord:
        """Return the record of a kernel's plan; of None: that its choice is taken back."""
        return PlanRecord(kernel=key, plan=plan, **self._timing(ratio))

    def of_tiles(self, layer: Layer, m: int | None, ratio: Ratio | None = None) -> TilesRecord:
        """Return the record of a convolution's tiles; of None: that its choice is taken back."""
        return TilesRecord(layer=layer, m=m, **self._timing(ratio))

    def add(self, records: Iterable[Timing]) -> None:
        """Write records.

        Raises:
            ArtifactError: They cannot be written.
        """
        self.database.append(records)

    def choose(
        self, records: Iterable[Timing], kernels: Collection[str], layers: Collection[Layer]
    ) -> None:
        """Write down what compilations shall take, and nothing else any more.

        Args:
            records: Of what they shall take.
            kernels: Those whose earlier choices end.
            layers: The same of convolutions.
        """
        chosen = [replace(record, chosen=True) for record in records]
        now = {_subject(record) for record in chosen}
        last = {_subject(record): record for record in self.known() if record.chosen}
        for subject, record in last.items():
            if subject in now:
                continue
            if isinstance(record, PlanRecord) and record.plan and record.kernel in kernels:
                chosen.append(replace(self.of_plan(record.kernel, None), chosen=True))
            if isinstance(record, TilesRecord) and record.m is not None:
                back = [record.layer] if record.layer in layers else []
                chosen += [replace(self.of_tiles(layer, None), chosen=True) for layer in back]
        self.database.append(chosen)

    def _timing(self, ratio: Ratio | None) -> dict[str, Any]:
        said = ratio or Ratio(1.0, None, None, CONFIDENCE, 0)
        return {
            "target": self.target,
            "version": metadata.version("tvmfuse"),
            "cpu": cpu_name(),
            "threads": self.threads,
            "speedup": said.median,
            "low": said.low,
            "high": said.high,
            "pairs": said.pairs,
        }


def speedup_of(record: Timing) -> Ratio:
    """Return how fast a record says that something was."""
    return Ratio(record.speedup, record.low, record.high, CONFIDENCE, record.pairs)


def _subject(record: Timing) -> object:
    return record.kernel if isinstance(record, PlanRecord) else getattr(record, "layer", None)
