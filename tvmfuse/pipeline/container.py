"""The value between the passes and the build, and how offline mode keeps it in a file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from typing import Any

import numpy as np
import tvm
from tvm import IRModule
from tvm.target import Target

from tvmfuse.build.weights import attach, detach
from tvmfuse.errors import IncompatibleArtifactError
from tvmfuse.format.graph_file import GraphFile, read_graph_file, write_graph_file
from tvmfuse.manifest import TensorSpec
from tvmfuse.report import OptimizationReport


@dataclass(frozen=True)
class Graph:
    """An optimized module and what a caller needs to know of it.

    Attributes:
        kernels: `main` calls PrimFuncs, not yet scheduled for a target.
        inputs: What `main` takes first.
        overridable: What it takes then: inputs that have a default.
        defaults: Their values.
        outputs: What it returns.
        opset: Of the ONNX model.
        metadata: The ONNX model's own words: producer, graph name and so on.
        level: The level that it was optimized at.
        passes_ran: The passes that ran.
        passes_disabled: The passes that were switched off.
        report: What the passes did.
        target: What it was laid out for; None where it suits every target.
    """

    kernels: IRModule
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    overridable: tuple[TensorSpec, ...]
    defaults: Sequence[np.ndarray]
    opset: int
    metadata: Mapping[str, Any]
    level: str
    passes_ran: tuple[str, ...]
    passes_disabled: tuple[str, ...]
    report: OptimizationReport
    target: str | None = None


def write(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the file, atomically.

    Raises:
        ArtifactError: It cannot be written there.
    """
    module, weights = detach(graph.kernels)
    header = {
        **asdict(replace(graph, kernels=None, defaults=())),
        "versions": {"tvmfuse": version("tvmfuse"), "apache-tvm": version("apache-tvm")},
    }
    content = GraphFile(header, tvm.ir.save_json(module), [*weights, *graph.defaults])
    write_graph_file(path, content)


def read(model: str | os.PathLike[str] | bytes, target: Target) -> Graph:
    """Read what `write` wrote.

    Args:
        model: The path, or the bytes.
        target: What it will be compiled for.

    Raises:
        DamagedArtifactError: It is truncated or altered.
        IncompatibleArtifactError: It is of another version, or laid out for another target.
    """
    name = "these bytes" if isinstance(model, bytes) else str(model)
    content = read_graph_file(model, name)
    header, arrays = content.header, content.weights
    _check(header, name, target)
    bound = len(arrays) - len(header["overridable"])
    module = attach(tvm.ir.load_json(content.module), arrays[:bound])
    return _graph(header, module, arrays[bound:])


def _check(header: Mapping[str, Any], name: str, target: Target) -> None:
    made, here = header["versions"]["apache-tvm"], version("apache-tvm")
    if made.split(".")[:2] != here.split(".")[:2]:
        raise IncompatibleArtifactError(
            f"{name}: written with apache-tvm {made}, here is {here}: optimize the model again"
        )
    if header["target"] not in (None, str(target)):
        raise IncompatibleArtifactError(
            f"{name}: its layouts suit the target {header['target']}, asked for is {target}: "
            "optimize the model for this target"
        )


def _graph(header: Mapping[str, Any], kernels: IRModule, defaults: Sequence[np.ndarray]) -> Graph:
    def specs(key: str) -> tuple[TensorSpec, ...]:
        return tuple(map(TensorSpec.from_json, header[key]))

    return Graph(
        kernels,
        specs("inputs"),
        specs("outputs"),
        specs("overridable"),
        defaults,
        header["opset"],
        header["metadata"],
        header["level"],
        tuple(header["passes_ran"]),
        tuple(header["passes_disabled"]),
        OptimizationReport.from_json(header["report"]),
        header["target"],
    )
