"""What was timed of kernels and convolutions, kept in a folder for every later compilation.

A database is a folder; each line of its ``*.jsonl`` files is one record, so that databases are
merged by putting their files into one folder. Records are appended under a lock. What a killed
process left half-written is no record, and is passed over.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from tvmfuse.errors import ArtifactError, ConfigurationError
from tvmfuse.passes.nchwc.winograd_costs import Layer
from tvmfuse.schedules.plan_json import from_json, to_json
from tvmfuse.schedules.plans import KernelPlan

#: Of the records; others are not read.
FORMAT: Final = 1
#: The file that records are appended to.
FILE: Final = "plans.jsonl"


@dataclass(frozen=True, kw_only=True)
class Timing:
    """How fast something was, beside what is planned.

    Attributes:
        target: What it was compiled for, as TVM writes it.
        version: Of tvmfuse.
        cpu: Where it was timed.
        threads: That computed.
        speedup: The time as it is planned by the time with this; the median of pairs.
        low: Where its 99 % interval begins; None where there were too few pairs.
        high: Where it ends.
        pairs: How many there were.
        chosen: Whether later compilations shall take it: the whole model was confirmed with it.
    """

    target: str
    version: str
    cpu: str
    threads: int
    speedup: float
    low: float | None
    high: float | None
    pairs: int
    chosen: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON's types."""
        return {"format": FORMAT, **vars(self)}

    @classmethod
    def from_json(cls, given: dict[str, Any]) -> Self:
        """Return the record that `to_json` took apart.

        Raises:
            LookupError, TypeError, ValueError: It is none.
        """
        names = {field.name for field in fields(cls)} | {"format"}
        if set(given) != names or given["format"] != FORMAT:
            raise ValueError("another record, or another format")
        return cls(**{name: value for name, value in given.items() if name != "format"})


@dataclass(frozen=True, kw_only=True)
class PlanRecord(Timing):
    """One plan of one kernel.

    Attributes:
        kernel: The kernel's key, see `plan_key`.
        plan: How it ran.
    """

    kernel: str
    plan: KernelPlan

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON's types."""
        return {**super().to_json(), "plan": to_json(self.plan)}

    @classmethod
    def from_json(cls, given: dict[str, Any]) -> Self:
        """See `Timing.from_json`."""
        return super().from_json({**given, "plan": from_json(given["plan"])})


@dataclass(frozen=True, kw_only=True)
class TilesRecord(Timing):
    """One convolution with Winograd's tiles of one size.

    Attributes:
        layer: What its costs follow from.
        m: Outputs of a tile in each direction; 0 for the convolution as it is.
    """

    layer: Layer
    m: int

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON's types."""
        return {**super().to_json(), "layer": asdict(self.layer)}

    @classmethod
    def from_json(cls, given: dict[str, Any]) -> Self:
        """See `Timing.from_json`."""
        sizes = given["layer"]
        if not all(isinstance(size, int) for size in (*sizes.values(), given["m"])):
            raise ValueError("expected integers")
        return super().from_json({**given, "layer": Layer(**sizes)})


Record = TypeVar("Record", bound=Timing)


class PlanDatabase:
    """A folder of what was timed; several processes may use it at once.

    Args:
        folder: Made when the first record is written.

    Raises:
        ConfigurationError: It is no path, or there is something else than a folder.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        if not isinstance(folder, str | os.PathLike):
            raise ConfigurationError(f"database: expected a folder's name, found {folder!r}")
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise ConfigurationError(f"database: expected a folder, found the file {self.folder}")

    def records(self, kind: type[Record], target: str, version: str) -> Iterator[Record]:
        """Yield what was timed for a target by a version of tvmfuse, the oldest of a file first.

        Args:
            kind: Of records.
            target: As TVM writes it.
            version: Of tvmfuse.
        """
        for file in sorted(self.folder.glob("*.jsonl")):
            for line in file.read_bytes().splitlines():
                record = _record(kind, line)
                if record is not None and (record.target, record.version) == (target, version):
                    yield record

    def plans(self, target: str, version: str) -> dict[str, KernelPlan]:
        """Return the plan that was chosen last for each kernel, by its key."""
        found = self.records(PlanRecord, target, version)
        return {record.kernel: record.plan for record in found if record.chosen}

    def tiles(self, target: str, version: str) -> dict[Layer, int]:
        """Return the size of tiles that was chosen last for each convolution; 0 for none."""
        found = self.records(TilesRecord, target, version)
        return {record.layer: record.m for record in found if record.chosen}

    def append(self, records: Iterable[Timing]) -> None:
        """Write records behind those that are there.

        Raises:
            ArtifactError: They cannot be written.
        """
        lines = "".join(f"{json.dumps(record.to_json())}\n" for record in records).encode()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with open(self.folder / FILE, "a+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                end = file.seek(0, os.SEEK_END)
                if end and file.seek(end - 1) is not None and file.read(1) != b"\n":
                    lines = b"\n" + lines
                file.write(lines)
        except OSError as error:
            why = error.strerror or error
            raise ArtifactError(f"cannot write to the database {self.folder}: {why}") from error


def _record(kind: type[Record], line: bytes) -> Record | None:
    try:
        return kind.from_json(json.loads(line))
    except (LookupError, TypeError, ValueError, AttributeError):
        return None
