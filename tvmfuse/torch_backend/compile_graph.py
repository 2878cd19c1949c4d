"""A functional graph of ATen operators, compiled by the passes and TVM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch.fx import GraphModule, Node

from tvmfuse.build.artifact import Artifact
from tvmfuse.frontend.torch.importer import import_graph
from tvmfuse.ir.imported import ImportedModel
from tvmfuse.pipeline.kept import compile_imported
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.torch_backend.compiled_graph import CompiledGraph, compiled_graph
from tvmfuse.torch_backend.converted import why_not_converted


@dataclass(frozen=True)
class _Model:
    """A group in Relax."""

    model: ImportedModel
    settings: CompileSettings

    @property
    def inputs(self) -> Sequence[str]:
        return [spec.name for spec in self.model.inputs]

    def compiled(self) -> Artifact:
        return compile_imported(self.model, self.settings)


@dataclass(frozen=True)
class FromScratch:
    """Compiles groups; see `Compiler`.

    Attributes:
        settings: How.
    """

    settings: CompileSettings

    @property
    def strict(self) -> bool:
        """Whether a stage that fails is an error."""
        return self.settings.strict

    def why_not(self, node: Node) -> str | None:
        """Return why an operator is not compiled; None for one that is."""
        return why_not_converted(node)

    def imported(self, group: GraphModule) -> _Model:
        """Express a group in Relax.

        Raises:
            UnsupportedModelError: Some of its nodes cannot be.
        """
        return _Model(import_graph(group), self.settings)


def compile_graph(
    module: GraphModule,
    settings: CompileSettings,
    num_threads: int | None = None,
    visible: int | None = None,
    *,
    guarded: bool = False,
) -> CompiledGraph:
    """Compile all of a graph that can be; see `compiled_graph`.

    Args:
        module: See there.
        settings: How the groups are compiled.
        num_threads: See there.
        visible: See there.
        guarded: See there.
    """
    return compiled_graph(module, FromScratch(settings), num_threads, visible, guarded=guarded)
