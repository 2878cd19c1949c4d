"""Measuring: paired, interleaved comparisons with honest statistics."""

from tvmfuse.measure.ab import Comparison, ab, compare
from tvmfuse.measure.ablate import ablate
from tvmfuse.measure.ablation import Ablation
from tvmfuse.measure.agreement import Difference, differences
from tvmfuse.measure.arms import ArmSettings, read_arm
from tvmfuse.measure.ladder import Ladder, ladder
from tvmfuse.measure.machine import Machine, Watch
from tvmfuse.measure.many import Arm, Contender, Cost, Standings, Timing, compare_many
from tvmfuse.measure.statistics import Ratio, Summary, paired_ratio, summarize

__all__ = [
    "Ablation",
    "Arm",
    "ArmSettings",
    "Comparison",
    "Contender",
    "Cost",
    "Difference",
    "Ladder",
    "Machine",
    "Ratio",
    "Standings",
    "Summary",
    "Timing",
    "Watch",
    "ab",
    "ablate",
    "compare",
    "compare_many",
    "differences",
    "ladder",
    "paired_ratio",
    "read_arm",
    "summarize",
]
