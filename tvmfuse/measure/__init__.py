"""Measuring: paired, interleaved comparisons with honest statistics.

Names are imported when they are first used: a compiled file is profiled where no compiler is.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tvmfuse.measure.ab import Comparison, ab, compare
    from tvmfuse.measure.ablate import ablate
    from tvmfuse.measure.ablation import Ablation
    from tvmfuse.measure.accuracy import Accuracy, accuracy
    from tvmfuse.measure.agreement import Difference, differences
    from tvmfuse.measure.arms import ArmSettings, read_arm
    from tvmfuse.measure.bisect import bisect
    from tvmfuse.measure.bisection import Bisection
    from tvmfuse.measure.diff import GraphDiff, diff
    from tvmfuse.measure.ladder import Ladder, ladder
    from tvmfuse.measure.machine import Machine, Watch
    from tvmfuse.measure.many import Arm, Contender, Cost, Standings, Timing, compare_many
    from tvmfuse.measure.profile import profile
    from tvmfuse.measure.profiled import Profile
    from tvmfuse.measure.report import Report, report
    from tvmfuse.measure.statistics import Ratio, Summary, paired_ratio, summarize

_HOMES = {
    "Ablation": "ablation",
    "Accuracy": "accuracy",
    "Arm": "many",
    "ArmSettings": "arms",
    "Bisection": "bisection",
    "Comparison": "ab",
    "Contender": "many",
    "Cost": "many",
    "Difference": "agreement",
    "GraphDiff": "diff",
    "Ladder": "ladder",
    "Machine": "machine",
    "Profile": "profiled",
    "Ratio": "statistics",
    "Report": "report",
    "Standings": "many",
    "Summary": "statistics",
    "Timing": "many",
    "Watch": "machine",
    "ab": "ab",
    "ablate": "ablate",
    "accuracy": "accuracy",
    "bisect": "bisect",
    "compare": "ab",
    "compare_many": "many",
    "diff": "diff",
    "differences": "agreement",
    "ladder": "ladder",
    "paired_ratio": "statistics",
    "profile": "profile",
    "read_arm": "arms",
    "report": "report",
    "summarize": "statistics",
}

__all__ = [
    "Ablation",
    "Accuracy",
    "Arm",
    "ArmSettings",
    "Bisection",
    "Comparison",
    "Contender",
    "Cost",
    "Difference",
    "GraphDiff",
    "Ladder",
    "Machine",
    "Profile",
    "Ratio",
    "Report",
    "Standings",
    "Summary",
    "Timing",
    "Watch",
    "ab",
    "ablate",
    "accuracy",
    "bisect",
    "compare",
    "compare_many",
    "diff",
    "differences",
    "ladder",
    "paired_ratio",
    "profile",
    "read_arm",
    "report",
    "summarize",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tvmfuse.measure' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"tvmfuse.measure.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


class _Package(ModuleType):
    """Names the function where a module has a function's name: `measure.ladder` is no module."""

    def __setattr__(self, name: str, value: object) -> None:
        is_home = isinstance(value, ModuleType) and _HOMES.get(name) == name
        super().__setattr__(name, getattr(value, name) if is_home else value)


sys.modules[__name__].__class__ = _Package
