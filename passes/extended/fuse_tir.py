"""A group of kernels becomes one kernel."""

from __future__ import annotations

from collections.abc import Collection

import tvm
from tvm import IRModule, relax
from tvm.ir import GlobalVar, Span
from tvm.relax import Var

from tvmfuse.ir.kernels import call_like, calls_of, change_calls, merge_equal_functions
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.passes.contract import KERNELS, GraphPass
from tvmfuse.passes.trace import Trace


class FuseTIR(GraphPass):
    """Make one loop nest of each group that `FuseOps` formed.

    Before::

        z = group(x, W)          # group: y = call_tir(conv, x, W); call_tir(relu, y)

    After::

        z = call_tir(conv_relu, x, W)

    Pays because a value that one kernel makes and the next reads stays in registers or cache.
    Source: TVM's pass of this name.
    """

    name = "FuseTIR"
    aliases = ("FuseTIRFunctions",)
    works_on = KERNELS

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module with each group one kernel; each call of a group is one rewrite."""
        trace = Trace() if trace is None else trace
        spans: list[Span | None] = []
        late: set[Var] = set()
        for var, call, _ in calls_of(module["main"]):
            spans.append(call.span)
            if isinstance(call.op, GlobalVar) and trace.exhausted:
                late.add(var)
            elif isinstance(call.op, GlobalVar):
                trace.fire(nodes_of(call))
        module = _kept_as_groups(module, late)

        # TVM's pass ends with this one, which drops each `match_cast` between two symbols.
        with tvm.transform.PassContext(opt_level=3, disabled_pass=["CanonicalizeBindings"]):
            fused = relax.transform.FuseTIR()(module)
        # By their order: TVM gives several variables one name.
        after = [var for var, _, _ in calls_of(fused["main"])]
        named = dict(zip(after, spans, strict=True))
        fused = change_calls(fused, lambda v, c: call_like(c, span=named[v]), where="main")
        return merge_equal_functions(fused)


def _kept_as_groups(module: IRModule, calls: Collection[Var]) -> IRModule:
    """Let these calls of groups call copies of them that TVM's pass does not know as groups."""
    if not calls:
        return module
    builder = relax.BlockBuilder(module)
    copies = {
        group: builder.add_func(module[group].without_attr("Primitive"), group.name_hint)
        for group in dict.fromkeys(c.op for v, c, _ in calls_of(module["main"]) if v in calls)
    }
    return change_calls(
        builder.get(),
        lambda var, call: call_like(call, op=copies[call.op]) if var in calls else call,
        where="main",
    )
