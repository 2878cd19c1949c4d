"""How far to optimize: ONNX Runtime's levels."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from tvmfuse.errors import ConfigurationError, closest


class GraphOptimizationLevel(IntEnum):
    """ONNX Runtime's ``GraphOptimizationLevel``; each level includes the ones before it."""

    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_LAYOUT = 3
    ORT_ENABLE_ALL = 99


Level = GraphOptimizationLevel

LEVELS: Final[Mapping[str, Level]] = {
    "none": Level.ORT_DISABLE_ALL,
    "basic": Level.ORT_ENABLE_BASIC,
    "extended": Level.ORT_ENABLE_EXTENDED,
    "layout": Level.ORT_ENABLE_LAYOUT,
    "all": Level.ORT_ENABLE_ALL,
}


def level_of(level: str | int) -> Level:
    """Return the level that a name, a number or ONNX Runtime's own constant means.

    >>> level_of("extended"), level_of(99)
    (<GraphOptimizationLevel.ORT_ENABLE_EXTENDED: 2>, <GraphOptimizationLevel.ORT_ENABLE_ALL: 99>)

    Raises:
        ConfigurationError: There is no such level.
    """
    if isinstance(level, str):
        if level.casefold() in LEVELS:
            return LEVELS[level.casefold()]
        raise ConfigurationError(f"no level is called {level!r}; {closest(level, LEVELS)}")
    # Another library's constant of the same number means the same level.
    if level in list(Level):
        return Level(level)
    known = ", ".join(f"{int(number)} ({name})" for name, number in LEVELS.items())
    raise ConfigurationError(f"no level has the number {level!r}; known: {known}")


def name_of(level: Level) -> str:
    """Return a level's short name.

    >>> name_of(Level.ORT_ENABLE_ALL)
    'all'
    """
    return next(name for name, number in LEVELS.items() if number == level)
