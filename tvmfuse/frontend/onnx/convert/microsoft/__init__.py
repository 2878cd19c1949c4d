"""Operators of the domain `com.microsoft`, which ONNX Runtime and its tools write into models."""
