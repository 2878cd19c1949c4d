"""A group of kernels becomes one kernel."""

from __future__ import annotations

from collections.abc import Collection

import tvm
from tvm import IRModule, relax
from tvm.ir import Call, Expr, GlobalVar, Span, Type
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
        known: list[tuple[Span | None, Type]] = []
        late: set[Var] = set()
        for var, call, _ in calls_of(module["main"]):
            known.append((call.span, call.ty))
            if isinstance(call.op, GlobalVar) and trace.exhausted:
                late.add(var)
            elif isinstance(call.op, GlobalVar):
                trace.fire(nodes_of(call))
        module = _without_known_sizes(_kept_as_groups(module, late))

        # TVM's pass ends with this one, which drops each `match_cast` between two symbols.
        with tvm.transform.PassContext(opt_level=3, disabled_pass=["CanonicalizeBindings"]):
            fused = relax.transform.FuseTIR()(module)
        # By their order: TVM gives several variables one name.
        after = [var for var, _, _ in calls_of(fused["main"])]
        before = dict(zip(after, known, strict=True))

        def named(var: Var, call: Call) -> Call:
            span, ty = before[var]
            return call_like(call, span=span, ty_args=[ty] if call.ty_args else [])

        return merge_equal_functions(change_calls(fused, named, where="main"))


def _without_known_sizes(module: IRModule) -> IRModule:
    """Let no group be told a size that its result has: a kernel reads it there.

    TVM's pass fails where a group takes it and another number, too, by defining it twice. The
    calls forget their types, as sizes that nobody tells are none of the caller's.
    """
    told = {
        name: function
        for name, function in module.functions_items()
        if isinstance(function, relax.Function) and _sizes(function)
    }
    if not told:
        return module
    others = {n: f for n, f in module.functions_items() if n not in told}
    builder = relax.BlockBuilder(IRModule(others, attrs=module.attrs))
    groups = {
        name: builder.add_func(
            relax.Function(
                group.params[:-1],
                *(group.body, group.ret_ty, group.is_pure, group.attrs, group.span),
            ),
            name.name_hint,
        )
        for name, group in told.items()
    }

    def untold(_: Var, call: Call) -> Call:
        if call.op not in groups:
            return call
        return call_like(call, op=groups[call.op], args=call.args[:-1])

    return change_calls(builder.get(), untold, where="main")


def _sizes(group: relax.Function) -> list[Expr]:
    """Return the sizes that a group is told, if its results have all of them."""
    told = group.params[-1].ty if "Primitive" in group.attrs and group.params else None
    if not isinstance(told, relax.ShapeType):
        return []
    results = group.ret_ty.fields if isinstance(group.ret_ty, relax.TupleType) else [group.ret_ty]
    known = [dim for result in results for dim in result.shape.values]
    sizes = list(told.values)
    return sizes if all(any(size.same_as(dim) for dim in known) for size in sizes) else []


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
