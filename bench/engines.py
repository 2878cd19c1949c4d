"""Engines that run a model: each takes its file and returns a function of feeds."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.models import Model
from bench.variants import Arrays
from tvmfuse.errors import first_line

Run = Callable[[Arrays], Arrays]


@dataclass(frozen=True)
class Engine:
    """A way to run models.

    Attributes:
        label: What it is called in tables.
        package: What has to be installed.
        build: Takes a model, its file and a number of threads.
        probe: Raises where the package alone is not enough.
    """

    label: str
    package: str
    build: Callable[[Model, Path, int], Run]
    probe: Callable[[], object] = lambda: None

    def missing(self) -> str | None:
        """Say why it cannot run here; None where it can."""
        if importlib.util.find_spec(self.package) is None:
            return f"the package {self.package} is not installed (bench/README.md says how)"
        try:
            self.probe()
        except RuntimeError as error:
            return first_line(error)
        return None


def _tvmfuse(model: Model, file: Path, threads: int) -> Run:
    """Compile for this machine, with every pass."""
    import tvmfuse

    del model
    return tvmfuse.compile(file).load(num_threads=threads)


def _onnxruntime(model: Model, file: Path, threads: int) -> Run:
    """Run on the CPU, with every graph optimization."""
    from tvmfuse.measure.runners import onnxruntime_run
    from tvmfuse.measure.variants import VariantSettings

    del model
    return onnxruntime_run(file, VariantSettings(threads=threads, engine="onnxruntime"))


def _openvino(model: Model, file: Path, threads: int) -> Run:
    """Run on the CPU for the least latency, in float32, which it would leave for bfloat16."""
    from openvino import Core

    settings = {
        "INFERENCE_NUM_THREADS": threads,
        "INFERENCE_PRECISION_HINT": "f32",
        "PERFORMANCE_HINT": "LATENCY",
    }
    request = Core().compile_model(str(file), "CPU", settings).create_infer_request()

    def run(feeds: Arrays) -> Arrays:
        results = request.infer(dict(feeds), share_inputs=True)
        return {name: results[name] for name in model.outputs}

    return run


def _torch(model: Model, file: Path, threads: int) -> Run:
    """Compile the module that the file was exported from with torch's inductor."""
    import torch

    from bench.models.torch_export import Positional

    del file
    torch.set_num_threads(threads)
    names = tuple(model.outputs)
    module = Positional(model.module("full"), tuple(model.inputs("reduced")), names)
    compiled = torch.compile(module.eval(), backend="inductor")

    def run(feeds: Arrays) -> Arrays:
        with torch.inference_mode():
            tensors = [torch.from_numpy(array) for array in feeds.values()]
            return {n: t.numpy() for n, t in zip(names, compiled(*tensors), strict=True)}

    return run


def _compile_with_inductor() -> None:
    """Inductor writes C++: it takes a compiler and Python's headers, and says so when it runs."""
    import torch

    try:
        torch.compile(lambda x: x.relu() + 1)(torch.ones(8))
    except RuntimeError as error:
        why = first_line(error)
        raise RuntimeError(f"inductor finds no C++ compiler that works: {why}") from error


ENGINES: Final[Mapping[str, Engine]] = {
    "tvmfuse": Engine("tvmfuse", "tvmfuse", _tvmfuse),
    "onnxruntime": Engine("onnxruntime", "onnxruntime", _onnxruntime),
    "openvino": Engine("OpenVINO", "openvino", _openvino),
    "torch": Engine("torch.compile (inductor)", "torch", _torch, _compile_with_inductor),
}
