"""NCHW[x]c: how arrays and operators look when channels come in blocks."""
