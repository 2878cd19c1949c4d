"""A model compiled up to any of its rewrites, run, and compared with what is expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tvmfuse.errors import CompilationError
from tvmfuse.ir.imported import ImportedModel
from tvmfuse.levels import Level
from tvmfuse.measure.agreement import Array, Difference, differences
from tvmfuse.measure.settings import MeasureSettings
from tvmfuse.passes.selection import Selection
from tvmfuse.passes.trace import Nodes
from tvmfuse.pipeline.compile import build_graph
from tvmfuse.pipeline.instruments import PassInvocation, Stop
from tvmfuse.pipeline.optimize import Optimizer
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.stages import graph_of
from tvmfuse.runtime.executable import Executable


@dataclass(frozen=True)
class Rewrite:
    """One rewrite in the order of all.

    Attributes:
        name: The pass.
        tier: Its level.
        nodes: The ONNX nodes that it replaced.
        stop: Where to stop to have it as the last one.
    """

    name: str
    tier: Level
    nodes: Nodes
    stop: Stop

    @property
    def before(self) -> Stop:
        """Where to stop just before it."""
        return Stop(self.stop.invocation, self.stop.rewrites - 1)


@dataclass(frozen=True)
class Trial:
    """What came of one compilation.

    Attributes:
        differences: From what is expected; empty where it failed.
        error: Why it could not be compiled or run.
        rewrites: All that were done, in order.
        executable: What ran; None where it failed, or nobody asked to keep it.
    """

    differences: tuple[Difference, ...]
    error: CompilationError | None
    rewrites: tuple[Rewrite, ...]
    executable: Executable | None = None

    @property
    def agrees(self) -> bool:
        """Whether it ran and its numbers are those expected."""
        return self.problem is None

    @property
    def problem(self) -> str | None:
        """Why the numbers are not those expected, in words."""
        if self.error is not None:
            return f"it fails: {self.error}"
        wrong = [f"output {d.output!r}: {d.problem}" for d in self.differences if d.problem]
        return "; ".join(wrong) or None

    @property
    def largest(self) -> float:
        """The largest error of an output, normalized by max abs of the reference."""
        return max((d.error for d in self.differences), default=0.0)


@dataclass
class Trials:
    """One model on one set of inputs, to be compiled again and again.

    Attributes:
        imported: The model.
        feeds: Its inputs, by name.
        expected: Its outputs, by name.
        compiled_with: How to compile; which passes run is said for each trial.
        settings: How to run and to compare.
        compiles: How often it was compiled so far.
    """

    imported: ImportedModel
    feeds: Mapping[str, Array]
    expected: Mapping[str, Array]
    compiled_with: CompileSettings
    settings: MeasureSettings
    compiles: int = 0

    def __call__(
        self, selection: Selection, stop: Stop | None = None, *, keep: bool = False
    ) -> Trial:
        """Compile and run once.

        Args:
            selection: Which passes run.
            stop: After which rewrite no pass does anything more; None for none.
            keep: Whether to hold on to what was compiled.
        """
        self.compiles += 1
        stops = () if stop is None else (stop,)
        optimizer = Optimizer(selection, target=self.compiled_with.target, instruments=stops)
        try:
            executable = self._loaded(optimizer, selection)
            outputs = dict(executable(self.feeds))
        except CompilationError as error:
            return Trial((), error, _rewrites(optimizer.invocations))
        return Trial(
            differences(self.expected, outputs, tolerance=self.settings.tolerance),
            None,
            _rewrites(optimizer.invocations),
            executable if keep else None,
        )

    def outputs(self, selection: Selection) -> dict[str, Array]:
        """Compile and run once, without a comparison."""
        optimizer = Optimizer(selection, target=self.compiled_with.target)
        return dict(self._loaded(optimizer, selection)(self.feeds))

    def _loaded(self, optimizer: Optimizer, selection: Selection) -> Executable:
        optimized = optimizer.run(self.imported.module)
        graph = graph_of(self.imported, optimized, selection, self.compiled_with.target)
        artifact = build_graph(graph, self.compiled_with)
        return artifact.load(num_threads=self.settings.threads)


def _rewrites(invocations: Sequence[PassInvocation]) -> tuple[Rewrite, ...]:
    return tuple(
        Rewrite(invocation.name, invocation.tier, nodes, Stop(place, count))
        for place, invocation in enumerate(invocations)
        for count, nodes in enumerate(invocation.fired, 1)
    )
