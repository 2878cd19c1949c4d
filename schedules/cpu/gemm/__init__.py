"""Sums of products on a register tile."""
