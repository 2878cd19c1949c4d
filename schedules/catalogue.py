"""The schedules, by kind of target, in the order in which they are tried.

The last of each kind takes every kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tvmfuse.schedules.cpu.elementwise import elementwise
from tvmfuse.schedules.cpu.generic import AsWritten, generic
from tvmfuse.schedules.cpu.stages import StageSchedule
from tvmfuse.schedules.protocol import Schedule

CATALOGUE: Final[Mapping[str, tuple[Schedule, ...]]] = {
    "llvm": (
        StageSchedule("elementwise", elementwise),
        StageSchedule("generic", generic),
        AsWritten(),
    ),
}
