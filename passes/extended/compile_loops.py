"""Loops whose tensors keep their sizes run as one kernel."""

from __future__ import annotations

from tvm import IRModule
from tvm.ir import GlobalVar

from tvmfuse.ir.copies import can_be_copied
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.fixed_loops import COMPILED, KernelSequence, NotFixedError
from tvmfuse.ir.loops import LOOP
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.passes.contract import CPU, KERNELS, GraphPass
from tvmfuse.passes.trace import Trace


class CompileLoops(GraphPass):
    """Run loops in compiled code where the sizes in an iteration are known before they begin.

    Before::

        y = loop(body, x)        # the virtual machine calls each kernel of each iteration

    After::

        y = loop(body, x)        # one kernel calls them, in memory that is allocated once

    Pays because the machine takes longer over a call than a small kernel does.
    """

    name = "CompileLoops"
    aliases = ("LoopCompilation",)
    works_on = KERNELS
    targets = CPU

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module with such loops' bodies marked; each loop is one rewrite."""
        trace = Trace() if trace is None else trace
        compiled: set[GlobalVar] = set()

        copyable = can_be_copied(module["main"])  # for the machine's own loops to be watched

        def visit(caller: GlobalVar) -> None:
            flow = Dataflow.of(module[caller])
            for loop in (flow.values[var] for var in flow.calls(LOOP)):
                body = loop.args[0]
                visit(body)  # a loop can be compiled once those inside are
                trace.at = nodes_of(loop)
                if not copyable:
                    trace.decline("a condition chooses a size of the model", nodes_of(loop))
                    continue
                try:
                    KernelSequence(module[body], compiled)
                except NotFixedError as error:
                    trace.decline(str(error), nodes_of(loop))
                    continue
                if not trace.exhausted:
                    trace.fire(nodes_of(loop))
                    compiled.add(body)

        visit(module.get_global_var("main"))
        marked = {body: module[body].with_attr(COMPILED, 1) for body in compiled}
        return IRModule({**module.functions, **marked}, module.attrs) if marked else module
