"""Each kernel of a model, its counted work beside its useful work."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import onnx
from counted_work import UncountableError, counted_work
from tvm import IRModule, relax
from tvm.ir import Call, Op
from tvm.relax.expr_functor import PyExprMutator, mutator
from tvm.target import Target
from useful_work import useful_work

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import with_nodes
from tvmfuse.passes.catalogue import PIPELINE
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import LOWERING, Optimizer
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import Machine

_LOWERING = [phase.name for phase in PIPELINE].index(LOWERING)

#: How much more than its useful work a kernel may do: blocks of channels, vectors and tiles that
#: are not full, the edges of a padded image.
MOST = 4


@dataclass(frozen=True)
class Weighed:
    """One launch.

    Attributes:
        kernel: Its name.
        operators: What it computes.
        counted: Operations of its loops; None where they do not say.
        useful: Operations of its operators.
    """

    kernel: str
    operators: tuple[str, ...]
    counted: int | None
    useful: int

    @property
    def ratio(self) -> float:
        """How much more it does than it has to; 0 where that is not known."""
        return (self.counted or 0) / max(self.useful, 1)


def weighed(
    model: str | os.PathLike[str] | onnx.ModelProto,
    target: Target,
    level: str = "all",
    dims: Mapping[str, int] | None = None,
) -> list[Weighed]:
    """Weigh every launch of a model, compiled for a target; nothing is run.

    Args:
        model: What is weighed.
        target: What it is scheduled for, which need not be here.
        level: Of the passes.
        dims: Numbers for all of its symbolic dimensions.
    """
    selection = Selection.of(level)
    optimizer = Optimizer(selection, target=target)
    operators = optimizer.run_on_operators(import_model(model, dims=dims).module)
    return list(weighed_operators(operators, target, selection))


def weighed_operators(
    operators: IRModule, target: Target, selection: Selection
) -> Iterator[Weighed]:
    """Yield every launch of a module of operators."""
    tagger = _Tagger()
    module = map_functions(operators, tagger.visit_expr)
    machine = Machine.of(target)
    for phase in PIPELINE[_LOWERING:]:
        for entry in phase.passes:
            if entry.required or selection.runs(phase.tier, entry):
                module = entry.configured(machine)(module)
    kernels = schedule(module, target).module
    counts: dict[str, int | None] = {}
    for symbol, tags in kernel_calls(kernels):
        if symbol not in counts:
            try:
                counts[symbol] = counted_work(kernels[symbol])
            except UncountableError:
                counts[symbol] = None
        calls = [tagger.calls[tag] for tag in tags]
        names = tuple(str(call.op.name) for call in calls)
        yield Weighed(symbol, names, counts[symbol], sum(map(useful_work, calls)))


@mutator
class _Tagger(PyExprMutator):
    """Names each operator's call by a number of its own, as if that were its ONNX node.

    Names come through lowering and fusion, so that each kernel says which operators it computes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.calls: dict[str, Call] = {}

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        call = binding.value
        if isinstance(call, Call) and isinstance(call.op, Op):
            tag = str(len(self.calls))
            self.calls[tag] = call
            binding = relax.VarBinding(binding.var, with_nodes(call, [tag]))
        super().visit_var_binding_(binding)
