"""Measuring: paired, interleaved comparisons with honest statistics."""

from tvmfuse.measure.ab import Arm, Comparison, Timing, compare
from tvmfuse.measure.accuracy import Accuracy, accuracy
from tvmfuse.measure.agreement import Difference, differences
from tvmfuse.measure.diff import GraphDiff, diff
from tvmfuse.measure.report import Report, report
from tvmfuse.measure.statistics import Ratio, Summary, paired_ratio, summarize

__all__ = [
    "Accuracy",
    "Arm",
    "Comparison",
    "Difference",
    "GraphDiff",
    "Ratio",
    "Report",
    "Summary",
    "Timing",
    "accuracy",
    "compare",
    "diff",
    "differences",
    "paired_ratio",
    "report",
    "summarize",
]
