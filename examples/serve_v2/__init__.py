"""Compiled models behind the Open Inference Protocol (V2), by KServe's server; see `README.md`."""
