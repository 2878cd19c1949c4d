"""Transposes cancel, or move to where fewer elements are transposed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from tvm import IRModule, relax
from tvm.ir import Expr
from tvm.relax import Var

from tvmfuse.passes.dataflow import Dataflow
from tvmfuse.passes.facts import shape_of
from tvmfuse.passes.permutation import PERMUTE, Permutation, inverse, is_identity, permutation_of
from tvmfuse.passes.rewrite import map_functions
from tvmfuse.passes.trace import Trace
from tvmfuse.passes.transpose_apply import move_calls
from tvmfuse.passes.transpose_chains import Transposes
from tvmfuse.passes.transpose_region import Moved, Region, parts
from tvmfuse.provenance import nodes_of

NO_CALL: Final = "a call next to it works along renamed axes"
NO_GAIN: Final = "moving calls across it saves transposes"


class TransposeOptimizer:
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

    name: ClassVar[str] = "TransposeOptimizer"
    aliases: ClassVar[tuple[str, ...]] = ("Transpose Optimizer", "Transpose Optimization")
    default: ClassVar[bool] = True

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Optimize every function."""
        trace = Trace() if trace is None else trace
        return map_functions(module, lambda function: _optimized(function, trace))


def _optimized(function: relax.Function, trace: Trace) -> relax.Function:
    while True:
        function = Transposes.merge(function, trace)
        moves = _Search(function, trace).moves
        if not moves:
            return function
        # What meets its inverse now belongs to the move.
        function = Transposes.merge(move_calls(function, moves), Trace())


class _Search:
    """Finds the calls that are to move, around all transposes of a function.

    Attributes:
        moves: Those that save transposes.
    """

    def __init__(self, function: relax.Function, trace: Trace) -> None:
        self.moves: dict[Var, Moved] = {}
        self._flow = Dataflow.of(function)
        self._trace = trace
        self._transposes = set(self._flow.calls(PERMUTE))
        self._touched: set[Var] = set()
        self._seen: set[tuple[Var, Permutation]] = set()
        for var in self._flow.calls(PERMUTE):
            if trace.exhausted:
                return
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
        if saved > 0 and touched.isdisjoint(self._touched):
            self._touched |= touched
            self.moves |= moves
            calls = sorted(touched, key=self._flow.place)
            self._trace.fire(dict.fromkeys(n for v in calls for n in nodes_of(self._flow.values[v])))
        return bool(region.moves)

    def _around(self, moves: Mapping[Var, Moved]) -> set[Var]:
        """Return these calls, and the transposes that they read or that read them."""
        next_to = {o for var in moves for o in parts(self._flow.values[var])}
        next_to |= {reader for var in moves for reader in self._flow.read_by(var)}
        return set(moves) | (next_to & self._transposes)
