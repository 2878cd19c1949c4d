"""What is stored between kernels is stored before it is widened."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

import tvm_ffi
from tvm import IRModule, relax
from tvm.ir import Call, Expr, GlobalVar, PrimType
from tvm.relax import DataflowVar, Var, VarBinding
from tvm.relax.expr_functor import PyExprMutator, mutator
from tvm.relax.utils import copy_with_new_vars
from tvm_ffi import structural_equal

from tvmfuse.ir.copies import can_be_copied
from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.kernels import CALL_TIR, call_like, calls_of, merge_equal_functions
from tvmfuse.ir.loops import callers
from tvmfuse.ir.provenance import nodes_of, span_of, values_of
from tvmfuse.ir.types import dtype_of, same_shape, shape_of
from tvmfuse.passes.contract import KERNELS, GraphPass
from tvmfuse.passes.trace import Trace

#: What TVM says of kernels that read an element of each operand for one of the result: of its own
#: place, or of what broadcasts to it.
ELEMENTWISE, BROADCAST = 0, 1

#: Characters of a kernel's name.
LONGEST = 80


class LateWidening(GraphPass):
    """Store a value as it is before a group of kernels widens it, and widen it where it is read.

    Before::

        x = group(a)        # group: q = call_tir(requantize, ...); call_tir(dequantize, q)
        y = other(x, c)     # other: call_tir(add, x, call_tir(conv, c))

    After::

        q = group(a)
        y = other(q, c)     # other: x = call_tir(dequantize, q); call_tir(add, x, ...)

    Pays because one byte is written and read where four were. Two branches of a quantized residual
    network meet so: `FuseOps` takes what follows a product into its group as far as it can.
    """

    name = "LateWidening"
    works_on = KERNELS

    def __init__(self, apart: Collection[tuple[str, ...]] = ()) -> None:
        self.apart = frozenset(apart)

    def keeping_apart(self, groups: Collection[tuple[str, ...]]) -> LateWidening:
        """Return the pass that makes no kernel of these groups of nodes."""
        return LateWidening(groups)

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module with such values narrow; each of them is one rewrite."""
        trace = Trace() if trace is None else trace
        changes: dict[Var, _Change] = {}
        for caller in callers(module):
            flow = Dataflow.of(module[caller])
            for found in _widened(module, flow):
                changed = _with(changes, found)
                if self.apart & {_nodes(module, flow.values[v], c) for v, c in changed.items()}:
                    continue
                if trace.exhausted:
                    break
                trace.fire(nodes_of(found.call))
                changes |= changed
        return _changed(module, changes) if changes else module


@dataclass(frozen=True, eq=False)
class _Widened:
    """What a group gives, and where it is read.

    Attributes:
        var: Bound to the group's call.
        call: Within the group, that of the kernel that widens.
        readers: For each place among the operands of what reads it, what is bound to the call of
            that group, and the kernel's call with the sizes that this group knows.
    """

    var: Var
    call: Call
    readers: tuple[tuple[Var, int, Call], ...]


@dataclass(frozen=True, eq=False)
class _Change:
    """How one call's group is to be another.

    Attributes:
        widens: By the places of its operands, the calls that widen them.
        ends_early: Whether it gives what its last kernel would have widened.
    """

    widens: Mapping[int, Call] = field(default_factory=dict)
    ends_early: bool = False


def _with(changes: Mapping[Var, _Change], found: _Widened) -> dict[Var, _Change]:
    """Return what one more narrow value changes, beside what is changed already."""
    before = changes.get(found.var, _Change())
    changed = {found.var: replace(before, ends_early=True)}
    for reader, place, call in found.readers:
        before = changed.get(reader) or changes.get(reader, _Change())
        changed[reader] = replace(before, widens={**before.widens, place: call})
    return changed


def _nodes(module: IRModule, call: Call, change: _Change) -> tuple[str, ...]:
    """Return the nodes that a changed group computes."""
    inside = [call for _, call, _ in calls_of(module[call.op])]
    kept = inside[:-1] if change.ends_early else inside
    found = [node for value in (*change.widens.values(), *kept) for node in nodes_of(value)]
    return tuple(dict.fromkeys(found))


