"""Measuring: paired, interleaved comparisons with honest statistics."""

from tvmfuse.measure.ab import Arm, Comparison, Timing, compare
from tvmfuse.measure.accuracy import Accuracy, accuracy
from tvmfuse.measure.agreement import Difference, differences
from tvmfuse.measure.bisect import bisect
from tvmfuse.measure.bisection import Bisection
from tvmfuse.measure.profile import profile
from tvmfuse.measure.profiled import Profile
from tvmfuse.measure.statistics import Ratio, Summary, paired_ratio, summarize

__all__ = [
    "Accuracy",
    "Arm",
    "Bisection",
    "Comparison",
    "Difference",
    "Profile",
    "Ratio",
    "Summary",
    "Timing",
    "accuracy",
    "bisect",
    "compare",
    "differences",
    "paired_ratio",
    "profile",
    "summarize",
]
