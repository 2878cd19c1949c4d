"""Plans that were timed, kept in a folder for every later compilation.

A database is a folder; each line of its ``*.jsonl`` files is one record, so that databases are
merged by putting their files into one folder. Records are appended under a lock. What a killed
process left half-written is no record, and is passed over.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tvmfuse.errors import ArtifactError, ConfigurationError
from tvmfuse.schedules.plan_json import from_json, to_json
from tvmfuse.schedules.plans import KernelPlan

#: Of the records; others are not read.
FORMAT: Final = 1
#: The file that records are appended to.
FILE: Final = "plans.jsonl"


@dataclass(frozen=True)
class PlanRecord:
    """One plan of one kernel, and how fast it was.

    Attributes:
        kernel: The kernel's key, see `plan_key`.
        target: What it was compiled for, as TVM writes it.
        version: Of tvmfuse.
        cpu: Where it was timed.
        threads: That computed.
        plan: How the kernel ran.
        speedup: The time with the schedule's own plan by the time with this one; the median of
            pairs.
        low: Where its 99 % interval begins; None where there were too few pairs.
        high: Where it ends.
        pairs: How many there were.
        chosen: Whether later compilations shall take it: the whole model was confirmed with it.
    """

    kernel: str
    target: str
    version: str
    cpu: str
    threads: int
    plan: KernelPlan
    speedup: float
    low: float | None
    high: float | None
    pairs: int
    chosen: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the record as JSON's types."""
        return {"format": FORMAT, **vars(self), "plan": to_json(self.plan)}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> PlanRecord:
        """Return the record that `to_json` took apart.

        Raises:
            LookupError, TypeError, ValueError: It is none.
        """
        given = dict(fields)
        if given.pop("format") != FORMAT:
            raise ValueError("another format")
        return cls(**{**given, "plan": from_json(given["plan"])})


class PlanDatabase:
    """A folder of plans that were timed; several processes may use it at once.

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

    def records(self, target: str, version: str) -> Iterator[PlanRecord]:
        """Yield what was timed for a target by a version of tvmfuse, the oldest of a file first."""
        for file in sorted(self.folder.glob("*.jsonl")):
            for line in file.read_bytes().splitlines():
                record = _record(line)
                if record is not None and (record.target, record.version) == (target, version):
                    yield record

    def chosen(self, target: str, version: str) -> dict[str, KernelPlan]:
        """Return the plan that was chosen last for each kernel, by its key."""
        return {r.kernel: r.plan for r in self.records(target, version) if r.chosen}

    def append(self, records: Iterable[PlanRecord]) -> None:
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


def _record(line: bytes) -> PlanRecord | None:
    try:
        return PlanRecord.from_json(json.loads(line))
    except (LookupError, TypeError, ValueError, AttributeError):
        return None
