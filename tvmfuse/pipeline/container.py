"""The value between the passes and the build, and how offline mode keeps it in a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np
import tvm
from tvm import IRModule, relax
from tvm.target import Target

from tvmfuse.build.weights import attach, detach
from tvmfuse.errors import DamagedArtifactError, IncompatibleArtifactError, first_line
from tvmfuse.format.graph_file import (
    GraphFacts,
    GraphFile,
    GraphHeader,
    read_graph_file,
    write_graph_file,
)
from tvmfuse.ir.kernels import values_of_launches
from tvmfuse.narrow_types import stored_as


@dataclass(frozen=True, kw_only=True)
class Graph(GraphFacts):
    """An optimized module and what a caller needs to know of it.

    Attributes:
        kernels: `main` calls PrimFuncs, not yet scheduled for a target.
        defaults: The values of the overridable inputs.
    """

    kernels: IRModule
    defaults: Sequence[np.ndarray]


def write(graph: Graph, path: str | os.PathLike[str]) -> None:
    """Write the file, atomically.

    Raises:
        ArtifactError: It cannot be written there.
    """
    module, weights = detach(graph.kernels)
    versions = {name: version(name) for name in ("tvmfuse", "apache-tvm")}
    header = GraphHeader(**graph.facts(), versions=versions)
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
    bound = len(arrays) - len(header.overridable)
    module = _module(content.module, arrays[:bound], header, name)
    return Graph(kernels=module, defaults=arrays[bound:], **header.facts())


def _check(header: GraphHeader, name: str, target: Target) -> None:
    made, here = header.versions.get("apache-tvm", "of no version"), version("apache-tvm")
    if made.split(".")[:2] != here.split(".")[:2]:
        raise IncompatibleArtifactError(
            f"{name}: written with apache-tvm {made}, here is {here}: optimize the model again"
        )
    if header.target not in (None, str(target)):
        raise IncompatibleArtifactError(
            f"{name}: its layouts suit the target {header.target}, asked for is {target}: "
            "optimize the model for this target"
        )


def _module(text: str, weights: Sequence[np.ndarray], header: GraphHeader, name: str) -> IRModule:
    """Return the module with its weights; what it takes has to be what the header says."""
    try:
        detached = tvm.ir.load_json(text)
        _check_takes(detached, weights, header)
        module = attach(detached, weights)
        relax.analysis.well_formed(module)
        values_of_launches(module)  # the names in its spans can be read
    except Exception as error:  # TVM's reader of JSON raises whatever it comes upon
        raise DamagedArtifactError(
            f"{name}: its module is none that tvmfuse writes: {first_line(error)}; optimize the "
            "model again"
        ) from error
    return module


def _check_takes(detached: IRModule, weights: Sequence[np.ndarray], header: GraphHeader) -> None:
    takes = [(str(p.ty.dtype), len(p.ty.shape)) for p in detached["main"].params]
    stated = [(stored_as(s.dtype), len(s.shape)) for s in (*header.inputs, *header.overridable)]
    if takes != stated + [(w.dtype.name, w.ndim) for w in weights]:
        raise ValueError(f"main takes {takes!r:.60}")
