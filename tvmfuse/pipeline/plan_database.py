"""What was timed of kernels and convolutions, kept in a folder for every later compilation.

A database is a folder; each line of its ``*.jsonl`` files is one record, so that databases are
merged by putting their files into one folder. Records are appended under a lock. What a killed
process left half-written is no record, and is passed over.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, Self

from tvmfuse.errors import ArtifactError, ConfigurationError
from tvmfuse.passes.nchwc.winograd_costs import Layer
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.plan_json import from_json, to_json

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
        plan: How it ran; None for a choice that is taken back.
    """

    kernel: str
    plan: KernelPlan | None

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON's types."""
        return {**super().to_json(), "plan": None if self.plan is None else to_json(self.plan)}

    @classmethod
    def from_json(cls, given: dict[str, Any]) -> Self:
        """See `Timing.from_json`."""
        plan = given["plan"]
        return super().from_json({**given, "plan": None if plan is None else from_json(plan)})


@dataclass(frozen=True, kw_only=True)
class TilesRecord(Timing):
    """One convolution with Winograd's tiles of one size.

    Attributes:
        layer: What its costs follow from.
        m: Outputs of a tile in each direction; 0 for the convolution as it is; None for a choice
            that is taken back.
    """

    layer: Layer
    m: int | None

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON's types."""
        return {**super().to_json(), "layer": asdict(self.layer)}

    @classmethod
    def from_json(cls, given: dict[str, Any]) -> Self:
        """See `Timing.from_json`."""
        sizes = given["layer"]
        if not all(isinstance(size, int) for size in (*sizes.values(), given["m"] or 0)):
            raise ValueError("expected integers")
        return super().from_json({**given, "layer": Layer(**sizes)})


@dataclass(frozen=True)
class Chosen:
    """What compilations shall take.

    Attributes:
        plans: By a kernel's key, how it runs.
        tiles: By a convolution, the size of Winograd's tiles; 0 for none.
    """

    plans: Mapping[str, KernelPlan]
    tiles: Mapping[Layer, int]


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

    def records(self, target: str, version: str) -> Iterator[PlanRecord | TilesRecord]:
        """Yield what was timed for a target by a version of tvmfuse, the oldest of a file first.

        What is written here, in `FILE`, comes behind what other databases' files say.

        Raises:
            ArtifactError: A file cannot be read.
        """
        for line in self._lines():
            given = _object(line)
            if (given.get("target"), given.get("version")) != (target, version):
                continue
            kind = PlanRecord if "plan" in given else TilesRecord
            with suppress(LookupError, TypeError, ValueError, AttributeError):
                yield kind.from_json(given)

    def chosen(self, target: str, version: str) -> Chosen:
        """Return what later compilations shall take: of each kernel and convolution the last."""
        plans, tiles = dict[str, KernelPlan | None](), dict[Layer, int | None]()
        for record in self.records(target, version):
            if record.chosen and isinstance(record, PlanRecord):
                plans[record.kernel] = record.plan
            elif record.chosen and isinstance(record, TilesRecord):
                tiles[record.layer] = record.m
        return Chosen(
            {key: plan for key, plan in plans.items() if plan is not None},
            {layer: m for layer, m in tiles.items() if m is not None},
        )

    def _lines(self) -> Iterator[bytes]:
        try:
            files = sorted(self.folder.glob("*.jsonl"), key=lambda f: (f.name == FILE, f.name))
            for file in files:
                yield from file.read_bytes().splitlines()
        except OSError as error:
            why = error.strerror or error
            raise ArtifactError(f"cannot read the database {self.folder}: {why}") from error

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


def _object(line: bytes) -> dict[str, Any]:
    """Return what a line says; nothing where it is no object."""
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}
