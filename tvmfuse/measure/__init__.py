"""Measuring: paired, interleaved comparisons with honest statistics."""

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
