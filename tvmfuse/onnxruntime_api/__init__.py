"""ONNX Runtime's Python API: a drop-in for it, one idea in each file.

Source: https://onnxruntime.ai/docs/api/python/api_summary.html. `replacing.replace_onnxruntime` has
a process's ``import onnxruntime`` mean this; `tvmfuse.session` has the names that tvmfuse's own
users take.
"""
