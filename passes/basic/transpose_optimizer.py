"""Transposes cancel, or move to where fewer elements are transposed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tvm import IRModule, relax
from tvm.ir import Expr
from tvm.relax import Var

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.ir.types import shape_of
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.trace import Nodes, Trace
from tvmfuse.passes.transposes.apply import move_calls
from tvmfuse.passes.transposes.chains import Transposes
from tvmfuse.passes.transposes.permutation import (
    PERMUTE,
    Permutation,
    cost,
    inverse,
    is_identity,
    permutation_of,
)
from tvmfuse.passes.transposes.region import Moved, Region

NO_CALL: Final = "a call next to it works along renamed axes"
NO_GAIN: Final = "moving calls across it saves transposes"


class TransposeOptimizer(GraphPass):
    """Let calls work on what is not transposed, where that takes fewer transposes.

    Before::

        a = permute_dims(x, (0, 2, 3, 1))
        b = relu(a + c)                      # c: a constant for each channel
        y = permute_dims(b, (0, 3, 1, 2))

    After, with `c` laid along the channels of `x`::

        y = relu(x + c)

    A transpose of a transpose becomes one, one that moves only axes of extent 1 becomes a reshape,
    one of a constant is done here. Calls that work element by element or along axes that can be
    renamed move before a transpose if fewer elements are transposed then; the best choice for all
    calls around a transpose is a minimum cut. Each round leaves fewer elements to transpose, so it
    ends, and a second run finds nothing.

    Pays because a transpose reads and writes the whole tensor, one of them with strides, and
    computes nothing.

    Source: ONNX ``Transpose``; ONNX Runtime's TransposeOptimizer.
    """

    name = "TransposeOptimizer"
    aliases = ("Transpose Optimizer", "Transpose Optimization")

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Optimize every function."""
        trace = Trace() if trace is None else trace
        return map_functions(module, lambda function: _optimized(function, trace))


def _optimized(function: relax.Function, trace: Trace) -> relax.Function:
    while True:
        function = Transposes.merge(function, trace)
        found = _Search(function, trace).found
        moved = next(_improvements(function, found), None)
        if moved is None:
            for region in found:
                trace.decline(NO_GAIN, region.nodes)
            return function
        function, nodes = moved
        for fired in nodes:
            trace.fire(fired)


def _improvements(
    function: relax.Function, found: Sequence[Found]
) -> Iterator[tuple[relax.Function, list[Nodes]]]:
    """Yield the function with all calls moved; if that saves nothing, with those of one region.

    What a region saves is an estimate: it cannot know which transposes have to stay because each
    graph output is a tensor of its own.
    """
    now = _transposed(function)
    for chosen in [found, *([one] for one in found)]:
        moves = {var: moved for region in chosen for var, moved in region.moves.items()}
        if moves:
            # What meets its inverse now belongs to the move.
            after = Transposes.merge(move_calls(function, moves), Trace())
            if _transposed(after) < now:
                yield after, [region.nodes for region in chosen]


def _transposed(function: relax.Function) -> int:
    """Return what all transposes of a function cost."""
    flow = Dataflow.of(function)
    calls = (flow.values[var] for var in flow.calls(PERMUTE))
    return sum(
        cost(permutation_of(call), shape)
        for call in calls
        if (shape := shape_of(call.args[0])) is not None
    )


@dataclass(frozen=True)
class Found:
    """Calls that are to move, and the ONNX nodes that they and the transposes around compute."""

    moves: Mapping[Var, Moved]
    nodes: Nodes


class _Search:
    """Looks around all transposes of a function.

    Attributes:
        found: Regions where moving calls seems to save transposes; no two touch each other.
    """

    def __init__(self, function: relax.Function, trace: Trace) -> None:
        self.found: list[Found] = []
        self._flow = Dataflow.of(function)
        self._trace = trace
        self._left = math.inf if trace.limit is None else trace.limit - len(trace.fired)
        self._transposes = set(self._flow.calls(PERMUTE))
        self._touched: set[Var] = set()
        self._seen: set[tuple[Var, Permutation]] = set()
        for var in self._flow.calls(PERMUTE):
            operand = self._flow.values[var].args[0]
            # `Transposes` has said why it left a transpose of a transpose.
            if shape_of(operand) is not None and operand not in self._transposes:
                self._look_around(var, operand)

    def _look_around(self, var: Var, operand: Expr) -> None:
        value = self._flow.values[var]
        p = permutation_of(value)
        movable = self._consider(var, p)
        if isinstance(operand, Var):
            movable |= self._consider(operand, inverse(p))
        if not is_identity(p) and var not in self._touched:
            self._trace.decline(NO_GAIN if movable else NO_CALL, nodes_of(value))

    def _consider(self, var: Var, layout: Permutation) -> bool:
        """Look at the region around a value; return whether any call can move there."""
        if (var, layout) in self._seen:
            return True
        region = Region(self._flow, var, layout)
        self._seen.update((v, p) for v, p in region.layouts.items() if isinstance(p, tuple))
        saved, moves = region.cheapest()
        touched = self._around(moves)
        if saved > 0 and touched.isdisjoint(self._touched) and len(self.found) < self._left:
            self._touched |= touched
            calls = sorted(touched, key=self._flow.place)
            nodes = dict.fromkeys(n for v in calls for n in nodes_of(self._flow.values[v]))
            self.found.append(Found(moves, tuple(nodes)))
        return bool(region.moves)

    def _around(self, moves: Mapping[Var, Moved]) -> set[Var]:
        """Return these calls, and the transposes that they read or that read them."""
        next_to = {o for moved in moves.values() for o in moved.operands}
        next_to |= {reader for var in moves for reader in self._flow.users(var)}
        return set(moves) | (next_to & self._transposes)
