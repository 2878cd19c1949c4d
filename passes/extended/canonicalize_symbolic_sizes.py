"""A kernel has the sizes of its own tensors, and not those of the model's inputs."""

from __future__ import annotations

from tvm import IRModule
from tvm.ir import GlobalVar
from tvm.tirx import PrimFunc

from tvmfuse.ir.kernels import calls_of, replace_kernels
from tvmfuse.ir.loops import callers
from tvmfuse.ir.own_sizes import told_sizes, with_own_sizes
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.passes.contract import KERNELS, GraphPass
from tvmfuse.passes.trace import Trace


class CanonicalizeSymbolicSizes(GraphPass):
    """Give each symbolic size of a kernel a variable that its tensors tell.

    Before::

        y = call_tir(conv, x, W, h)    # x and y have (h - 1) // 8 + 1 lines

    After::

        y = call_tir(conv, x, W)       # x and y have p lines

    Pays because addresses are simpler, a call passes less, and what is done at different depths of
    a network is one kernel.
    """

    name = "CanonicalizeSymbolicSizes"
    aliases = ("SymbolicShapeCanonicalization",)
    works_on = KERNELS

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module with such kernels; each one of them is one rewrite."""
        trace = Trace() if trace is None else trace
        changed: dict[GlobalVar, tuple[PrimFunc, list[int]]] = {}
        seen = set[GlobalVar]()
        for caller in callers(module):
            for _, call, callee in calls_of(module[caller]):
                kernel = module[callee]
                if callee in seen or not isinstance(kernel, PrimFunc) or not told_sizes(kernel):
                    continue
                seen.add(callee)
                trace.at = nodes_of(call)
                after = with_own_sizes(kernel)
                if len(after.params) == len(kernel.params):
                    trace.decline("its tensors do not tell the sizes that it is told", trace.at)
                elif not trace.exhausted:
                    trace.fire(trace.at)
                    changed[callee] = after, _kept(kernel, after)
        return replace_kernels(module, changed) if changed else module


def _kept(before: PrimFunc, after: PrimFunc) -> list[int]:
    """Return the places of the parameters that are left; a size that is told stays what it is."""
    gone = {*told_sizes(before)}.difference(after.params)
    return [place for place, param in enumerate(before.params) if param not in gone]
