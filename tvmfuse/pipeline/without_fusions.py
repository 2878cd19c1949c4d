"""Building without the fusions of which no kernel can be compiled.

Where every schedule fails on a kernel, or LLVM refuses whatever they make of it, its operators are
kernels of their own: all is optimized again, and `FuseOps` leaves that group apart.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace

from tvmfuse.build.artifact import Artifact
from tvmfuse.errors import KernelError, LeftOutWarning, first_line
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.out_of_memory import is_out_of_memory
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.container import Graph


def build_without_failures(
    optimize: Callable[[Selection], Graph],
    build: Callable[[Graph], Artifact],
    selection: Selection,
    *,
    strict: bool,
) -> tuple[Graph, Artifact]:
    """Build a model; what cannot be compiled as one kernel is compiled as several.

    Args:
        optimize: Makes a graph with these passes.
        build: Compiles its kernels.
        selection: Which passes run.
        strict: Whether a kernel that cannot be compiled is an error. Else a `LeftOutWarning` names
            it, its nodes and why.

    Raises:
        KernelError: One kernel cannot be compiled, and is no fusion, or `strict` is set. It says
            which nodes the kernel computes.
    """
    graph = optimize(selection)
    while True:
        try:
            return graph, build(graph)
        except KernelError as error:
            groups = {nodes for name, nodes in kernel_calls(graph.kernels) if name == error.kernel}
            error.nodes = _named(groups)
            if strict or is_out_of_memory(error) or groups <= selection.apart:
                raise
            selection = replace(selection, apart=selection.apart | groups)
            apart = optimize(selection)
            if groups & {nodes for _, nodes in kernel_calls(apart.kernels)}:
                raise  # it is one operator, or was optimized by somebody else
            _warn(error)
            graph = apart


def _warn(error: KernelError) -> None:
    warnings.warn(
        f"the kernel {error.kernel} of {', '.join(error.nodes)} cannot be compiled, and its "
        f"operators are compiled one by one: {first_line(error)}; please report it",
        LeftOutWarning,
        stacklevel=4,
    )


def _named(groups: set[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(node for group in sorted(groups) for node in group))
