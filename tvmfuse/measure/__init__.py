"""Measuring: paired, interleaved comparisons with honest statistics.

Names are imported when they are first used: a compiled file is profiled where no compiler is.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tvmfuse.measure.ab import ab, compare
    from tvmfuse.measure.ablate import ablate
    from tvmfuse.measure.accuracy import accuracy
    from tvmfuse.measure.agreement import Difference, differences
    from tvmfuse.measure.bisect import bisect
    from tvmfuse.measure.cores import many_cores
    from tvmfuse.measure.diff import diff
    from tvmfuse.measure.ladder import ladder
    from tvmfuse.measure.machine import Machine, Watch
    from tvmfuse.measure.many import Variant, compare_many
    from tvmfuse.measure.parts import part_shares
    from tvmfuse.measure.profile import profile
    from tvmfuse.measure.report import report
    from tvmfuse.measure.results.ablation import Ablation
    from tvmfuse.measure.results.accuracy import Accuracy
    from tvmfuse.measure.results.bisection import Bisection
    from tvmfuse.measure.results.comparison import Comparison
    from tvmfuse.measure.results.comparisons import Candidate, Comparisons, Cost, Timing
    from tvmfuse.measure.results.cores import ManyCores
    from tvmfuse.measure.results.graph_diff import GraphDiff
    from tvmfuse.measure.results.ladder import Ladder
    from tvmfuse.measure.results.parts import Parts
    from tvmfuse.measure.results.profile import Profile
    from tvmfuse.measure.results.report import Report
    from tvmfuse.measure.settings import Quiet
    from tvmfuse.measure.statistics import Ratio, Summary, paired_ratio, summarize
    from tvmfuse.measure.variants import VariantSettings, read_variant

_HOMES = {
    "Ablation": "results.ablation",
    "Accuracy": "results.accuracy",
    "Bisection": "results.bisection",
    "Candidate": "results.comparisons",
    "Comparison": "results.comparison",
    "Comparisons": "results.comparisons",
    "Cost": "results.comparisons",
    "Difference": "agreement",
    "GraphDiff": "results.graph_diff",
    "Ladder": "results.ladder",
    "Machine": "machine",
    "ManyCores": "results.cores",
    "Parts": "results.parts",
    "Profile": "results.profile",
    "Quiet": "settings",
    "Ratio": "statistics",
    "Report": "results.report",
    "Summary": "statistics",
    "Timing": "results.comparisons",
    "Variant": "many",
    "VariantSettings": "variants",
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
    "many_cores": "cores",
    "paired_ratio": "statistics",
    "part_shares": "parts",
    "profile": "profile",
    "read_variant": "variants",
    "report": "report",
    "summarize": "statistics",
}

__all__ = [
    "Ablation",
    "Accuracy",
    "Bisection",
    "Candidate",
    "Comparison",
    "Comparisons",
    "Cost",
    "Difference",
    "GraphDiff",
    "Ladder",
    "Machine",
    "ManyCores",
    "Parts",
    "Profile",
    "Quiet",
    "Ratio",
    "Report",
    "Summary",
    "Timing",
    "Variant",
    "VariantSettings",
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
    "many_cores",
    "paired_ratio",
    "part_shares",
    "profile",
    "read_variant",
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
