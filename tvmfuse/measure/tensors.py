"""What kernels compute, made outputs of an optimized graph: no pass sees the difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tvm import IRModule, relax
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.kernels import calls_of
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.manifest import TensorSpec
from tvmfuse.measure.agreement import Array
from tvmfuse.passes.trace import Nodes
from tvmfuse.pipeline.container import Graph


@dataclass(frozen=True)
class Tensor:
    """What one kernel, or one group of kernels, computed.

    Attributes:
        nodes: The ONNX nodes that it computes.
        array: In whatever order the passes laid it out.
    """

    nodes: Nodes
    array: Array


def with_tensors(graph: Graph) -> Graph | None:
    """Return the graph with what each call in `main` computes as further outputs, in order.

    None where there is a branch: what is computed inside is known there only.
    """
    main = graph.kernels["main"]
    if any(isinstance(value, relax.If) for _, value in Dataflow.of(main).bindings):
        return None
    calls = _calls(main)
    functions = dict(graph.kernels.functions_items())
    functions[graph.kernels.get_global_var("main")] = _exposed(main, [var for var, _ in calls])
    more = [
        TensorSpec(_name(graph, place), str(var.ty.dtype), ())
        for place, (var, _) in enumerate(calls)
    ]
    module = relax.transform.Normalize()(IRModule(functions, attrs=graph.kernels.attrs))
    return replace(graph, kernels=module, outputs=(*graph.outputs, *more))


def named_tensors(graph: Graph, found: Mapping[str, Array]) -> tuple[Tensor, ...]:
    """Return what the graph that `with_tensors` made of this one computed beside its outputs."""
    return tuple(
        Tensor(nodes, found[_name(graph, place)])
        for place, (_, nodes) in enumerate(_calls(graph.kernels["main"]))
    )


def _name(graph: Graph, place: int) -> str:
    """Return a name that no output has: theirs are not that long."""
    return f"{'_'.join(spec.name for spec in graph.outputs)}_tensor_{place}"


def _calls(main: relax.Function) -> list[tuple[Var, Nodes]]:
    """List the tensors that kernels compute, those that are outputs anyway left out."""
    outputs = set(Dataflow.of(main).outputs)
    return [
        (var, nodes_of(call))
        for var, call, _ in calls_of(main)
        if isinstance(var.ty, relax.TensorType) and var not in outputs
    ]


def _exposed(main: relax.Function, tensors: Sequence[Var]) -> relax.Function:
    expose = _Expose(tensors)
    changed = expose.visit_expr(main)
    outputs = [*Dataflow.of(changed).outputs, *(expose.exposed[var] for var in tensors)]
    returned = relax.TupleType([output.ty for output in outputs])
    body = relax.SeqExpr(changed.body.blocks, relax.Tuple(outputs))
    return relax.Function(changed.params, body, returned, attrs=changed.attrs)


@mutator
class _Expose(PyExprMutator):
    def __init__(self, tensors: Sequence[Var]) -> None:
        super().__init__()
        self.tensors = set(tensors)
        self.exposed: dict[Var, Var] = {}

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        if binding.var not in self.tensors:
            super().visit_var_binding_(binding)
            return
        value = self.builder_.normalize(self.visit_expr(binding.value))
        var = Var(f"tensor_{len(self.exposed)}", value.ty)
        self.exposed[binding.var] = var
        self.builder_.emit_normalized(relax.VarBinding(var, value))
        self.set_var_remap(binding.var, var)
