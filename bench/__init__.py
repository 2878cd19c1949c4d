"""Benchmarks and the models that they, and the tests, run on. Not part of the installed package."""
