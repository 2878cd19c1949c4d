"""ATen operators that torch takes apart nowhere, written in those that have converters.

Each function has its operator's signature, runs on torch's own tensors as well, and is traced.
"""
