"""A group of kernels becomes one kernel."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import tvm
from tvm import IRModule, relax
from tvm.ir import Call, Expr, GlobalVar, PrimType, Span, Type
from tvm.relax import Var
from tvm.relax.analysis import contains_impure_call

from tvmfuse.ir.kernels import call_like, calls_of, change_calls, merge_equal_functions
from tvmfuse.ir.liveness import unused
from tvmfuse.ir.loops import callers, is_body
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.ir.replace import remove
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
        module = _read(module)
        known: list[tuple[Span | None, Type]] = []
        late: set[Var] = set()
        for var, call in _calls(module):
            known.append((call.span, call.ty))
            if isinstance(call.op, GlobalVar) and trace.exhausted:
                late.add(var)
            elif isinstance(call.op, GlobalVar):
                trace.fire(nodes_of(call))
        module = _told_at_once(_kept_as_groups(module, late))
        fused = _fused(module)
        # By their order: TVM gives several variables one name.
        after = [var for var, _ in _calls(fused)]
        before = dict(zip(after, known, strict=True))

        def named(var: Var, call: Call) -> Call:
            span, ty = before[var]
            return call_like(call, span=span, ty_args=[ty] if call.ty_args else [])

        return merge_equal_functions(change_calls(fused, named, where={*callers(fused)}))


def _read(module: IRModule) -> IRModule:
    """Return the module without the bindings that nobody reads: TVM's pass ends with dropping them.

    The calls before it and behind it would not be the same ones.
    """

    def read(function: relax.Function) -> relax.Function:
        return remove(function, unused(function, lambda _, value: not contains_impure_call(value)))

    return IRModule(
        {**module.functions, **{name: read(module[name]) for name in callers(module)}}, module.attrs
    )


def _calls(module: IRModule) -> Iterator[tuple[Var, Call]]:
    """Yield each call of a kernel or of a group that is not inside of a group."""
    for caller in callers(module):
        for var, call, _ in calls_of(module[caller]):
            yield var, call


def _fused(module: IRModule) -> IRModule:
    """Run TVM's pass, which would take parameters of bodies away that only loops know of."""
    names = callers(module)
    public = {n: module[n].with_attr("global_symbol", n.name_hint) for n in names}
    # It ends with this pass, which drops each `match_cast` between two symbols.
    with tvm.transform.PassContext(opt_level=3, disabled_pass=["CanonicalizeBindings"]):
        fused = relax.transform.FuseTIR()(IRModule({**module.functions, **public}, module.attrs))
    private = {n: fused[n].without_attr("global_symbol") for n in names if is_body(fused[n])}
    return IRModule({**fused.functions, **private}, fused.attrs)


def _told_at_once(module: IRModule) -> IRModule:
    """Let a group take the numbers that it reads with the sizes that it is told.

    TVM's pass fails where a group has parameters of both kinds, by defining a size twice.
    """
    mixed = {
        name: function
        for name, function in module.functions_items()
        if isinstance(function, relax.Function) and _takes_both(function)
    }
    if not mixed:
        return module
    others = {name: function for name, function in module.functions_items() if name not in mixed}
    builder = relax.BlockBuilder(IRModule(others, attrs=module.attrs))
    groups = {}
    for name, group in mixed.items():
        tensors, numbers = _parted(group, group.params[:-1])
        told = group.params[-1]
        sizes = Var(told.name, relax.ShapeType([*told.ty.values, *numbers]))
        groups[name] = builder.add_func(
            relax.Function(
                [*tensors, sizes],
                *(group.body, group.ret_ty, group.is_pure, group.attrs, group.span),
            ),
            name.name_hint,
        )

    def told_at_once(_: Var, call: Call) -> Call:
        if call.op not in groups:
            return call
        tensors, numbers = _parted(mixed[call.op], call.args[:-1])
        sizes = relax.ShapeExpr([*call.args[-1].values, *numbers])
        return call_like(call, op=groups[call.op], args=[*tensors, sizes])

    told = builder.get()
    return change_calls(told, told_at_once, where={*callers(told)})


def _takes_both(group: relax.Function) -> bool:
    """Return whether a group takes numbers and is told sizes, too: the last parameter."""
    if "Primitive" not in (group.attrs or {}) or not group.params:
        return False
    told = isinstance(group.params[-1].ty, relax.ShapeType)
    return told and any(isinstance(param.ty, PrimType) for param in group.params)


def _parted(group: relax.Function, values: Sequence[Expr]) -> tuple[list[Expr], list[Expr]]:
    """Return those of the values that are a group's tensors, and those that are its numbers."""
    parted: tuple[list[Expr], list[Expr]] = [], []
    for param, value in zip(group.params, values, strict=False):
        parted[isinstance(param.ty, PrimType)].append(value)
    return parted


def _kept_as_groups(module: IRModule, calls: Collection[Var]) -> IRModule:
    """Let these calls of groups call copies of them that TVM's pass does not know as groups."""
    if not calls:
        return module
    builder = relax.BlockBuilder(module)
    copies = {
        group: builder.add_func(module[group].without_attr("Primitive"), group.name_hint)
        for group in dict.fromkeys(call.op for var, call in _calls(module) if var in calls)
    }
    with_copies = builder.get()
    return change_calls(
        with_copies,
        lambda var, call: call_like(call, op=copies[call.op]) if var in calls else call,
        where={*callers(with_copies)},
    )
