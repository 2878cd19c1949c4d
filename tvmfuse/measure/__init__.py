"""Measuring: paired, interleaved comparisons with honest statistics."""

from tvmfuse.measure.ab import Arm, Comparison, Timing, compare
from tvmfuse.measure.agreement import Difference, differences
from tvmfuse.measure.bisect import bisect
from tvmfuse.measure.bisection import Bisection
from tvmfuse.measure.statistics import Ratio, Summary, paired_ratio, summarize

__all__ = [
    "Arm",
    "Bisection",
    "Comparison",
    "Difference",
    "Ratio",
    "Summary",
    "Timing",
    "bisect",
    "compare",
    "differences",
    "paired_ratio",
    "summarize",
]
