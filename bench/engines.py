"""Engines that run a model: each takes its file and returns a function of feeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from bench.models import Model

Outputs = Mapping[str, np.ndarray]
Run = Callable[[Outputs], Outputs]


def tvmfuse(model: Model, file: Path, threads: int, level: str = "all") -> Run:
    """Compile for this machine."""
    from tvmfuse import compile as compile_model

    del model
    return compile_model(file, level=level).load(num_threads=threads)


def onnxruntime(model: Model, file: Path, threads: int) -> Run:
    """Run on the CPU, with every graph optimization."""
    from onnxruntime import InferenceSession, SessionOptions

    del model
    options = SessionOptions()
    options.intra_op_num_threads = threads
    session = InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return lambda feeds: dict(zip(names, session.run(names, dict(feeds)), strict=True))


def openvino(model: Model, file: Path, threads: int) -> Run:
    """Run on the CPU for the least latency, in float32, which it would leave for bfloat16."""
    from openvino import Core

    settings = {
        "INFERENCE_NUM_THREADS": threads,
        "INFERENCE_PRECISION_HINT": "f32",
        "PERFORMANCE_HINT": "LATENCY",
    }
    request = Core().compile_model(str(file), "CPU", settings).create_infer_request()

    def run(feeds: Outputs) -> Outputs:
        results = request.infer(dict(feeds), share_inputs=True)
        return {name: results[name] for name in model.outputs}

    return run


def torch(model: Model, file: Path, threads: int) -> Run:
    """Compile the module that the file was exported from with torch's inductor."""
    import torch

    from bench.torch_export import Positional

    del file
    torch.set_num_threads(threads)
    names = tuple(model.outputs)
    module = Positional(model.module("full"), tuple(model.inputs("reduced")), names)
    compiled = torch.compile(module.eval())

    def run(feeds: Outputs) -> Outputs:
        with torch.inference_mode():
            tensors = [torch.from_numpy(array) for array in feeds.values()]
            return {n: t.numpy() for n, t in zip(names, compiled(*tensors), strict=True)}

    return run


ENGINES: Final[Mapping[str, Callable[[Model, Path, int], Run]]] = {
    "tvmfuse": tvmfuse,
    "onnxruntime": onnxruntime,
    "openvino": openvino,
    "torch": torch,
}
