"""Kernels are grouped: an operator and the elementwise ones that read it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

import tvm
from tvm import IRModule, relax
from tvm.ir import Call, GlobalVar, TupleGetItem

from tvmfuse.ir.after_sizes import after_sizes
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.kernels import call_like, calls_of, change_calls, merge_equal_functions
from tvmfuse.ir.loops import callers
from tvmfuse.ir.plain_branches import with_plain_branches
from tvmfuse.ir.provenance import nodes_of, span_of, values_of
from tvmfuse.manifest import StoredValue
from tvmfuse.passes.contract import KERNELS, GraphPass
from tvmfuse.passes.trace import Trace

#: Kernels of one group. A value that is read once for so many operators costs nothing any more, and
#: what TVM does to a kernel takes longer than in proportion to its size.
LARGEST: Final = 64

#: Tensors that a group reads: what that many operators of two operands do in a row. Each is checked
#: by the kernel's own code, and concatenations of concatenations have a loop for each.
WIDEST: Final = LARGEST + 1


class FuseOps(GraphPass):
    """Group the kernels that one loop nest can compute.

    Before::

        y = call_tir(conv, x, W)
        z = call_tir(relu, y)

    After::

        z = group(x, W)          # group: y = call_tir(conv, x, W); call_tir(relu, y)

    Pays because `y` need not go through memory, once `FuseTIR` makes the group one kernel.
    Source: TVM's pass of this name (Chen et al., TVM, OSDI 2018, section 3).
    """

    name = "FuseOps"
    aliases = ("OpFusion", "Operator Fusion", "FuseOp")
    works_on = KERNELS

    def __init__(self, apart: Collection[tuple[str, ...]] = ()) -> None:
        self.apart = frozenset(apart)

    def keeping_apart(self, groups: Collection[tuple[str, ...]]) -> FuseOps:
        """Return the pass that leaves the kernels of these groups of nodes as they are."""
        return FuseOps(groups)

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module with its kernels in groups; each group is one rewrite."""
        trace = Trace() if trace is None else trace
        # Calls that are told apart by their nodes and values end in groups that are, too.
        named = change_calls(module, lambda _, call: call_like(call, attrs=_origin(call)))
        # In branches TVM groups nothing, and takes it for an error that a size is only checked.
        plain = {name: with_plain_branches(named[name]) for name in callers(named)}
        named = IRModule({**named.functions, **plain}, named.attrs)
        fuse = [relax.transform.AnnotateTIROpPattern(), relax.transform.FuseOps()]
        bounds = {"relax.FuseOps.max_depth": LARGEST}
        with tvm.transform.PassContext(opt_level=2, config=bounds):
            grouped = tvm.transform.Sequential(fuse)(named)
        # TVM puts a group before the sizes that only some of its kernels read.
        ordered = {name: after_sizes(grouped[name]) for name in callers(grouped)}
        grouped = IRModule({**grouped.functions, **ordered}, grouped.attrs)
        nodes = _nodes_of_groups(grouped)
        late = {
            name
            for name, group in nodes.items()
            if _distinct(group) in self.apart or not _fires(group, grouped[name], trace)
        }
        values = _values_of_groups(grouped)
        grouped = _taken_apart(grouped, late)

        def renamed(call: Call) -> Call:
            if isinstance(call.op, GlobalVar):
                return call_like(call, span=span_of(nodes[call.op], values[call.op]))
            return call_like(call, attrs=None)

        return merge_equal_functions(change_calls(grouped, lambda _, call: renamed(call)))


def _origin(call: Call) -> dict[str, list[str]]:
    return {"nodes": [*nodes_of(call)], "values": [value.name for value in values_of(call)]}


def _values_of_groups(module: IRModule) -> dict[GlobalVar, tuple[StoredValue, ...]]:
    """Return the ONNX values that each group returns."""
    return {
        name: tuple(_values_of_results(Dataflow.of(function))) for name, function in _groups(module)
    }


def _groups(module: IRModule) -> Iterator[tuple[GlobalVar, relax.Function]]:
    """Yield the groups of kernels."""
    others = set(callers(module))
    for name, function in module.functions_items():
        if isinstance(function, relax.Function) and name not in others:
            yield name, function


def _values_of_results(flow: Dataflow) -> Iterator[StoredValue]:
    for place, output in enumerate(flow.outputs):
        value = flow.resolve(output)
        index = value.index if isinstance(value, TupleGetItem) else None
        for stored in values_of(value if index is None else flow.resolve(value.tuple_value)):
            if index is None:
                yield replace(stored, result=place + stored.result)
            elif stored.result == index:
                yield replace(stored, result=place)


def _nodes_of_groups(module: IRModule) -> dict[GlobalVar, tuple[str, ...]]:
    """Return the ONNX nodes that the calls inside of each group compute."""
    return {
        name: tuple(n for _, call, _ in calls_of(function) for n in nodes_of(call))
        for name, function in _groups(module)
    }


def _distinct(nodes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(nodes))


def _fires(group: tuple[str, ...], function: relax.Function, trace: Trace) -> bool:
    """Record a group, unless it is too wide or the limit is reached; return whether it may be."""
    if len(function.params) > WIDEST:
        trace.decline(f"a group reads at most {WIDEST} tensors", group)
        return False
    if trace.exhausted:
        return False
    trace.fire(group)
    return True


def _taken_apart(module: IRModule, groups: Collection[GlobalVar]) -> IRModule:
    """Return the module with these groups' kernels called one by one again."""
    if not groups:
        return module
    functions = {n: f for n, f in module.functions_items() if n not in groups}
    inlined = {name: module[name] for name in groups}
    functions |= {name: module[name].inline_functions(inlined) for name in callers(module)}
    return IRModule(functions, attrs=module.attrs)
