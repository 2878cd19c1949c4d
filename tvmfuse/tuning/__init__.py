"""Timing how a model's kernels may run, and keeping the plans that are faster than the planned."""
