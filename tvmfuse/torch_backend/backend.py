"""`torch.compile(model, backend="tvmfuse")`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from torch._dynamo.backends.common import aot_autograd
from torch._guards import TracingContext
from torch.fx import GraphModule

from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.torch.decompositions import decompositions
from tvmfuse.torch_backend.compiled_graph import CompiledGraph
from tvmfuse.torch_backend.frozen import FrozenGraph
from tvmfuse.torch_backend.kept_graph import compiled_or_kept, converted_operators
from tvmfuse.torch_backend.live_graph import LiveGraph, can_be_followed
from tvmfuse.torch_backend.options import Options
from tvmfuse.torch_backend.parted import parted
from tvmfuse.torch_backend.report import remember, short


def tvmfuse_backend(
    module: GraphModule,
    example_inputs: Sequence[Any],
    *,
    options: Mapping[str, Any] | None = None,
    mode: str | None = None,
) -> Callable[..., Any]:
    """Compile a graph that Dynamo captured; what `torch.compile(model, backend="tvmfuse")` calls.

    Forward and backward are graphs of their own. Nodes that cannot be compiled stay in eager:
    `tvmfuse.torch_backend.report` names them.

    Args:
        module: The graph.
        example_inputs: What it is called with.
        options: See `Options`.
        mode: How inductor is to compile: says nothing here, and a warning says so.

    Raises:
        ConfigurationError: There is no such option, or it has no such value.
        UnsupportedModelError: ``fullgraph`` is asked for, and a node stays in eager, or Dynamo's
            graph is broken.
    """
    if mode is not None:
        warnings.warn(
            f"mode={mode!r} is inductor's and says nothing to tvmfuse, which has options instead: "
            f"{', '.join(field.name for field in fields(Options))}",
            stacklevel=2,
        )
    chosen = Options.of(options)
    compiling = _Compiling(chosen, example_inputs, broken_at(module))
    compiled: Callable[..., Any] = aot_autograd(
        fw_compiler=compiling.forward,
        bw_compiler=compiling.backward,
        inference_compiler=compiling.inference,
        decompositions=decompositions(converted_operators(chosen)),
        partition_fn=parted,
    )(module, example_inputs)
    return compiled


class _Compiling:
    """Compiles the graphs that AOTAutograd makes of one of Dynamo's.

    Args:
        options: How.
        inputs: What Dynamo's graph is called with: the parameters themselves.
        broken: Why and where that graph ends before the function does; mostly empty.
    """

    def __init__(self, options: Options, inputs: Sequence[Any], broken: str) -> None:
        self._options, self._inputs, self._broken = options, inputs, broken
        if options.fullgraph and broken:
            raise UnsupportedModelError(f"the graph breaks at {broken}")

    def forward(self, graph: GraphModule, _inputs: Sequence[Any]) -> Callable[..., Any]:
        """Compile a forward graph; what it keeps for the backward one follows its results."""
        context = TracingContext.try_get()
        facts = None if context is None else context.fw_metadata
        return self._compiled("forward", graph, facts.num_forward if facts else None)

    def backward(self, graph: GraphModule, _inputs: Sequence[Any]) -> Callable[..., Any]:
        """Compile a backward graph."""
        return self._compiled("backward", graph)

    def inference(self, graph: GraphModule, inputs: Sequence[Any]) -> Callable[..., Any]:
        """Compile a graph without gradients."""
        context = TracingContext.try_get()
        facts = None if context is None else context.fw_metadata
        places = facts.static_input_indices if facts else None
        if not places or len(inputs) != len(self._inputs):
            return self._compiled("inference", graph)
        if self._options.freeze:
            frozen = FrozenGraph(graph, places, lambda made: self._compiled("inference", made))
            frozen.freeze({place: self._inputs[place] for place in places})
            return frozen.call
        followed = [place for place in places if can_be_followed(self._inputs[place])]
        live = LiveGraph(graph, followed, lambda made: self._graph("inference", made))
        live.follow([self._inputs[place] for place in followed])
        return live.call

    def _compiled(
        self, kind: str, graph: GraphModule, visible: int | None = None
    ) -> Callable[..., Any]:
        return self._graph(kind, graph, visible).call

    def _graph(self, kind: str, graph: GraphModule, visible: int | None = None) -> CompiledGraph:
        guarded = kind != "backward"  # whose arguments Dynamo has not seen
        made = compiled_or_kept(graph, self._options, visible, guarded=guarded)
        remember(made.report(kind, self._broken))
        if self._options.fullgraph and made.eager:
            nodes = "\n".join(f"  {node}" for node in made.eager)
            raise UnsupportedModelError(
                f"of the {kind} graph stay in eager, {len(made.eager)} in all:\n{nodes}",
                {node.name: node.why for node in made.eager},
            )
        return made


def broken_at(module: GraphModule) -> str:
    """Return where Dynamo's graph ends before its function does, and why; empty if it does not."""
    reason = getattr(module, "compile_subgraph_reason", None)
    if reason is None or not reason.graph_break:
        return ""
    frame = reason.user_stack[-1]
    return f"{frame.filename}:{frame.lineno}: {short(reason.reason)}"
