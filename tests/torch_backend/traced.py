"""Functions as functional graphs of ATen operators, compiled."""

from collections.abc import Callable
from typing import Any, Literal

import torch
from torch.fx import GraphModule
from torch.fx.experimental.proxy_tensor import make_fx

from tvmfuse.torch_backend.compile_graph import compile_graph
from tvmfuse.torch_backend.compiled_graph import CompiledGraph
from tvmfuse.torch_backend.options import Options

Mode = Literal["fake", "symbolic"]


def traced(function: Callable[..., Any], *inputs: torch.Tensor, mode: Mode = "fake") -> GraphModule:
    """Trace a function; `mode` is "symbolic" for sizes without numbers."""
    return make_fx(function, tracing_mode=mode, _allow_non_fake_inputs=True)(*inputs)


def compiled(
    function: Callable[..., Any], *inputs: torch.Tensor, mode: Mode = "fake", **options: Any
) -> CompiledGraph:
    """Trace a function, and compile the graph."""
    asked = Options.of(options)
    return compile_graph(traced(function, *inputs, mode=mode), asked.settings(), asked.num_threads)


def why_eager(graph: CompiledGraph) -> dict[str, str]:
    return {node.operator.split(".")[1]: node.why for node in graph.eager}