def _widened(module: IRModule, flow: Dataflow) -> Iterator[_Widened]:
    for var, value in flow.bindings:
        call = _last(module, value)
        readers = None if call is None else _readers(module, flow, var, call)
        if readers:
            yield _Widened(var, call, readers)


def _readers(
    module: IRModule, flow: Dataflow, var: Var, call: Call
) -> tuple[tuple[Var, int, Call], ...] | None:
    """Return where a value is read; None where one of the readers cannot widen it."""
    found = list[tuple[Var, int, Call]]()
    for user in flow.users(var):
        reader = None if user is None else flow.values[user]
        if reader is None or _group(module, reader) is None:
            return None
        own = _told_alike(module, flow.values[var], reader, call)
        for place, arg in enumerate(reader.args):
            if arg.same_as(var):
                if own is None or not _may_widen(module, reader, place):
                    return None
                found.append((user, place, own))
    return tuple(found)


def _told_alike(module: IRModule, giver: Call, reader: Call, call: Call) -> Call | None:
    """Return a kernel's call with the sizes that another group is told; None where it is not."""
    given, known = _told(module, giver), _told(module, reader)
    sizes = list[Expr]()
    for size in _sizes(call):
        same = (s for s, value in known.items() if structural_equal(value, given.get(size)))
        own = next(same, None)
        if own is None:
            return None
        sizes.append(own)
    return call_like(call, args=[call.args[0], relax.Tuple([*_tensors(call), *sizes])])


def _told(module: IRModule, value: Call) -> dict[Expr, Expr]:
    """Return what each size that a group knows is where it is called."""
    found = dict[Expr, Expr]()
    for param, arg in zip(module[value.op].params, value.args, strict=True):
        if isinstance(param.ty, PrimType):
            found[param] = arg
        elif isinstance(param.ty, relax.ShapeType):
            found |= dict(zip(param.ty.values, arg.values, strict=True))
        else:
            found |= dict(zip(shape_of(param) or (), shape_of(arg) or (), strict=True))
    return found


def _group(module: IRModule, value: Expr) -> relax.Function | None:
    """Return the group that an expression calls, if that is one of kernels and nothing else."""
    if not isinstance(value, Call) or not isinstance(value.op, GlobalVar):
        return None
    group = module[value.op]
    if not isinstance(group, relax.Function) or "Primitive" not in (group.attrs or {}):
        return None
    plain = all(
        op_name(value) == CALL_TIR and len(value.args) == 2
        for _, value in Dataflow.of(group).bindings
    )
    return group if plain and len(group.body.blocks) == 1 and can_be_copied(group) else None


def _last(module: IRModule, value: Expr) -> Call | None:
    """Return the call of the kernel that ends a group by widening what it computed before."""
    group = _group(module, value)
    if group is None or not isinstance(group.body.body, Var):
        return None
    flow = Dataflow.of(group)
    call = flow.values.get(group.body.body)
    if call is None or len(_tensors(call)) != 1 or _pattern(module, call) != ELEMENTWISE:
        return None
    (narrow,) = _tensors(call)
    if narrow not in flow.values or flow.num_uses(narrow) != 1:
        return None
    widens = same_shape(narrow, call) and _bits(narrow) < _bits(call)
    return call if widens else None


def _may_widen(module: IRModule, value: Expr, place: int) -> bool:
    """Return whether a group reads an operand element by element, each of them once."""
    group = _group(module, value)
    if group is None:
        return False
    param, flow = group.params[place], Dataflow.of(group)
    reads = [flow.values[user] for user in flow.users(param) if user is not None]
    return len(reads) == len(flow.users(param)) and all(
        _pattern(module, read) <= BROADCAST and same_shape(read, param) for read in reads
    )


def _tensors(call: Call) -> list[Expr]:
    return [x for x in call.args[1].fields if isinstance(x.ty, relax.TensorType)]


