"""Tier Extended: fusions into larger operators and kernels."""
