"""What a compiled model is compared with: onnxruntime, ONNX's reference, or level `none`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from tvmfuse.errors import ConfigurationError, UnsupportedModelError, closest, first_line
from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.by_node import RunModel, by_node
from tvmfuse.measure.onnxruntime_session import open_session, package
from tvmfuse.measure.order import restored, write_back
from tvmfuse.measure.rounding import OneRounding
from tvmfuse.runtime.executable import Executable

AGAINST: Final = ("onnxruntime", "reference", "none")

Feeds = Mapping[str, Array]
Seen = Callable[[str, Array], None]


class Other(Protocol):
    """Another way to compute the model."""

    def outputs(self, feeds: Feeds) -> Mapping[str, Array]:
        """Return the outputs of the model as it stands, by name."""

    def tensors(
        self, graph: SourceGraph, feeds: Feeds, seen: Seen, moved: OneRounding | None = None
    ) -> None:
        """Show each tensor inside once; the array may not be kept, unless it is copied.

        Args:
            graph: Of the model.
            feeds: Its inputs.
            seen: Called with a tensor's name and array.
            moved: Moves each tensor before it is shown and read; None: as it is computed.
        """


@dataclass(frozen=True)
class Interpreter:
    """Another engine, which does not optimize; it takes a model and feeds.

    Attributes:
        model: The whole one.
        run: What computes any model.
    """

    model: SourceGraph
    run: RunModel

    def outputs(self, feeds: Feeds) -> Mapping[str, Array]:
        """Compute the whole model.

        Raises:
            UnsupportedModelError: The engine cannot run it.
        """
        results = self.run(self.model.source, feeds)
        return dict(zip(self.model.outputs, results, strict=True))

    def tensors(
        self, graph: SourceGraph, feeds: Feeds, seen: Seen, moved: OneRounding | None = None
    ) -> None:
        """Compute node by node."""
        computed = (
            by_node(graph, feeds, self.run)
            if moved is None
            else by_node(graph, moved.feeds(feeds), self.run, moved)
        )
        for name, array in computed:
            seen(name, array)


@dataclass(frozen=True)
class Unoptimized:
    """The model compiled at level `none`: one kernel for each operator."""

    executable: Executable

    def outputs(self, feeds: Feeds) -> Mapping[str, Array]:
        """Run it."""
        return self.executable(feeds)

    def tensors(
        self, graph: SourceGraph, feeds: Feeds, seen: Seen, moved: OneRounding | None = None
    ) -> None:
        """Watch its kernels; what is to be moved is moved in their memory, on the CPU."""
        del graph
        kernels, done = self.executable.manifest.kernels, set[tuple[int, int]]()

        def wrote(place: int, arrays: Sequence[Array]) -> None:
            for stored in (v for v in kernels[place].values if not v.reshaped):
                array = arrays[stored.result]
                if moved is not None and (place, stored.result) not in done:
                    done.add((place, stored.result))
                    write_back(stored, array, moved(stored.name, restored(stored, array)))
                seen(stored.name, restored(stored, array))

        self.executable.watch(feeds if moved is None else moved.feeds(feeds), wrote)


def interpreter(name: str, model: SourceGraph, threads: int | None) -> Interpreter:
    """Return onnxruntime without its optimizations, or ONNX's reference evaluator.

    Raises:
        ConfigurationError: There is no such engine, or it is not installed.
    """
    if name == "reference":
        return Interpreter(model, _by_reference)
    if name != "onnxruntime":
        raise ConfigurationError(f"cannot compare with {name!r}; {closest(name, AGAINST)}")
    return Interpreter(model, _by_onnxruntime(threads))


def _by_reference(model: Any, feeds: Feeds) -> Sequence[Array]:
    from onnx.reference import ReferenceEvaluator

    try:
        results = ReferenceEvaluator(model).run(None, dict(feeds))
    except Exception as error:
        raise UnsupportedModelError(
            f"reference cannot run this model: {first_line(error)}{_instead('reference')}"
        ) from error
    return [np.asarray(result) for result in results]


def _by_onnxruntime(threads: int | None) -> RunModel:
    hint = _instead("onnxruntime")
    package(hint)
    return lambda model, feeds: open_session(model, threads=threads, hint=hint).outputs(feeds)


def _instead(name: str) -> str:
    return f"; compare with another: {', '.join(other for other in AGAINST if other != name)}"
