"""Slices that together are the whole tensor are taken at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from tvm import IRModule, relax
from tvm.ir import Expr, Tuple, TupleGetItem
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, mutator
from tvm.tirx import IntImm

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of, values_of, with_nodes, with_values
from tvmfuse.ir.types import numbers_of, rank_of, shape_of
from tvmfuse.ops.traits import traits_of
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.trace import Trace

SLICE: Final = "relax.strided_slice"
GATHER: Final = "relax.take"


@dataclass(frozen=True)
class Part:
    """A slice along one axis, or a gather of neighbours.

    Attributes:
        var: What it is bound to.
        begin: The first index.
        end: The one behind the last.
        drops: Whether the axis is dropped, as a gather of one index does.
    """

    var: Var
    begin: int
    end: int
    drops: bool = False


@dataclass(frozen=True)
class Group:
    """The parts of one tensor along one axis, in the order in which they lie."""

    x: Expr
    axis: int
    parts: Sequence[Part]


class GatherSliceToSplitFusion(GraphPass):
    """Split a tensor once instead of slicing it several times.

    Before::

        a = strided_slice(x, axes=[1], begin=[0], end=[4])
        b = strided_slice(x, axes=[1], begin=[4], end=[8])
        c = take(x, 8, axis=1)

    After::

        s = split(x, [4, 8], axis=1)
        a, b, c = s[0], s[1], squeeze(s[2], [1])

    Pays because one kernel takes the place of several. A slice that an elementwise operator reads
    costs no kernel: it stays. Source: ONNX Runtime's pass of this name.
    """

    name = "GatherSliceToSplitFusion"
    aliases = ("Gather Slice To Split Fusion",)

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module with such slices as one split; each split is one rewrite."""
        trace = Trace() if trace is None else trace
        trace.declined.clear()
        return map_functions(module, lambda function: _split(function, trace))


def _split(function: relax.Function, trace: Trace) -> relax.Function:
    flow, chosen = Dataflow.of(function), list[Group]()
    for group in _groups(flow):
        nodes = dict.fromkeys(n for p in group.parts for n in nodes_of(flow.values[p.var]))
        failed = next((words for holds, words in _requires(group, flow) if not holds), None)
        if failed:
            trace.decline(failed, nodes)
        elif not trace.exhausted:
            trace.fire(nodes)
            chosen.append(group)
    return _Splits(chosen).visit_expr(function) if chosen else function


def _requires(group: Group, flow: Dataflow) -> Iterator[tuple[bool, str]]:
    size = (shape_of(group.x) or ())[group.axis]
    ends = [0, *(p.end for p in group.parts)]
    whole = ends[-1] == size and ends[:-1] == [p.begin for p in group.parts]
    yield whole, "the slices are the whole tensor, and none of it twice"
    first = group.parts[0].var
    yield all(flow.same_block(p.var, first) for p in group.parts), "the slices are in one block"
    readers = [r for p in group.parts for r in flow.users(p.var)]
    stored = all(r is None or traits_of(flow.values.get(r)).reads_memory for r in readers)
    yield stored, "no reader computes its slice as it reads it"


def _groups(flow: Dataflow) -> list[Group]:
    """Return the slices of each tensor along each axis, where there are several."""
    found: dict[tuple[Expr, int], list[Part]] = defaultdict(list)
    for var in flow.calls(SLICE, GATHER):
        call = flow.values[var]
        axis = _axis(call)
        size = (shape_of(call.args[0]) or ())[axis : axis + 1] if axis is not None else ()
        part = _part(var, call, size[0]) if size and isinstance(size[0], int) else None
        if part is not None and axis is not None:
            found[call.args[0], axis].append(part)
    return [
        Group(x, axis, sorted(parts, key=lambda p: (p.begin, p.end)))
        for (x, axis), parts in found.items()
        if len(parts) > 1
    ]


def _axis(call: Expr) -> int | None:
    """Return the axis of a slice or gather, None where it has several."""
    rank = rank_of(call.args[0]) or 1
    if op_name(call) == GATHER:
        return None if call.attrs.axis is None else int(call.attrs.axis) % rank
    axes = _integers(call.args[1])
    return axes[0] % rank if len(axes) == 1 else None


def _part(var: Var, call: Expr, size: int) -> Part | None:
    """Return which indices a call takes, None where they are unknown or no neighbours."""
    if op_name(call) == SLICE:
        numbers = [_integers(a) for a in call.args[2:]]
        if any(len(n) != 1 for n in numbers) or [n[0] for n in numbers[2:]] not in ([], [1]):
            return None
        begin, end, _ = slice(numbers[0][0], numbers[1][0]).indices(size)
        return Part(var, begin, end) if begin < end else None
    indices = numbers_of(call.args[1])
    if indices is None or indices.ndim > 1 or indices.size == 0:
        return None
    if indices.min() < -size or indices.max() >= size:
        return None
    taken = np.atleast_1d(indices) % size
    if np.any(np.diff(taken) != 1):
        return None
    return Part(var, int(taken[0]), int(taken[-1]) + 1, drops=indices.ndim == 0)


def _integers(bounds: Expr) -> list[int]:
    """Return a tuple's numbers, none where one is not known."""
    fields = list(bounds.fields) if isinstance(bounds, Tuple) else []
    return [int(f.value) for f in fields] if all(isinstance(f, IntImm) for f in fields) else []


@mutator
class _Splits(PyExprMutator):
    """Splits at the first part of each group, and lets the parts be elements of that."""

    def __init__(self, groups: Sequence[Group]) -> None:
        super().__init__()
        self.places: Mapping[Var, tuple[Group, int]] = {
            part.var: (group, i) for group in groups for i, part in enumerate(group.parts)
        }
        self.splits: dict[Var, Var] = {}

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        if binding.var not in self.places:
            super().visit_var_binding_(binding)
            return
        group, i = self.places[binding.var]
        key, nodes = group.parts[0].var, nodes_of(binding.value)
        if key not in self.splits:
            ends = [part.end for part in group.parts[:-1]]
            split = relax.op.split(self.visit_expr(group.x), ends, group.axis)
            self.splits[key] = self.builder_.emit(with_nodes(split, nodes))
        value: Expr = TupleGetItem(self.splits[key], i)
        if group.parts[i].drops:
            item = self.builder_.emit(value)
            value = with_nodes(relax.op.squeeze(item, [group.axis]), nodes)
        value = with_values(value, values_of(binding.value))
        super().visit_var_binding_(relax.VarBinding(binding.var, value))
