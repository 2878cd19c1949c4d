"""Measuring: paired, interleaved comparisons with honest statistics."""

from tvmfuse.measure.ab import Arm, Comparison, Timing, compare
from tvmfuse.measure.agreement import Difference, differences
from tvmfuse.measure.interleave import Samples, interleave
from tvmfuse.measure.statistics import Ratio, Summary, paired_ratio, summarize

__all__ = [
    "Arm",
    "Comparison",
    "Difference",
    "Ratio",
    "Samples",
    "Summary",
    "Timing",
    "compare",
    "differences",
    "interleave",
    "paired_ratio",
    "summarize",
]
