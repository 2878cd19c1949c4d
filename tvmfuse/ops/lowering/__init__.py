"""Lowerings of stock Relax operators that differ from TVM's own."""
