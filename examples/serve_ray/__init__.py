"""Compiled models on Ray Serve: batches, replicas by load, canaries by weight; see `README.md`."""