def _sizes(call: Call) -> list[Expr]:
    """Return what a kernel is told beside tensors."""
    return [x for x in call.args[1].fields if not isinstance(x.ty, relax.TensorType)]


def _bits(tensor: Expr) -> int:
    return int(tvm_ffi.dtype(dtype_of(tensor)).bits)


def _pattern(module: IRModule, call: Call) -> int:
    return int(module[call.args[0]].attrs["op_pattern"])


def _changed(module: IRModule, changes: Mapping[Var, _Change]) -> IRModule:
    builder, calls = relax.BlockBuilder(module), dict[Var, Call]()
    for caller in callers(module):
        for var, call, name in calls_of(module[caller]):
            if var in changes:
                change, group = changes[var], module[name]
                other = builder.add_func(_other(group, change), _name(group, change))
                given = _narrow(group) if change.ends_early else call
                span = span_of(_nodes(module, call, change), values_of(given))
                calls[var] = call_like(call, op=other, span=span)
    made = builder.get()
    called = {
        caller: _Calls(made, calls, changes).visit_expr(made[caller]) for caller in callers(made)
    }
    return merge_equal_functions(IRModule({**made.functions, **called}, made.attrs))


def _name(group: relax.Function, change: _Change) -> str:
    """Return the name of a changed group: those of its kernels, as `FuseOps` puts them together."""
    inside = [kernel for _, _, kernel in calls_of(group)]
    kept = inside[:-1] if change.ends_early else inside
    kernels = [*(call.args[0] for call in change.widens.values()), *kept]
    return "_".join(["fused", *(kernel.name_hint for kernel in kernels)])[:LONGEST]


def _narrow(group: relax.Function) -> Expr:
    """Return what computes the operand of a group's last kernel."""
    flow = Dataflow.of(group)
    (narrow,) = _tensors(flow.values[group.body.body])
    return flow.values[narrow]


@mutator
class _Calls(PyExprMutator):
    """Puts other calls in the place of some, of which those that end early give narrower values."""

    def __init__(
        self, module: IRModule, calls: Mapping[Var, Call], changes: Mapping[Var, _Change]
    ) -> None:
        super().__init__(module)
        self.calls, self.changes = calls, changes

    def visit_var_binding_(self, binding: VarBinding) -> None:
        var, call = binding.var, self.calls.get(binding.var)
        if call is None:
            super().visit_var_binding_(binding)
            return
        call = call_like(call, args=[self.visit_expr(arg) for arg in call.args])
        if self.changes[var].ends_early:
            self.set_var_remap(var, self.builder_.emit(call, var.name))
        else:
            super().visit_var_binding_(VarBinding(var, call))


def _other(group: relax.Function, change: _Change) -> relax.Function:
    """Return a group that reads some operands before they are widened, or gives such a result."""
    params, read, bindings = [*group.params], dict[Expr, Var](), list[VarBinding]()
    for place, call in change.widens.items():
        kernel, (narrow,) = call.args[0], _tensors(call)
        wide = params[place]
        params[place] = Var(wide.name, relax.TensorType(wide.ty.shape, dtype_of(narrow)))
        read[wide] = DataflowVar(f"{wide.name}_wide", wide.ty)
        args = [kernel, relax.Tuple([params[place], *_sizes(call)])]
        bindings.append(VarBinding(read[wide], call_like(call, args=args, ty_args=[wide.ty])))
    (block,) = group.body.blocks
    kept, result = [*block.bindings], group.body.body
    if change.ends_early:
        (narrow,) = _tensors(kept.pop().value)
        read[narrow] = result = Var(narrow.name, narrow.ty)
    for binding in kept:
        callee, operands = binding.value.args
        fields = [read.get(field, field) for field in operands.fields]
        value = call_like(binding.value, args=[callee, relax.Tuple(fields)])
        bindings.append(VarBinding(read.get(binding.var, binding.var), value))
    body = relax.SeqExpr([relax.DataflowBlock(bindings)], result)
    other = relax.Function(params, body, result.ty, group.is_pure, group.attrs)
    return copy_with_new_vars(other)
