"""Engines that run a model: each takes its file and returns a function of feeds."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.precisions import FLOAT32
from bench.variants import Arrays
from tvmfuse.errors import first_line

if TYPE_CHECKING:
    from torch import nn

Run = Callable[[Arrays], Arrays]


@dataclass(frozen=True)
class Job:
    """What an engine is to run.

    Attributes:
        file: The model's; where it is quantized, that of the quantized model.
        outputs: The names of the model's outputs, in order.
        module: Makes the torch module that float32's file was exported from: it takes the inputs by
            position, and returns a tuple of the outputs.
        threads: That compute one run.
        precision: One of `PRECISIONS`.
    """

    file: Path
    outputs: tuple[str, ...]
    module: Callable[[], nn.Module]
    threads: int = 1
    precision: str = FLOAT32


@dataclass(frozen=True)
class Engine:
    """A way to run models.

    Attributes:
        label: What it is called in tables.
        package: What has to be installed.
        build: Makes what runs a job.
        probe: Raises where the package alone is not enough.
        lacks: Precisions in which it is not measured, and why.
    """

    label: str
    package: str
    build: Callable[[Job], Run]
    probe: Callable[[], object] = lambda: None
    lacks: Mapping[str, str] = field(default_factory=dict)

    def missing(self) -> str | None:
        """Say why it cannot run here; None where it can."""
        if importlib.util.find_spec(self.package) is None:
            return f"the package {self.package} is not installed (bench/README.md says how)"
        try:
            self.probe()
        except RuntimeError as error:
            return first_line(error)
        return None


def _tvmfuse(job: Job) -> Run:
    """Compile for this machine, with every pass."""
    import tvmfuse

    # A quantized model says itself what is computed in integers; the rest of it is float32.
    precision = "bf16" if job.precision == "bf16" else "f32"
    return tvmfuse.compile(job.file, precision=precision).load(num_threads=job.threads)


def _onnxruntime(job: Job) -> Run:
    """Run on the CPU, with every graph optimization."""
    from tvmfuse.measure.runners import onnxruntime_run
    from tvmfuse.measure.variants import VariantSettings

    return onnxruntime_run(job.file, VariantSettings(threads=job.threads, engine="onnxruntime"))


def _openvino(job: Job) -> Run:
    """Run on the CPU for the least latency; left alone, it would leave float32 for bfloat16."""
    from openvino import Core

    settings = {
        "INFERENCE_NUM_THREADS": job.threads,
        "INFERENCE_PRECISION_HINT": "bf16" if job.precision == "bf16" else "f32",
        "PERFORMANCE_HINT": "LATENCY",
    }
    request = Core().compile_model(str(job.file), "CPU", settings).create_infer_request()

    def run(feeds: Arrays) -> Arrays:
        results = request.infer(dict(feeds), share_inputs=True)
        return {name: results[name] for name in job.outputs}

    return run


def _torch(job: Job) -> Run:
    """Compile the module that the file was exported from with torch's inductor."""
    import torch

    torch.set_num_threads(job.threads)
    compiled = torch.compile(job.module(), backend="inductor")

    def run(feeds: Arrays) -> Arrays:
        with torch.inference_mode():
            tensors = [torch.from_numpy(array) for array in feeds.values()]
            return {n: t.numpy() for n, t in zip(job.outputs, compiled(*tensors), strict=True)}

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
    "onnxruntime": Engine(
        "onnxruntime",
        "onnxruntime",
        _onnxruntime,
        lacks={"bf16": "its CPU kernels compute no bfloat16"},
    ),
    "openvino": Engine("OpenVINO", "openvino", _openvino),
    "torch": Engine(
        "torch.compile (inductor)",
        "torch",
        _torch,
        _compile_with_inductor,
        lacks=dict.fromkeys(("bf16", "int8", "int8w7"), "the module that it compiles is float32's"),
    ),
}
