"""What a compiled model is compared with: onnxruntime, ONNX's reference, or level `none`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import onnx

from tvmfuse.errors import ConfigurationError, UnsupportedModelError, closest, first_line
from tvmfuse.frontend.graph import Graph
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.by_node import RunModel, by_node
from tvmfuse.measure.ends import ends_of
from tvmfuse.runtime.executable import Executable

AGAINST: Final = ("onnxruntime", "reference", "none")

Feeds = Mapping[str, Array]
Seen = Callable[[str, Array], None]


class Other(Protocol):
    """Another way to compute the model."""

    def outputs(self, feeds: Feeds) -> Mapping[str, Array]:
        """Return the outputs of the model as it stands, by name."""

    def tensors(self, graph: Graph, opsets: Mapping[str, int], feeds: Feeds, seen: Seen) -> None:
        """Show each tensor inside once; the array may not be kept, unless it is copied."""


@dataclass(frozen=True)
class Interpreter:
    """Another engine, which does not optimize; it takes a model and feeds.

    Attributes:
        name: Of the engine.
        model: The whole one.
        run: What computes any model.
    """

    name: str
    model: onnx.ModelProto
    run: RunModel

    def outputs(self, feeds: Feeds) -> Mapping[str, Array]:
        """Compute the whole model."""
        names = [output.name for output in self.model.graph.output]
        try:
            return dict(zip(names, self.run(self.model, feeds), strict=True))
        except Exception as error:
            raise UnsupportedModelError(
                f"{self.name} cannot run this model: {first_line(error)}; compare with another: "
                f"{', '.join(name for name in AGAINST if name != self.name)}"
            ) from error

    def tensors(self, graph: Graph, opsets: Mapping[str, int], feeds: Feeds, seen: Seen) -> None:
        """Compute node by node."""
        for name, array in by_node(graph, opsets, feeds, self.run):
            seen(name, array)


@dataclass(frozen=True)
class Unoptimized:
    """The model compiled at level `none`: one kernel for each operator."""

    executable: Executable

    def outputs(self, feeds: Feeds) -> Mapping[str, Array]:
        """Run it."""
        return self.executable(feeds)

    def tensors(self, graph: Graph, _opsets: Mapping[str, int], feeds: Feeds, seen: Seen) -> None:
        """Watch its kernels; a node with several results is left out: which is which is not known.

        So are reshapes, which no kernel computes.
        """
        ends = ends_of(self.executable.manifest.kernels, graph).of_kernel

        def wrote(place: int, arrays: Sequence[Array]) -> None:
            names = ends.get(place, ())
            if len(names) == len(arrays) == 1:
                seen(names[0], arrays[0])

        self.executable.watch(feeds, wrote)


def interpreter(name: str, model: onnx.ModelProto, threads: int | None) -> Interpreter:
    """Return onnxruntime without its optimizations, or ONNX's reference evaluator.

    Raises:
        ConfigurationError: There is no such engine, or it is not installed.
    """
    if name == "reference":
        return Interpreter(name, model, _by_reference)
    if name != "onnxruntime":
        raise ConfigurationError(f"cannot compare with {name!r}; {closest(name, AGAINST)}")
    return Interpreter(name, model, _by_onnxruntime(threads))


def _by_reference(model: onnx.ModelProto, feeds: Feeds) -> Sequence[Array]:
    from onnx.reference import ReferenceEvaluator

    return [np.asarray(result) for result in ReferenceEvaluator(model).run(None, dict(feeds))]


def _by_onnxruntime(threads: int | None) -> RunModel:
    try:
        import onnxruntime as ort
    except ImportError as error:
        raise ConfigurationError(
            "onnxruntime is not installed: install tvmfuse[ort], or compare with reference or none"
        ) from error
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    options.intra_op_num_threads = threads or 0

    def run(model: onnx.ModelProto, feeds: Feeds) -> Sequence[Array]:
        providers = ["CPUExecutionProvider"]
        session = ort.InferenceSession(model.SerializeToString(), options, providers=providers)
        results: Sequence[Array] = session.run(None, dict(feeds))
        return results

    return run
