"""Nodes become groups, each of which runs as a whole: convex, few, not too wide.

Used on ONNX models (what is compiled and what another engine computes) and on graphs of torch.fx.

A node's stage is the number of changes of side on the longest path to it. Nodes of one side and
stage that hang together make a group: a path that leaves them has changed sides, and never comes
back. Groups that have more arguments than an engine shall take are halved in topological order.
Then each producer is merged into its consumers where no third group stands between them, until
nothing changes. Groups that do not read from each other stay apart, but for those of an engine that
has threads for each of them.
"""

from tvmfuse.grouping.divide import MAX_ARGUMENTS, grouped
from tvmfuse.grouping.flow import Flow, Item

__all__ = ["MAX_ARGUMENTS", "Flow", "Item", "grouped"]
