"""When passes run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from tvmfuse.levels import Level
from tvmfuse.passes.contract import GraphPass


class Repeat(Enum):
    """How often a phase runs its passes."""

    ONCE = "once"
    FIXPOINT = "until nothing changes"


ONCE: Final = Repeat.ONCE
FIXPOINT: Final = Repeat.FIXPOINT


@dataclass(frozen=True)
class Phase:
    """Passes that run after each other, once or until none of them fires.

    Attributes:
        name: Unique.
        repeat: How often they run.
        passes: In running order.
        tier: The lowest level that brings its passes in: a tier says whether a pass runs, and a
            phase when it does.
    """

    name: str
    repeat: Repeat
    passes: tuple[GraphPass, ...]
    tier: Level = Level.ORT_DISABLE_ALL
