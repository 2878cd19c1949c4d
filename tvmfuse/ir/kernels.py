"""Modules after lowering: Relax functions call kernels, and know which ONNX nodes each computes."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Mapping, Sequence

import tvm_ffi
from tvm import IRModule, relax, sym, tirx
from tvm.error import InternalError
from tvm.ir import Call, Expr, GlobalVar, Op
from tvm.relax import Var
from tvm.relax.expr_functor import PyExprMutator, mutator
from tvm.s_tir import SBlockRealize
from tvm.tirx import BufferType

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.loops import LOOP, callers
from tvmfuse.ir.provenance import nodes_of, values_of
from tvmfuse.manifest import StoredValue

CALL_TIR = "relax.call_tir"
RESHAPE = "relax.reshape"


def calls_of(function: relax.Function) -> Iterator[tuple[Var, Call, GlobalVar]]:
    """Yield each call of a kernel, or of a group of kernels: its variable, itself, the callee."""
    for var, value in Dataflow.of(function).bindings:
        if (callee := _callee(value)) is not None:
            yield var, value, callee


def _callee(value: Expr) -> GlobalVar | None:
    """Return the kernel, or the group of kernels, that an expression calls."""
    if op_name(value) == CALL_TIR:
        return value.args[0]
    return value.op if isinstance(value, Call) and isinstance(value.op, GlobalVar) else None


def change_calls(
    module: IRModule,
    change: Callable[[Var, Call], Call],
    *,
    where: Container[GlobalVar] | None = None,
) -> IRModule:
    """Change every call of a kernel, in all Relax functions or in those of `where`."""
    return IRModule(
        {
            name: _ChangeCalls(change).visit_expr(function)
            if isinstance(function, relax.Function) and (where is None or name in where)
            else function
            for name, function in module.functions_items()
        },
        attrs=module.attrs,
    )


def call_like(call: Call, **changed: object) -> Call:
    """Return the call with some of `op`, `args`, `attrs`, `ty_args` and `span` changed."""
    parts = {name: getattr(call, name) for name in ("op", "args", "attrs", "ty_args", "span")}
    return Call(**(parts | changed))


def replace_kernels(
    module: IRModule, changed: Mapping[GlobalVar, tuple[tirx.PrimFunc, Sequence[int]]]
) -> IRModule:
    """Put other kernels in the place of some, and let their calls pass fewer operands.

    Args:
        module: Stays as it is.
        changed: For each kernel the new one, and the places of the old one's parameters that it
            takes.
    """
    others = {name: f for name, f in module.functions_items() if name not in changed}
    # The builder makes new names, which know what their kernels take; equal kernels have one.
    builder = relax.BlockBuilder(IRModule(others, attrs=module.attrs))
    named = {
        callee: builder.add_func(kernel, callee.name_hint)
        for callee, (kernel, _) in changed.items()
    }

    def change(_: Var, call: Call) -> Call:
        if op_name(call) != CALL_TIR or call.args[0] not in changed:
            return call
        callee, operands, *rest = call.args
        _, kept = changed[callee]
        fields = [operands.fields[place] for place in kept if place < len(operands.fields)]
        return call_like(call, args=[named[callee], relax.Tuple(fields), *rest])

    return change_calls(builder.get(), change)


def merge_equal_functions(module: IRModule) -> IRModule:
    """Keep one of the kernels and groups that do the same, and let all callers call it."""
    kept: dict[int, list[GlobalVar]] = {}
    same: dict[GlobalVar, GlobalVar] = {}
    calling = set(callers(module))
    for name, function in module.functions_items():
        if name in calling:
            continue
        group = kept.setdefault(tvm_ffi.structural_hash(function), [])
        for other in group:
            if tvm_ffi.structural_equal(module[other], function):
                same[name] = other
                break
        else:
            group.append(name)
    if not same:
        return module
    functions = {n: f for n, f in module.functions_items() if n not in same}
    return change_calls(
        IRModule(functions, attrs=module.attrs), lambda _, call: _redirected(call, same)
    )


def _redirected(call: Call, same: Mapping[GlobalVar, GlobalVar]) -> Call:
    if isinstance(call.op, Op):
        callee, *rest = call.args
        return call_like(call, args=[same.get(callee, callee), *rest])
    return call_like(call, op=same.get(call.op, call.op))


def kernel_calls(module: IRModule) -> list[tuple[str, tuple[str, ...]]]:
    """List what one run of `main` launches: kernels in order, with the ONNX nodes they compute."""
    return [(callee.name_hint, nodes_of(call)) for call, callee, _ in launches(module)]


def values_of_launches(module: IRModule) -> list[tuple[StoredValue, ...]]:
    """List the ONNX values that each launch's results are proven to be."""
    return [values_of(call) for call, _, _ in launches(module)]


def launches(module: IRModule) -> Iterator[tuple[Call, GlobalVar, relax.Function]]:
    """Yield what one run of `main` launches: the call, the kernel, and the function of the call.

    A group that no pass made one kernel of launches all of its kernels, and a loop those of one
    iteration. A reshape is no launch: it becomes a view of its operand's memory. That is seen of
    kernels that are not scheduled yet: of others, a fusion that ends in one looks the same.
    """
    functions = dict(module.functions_items())
    kernels = {
        name for name, f in functions.items() if isinstance(f, tirx.PrimFunc) and not is_reshape(f)
    }

    def within(function: relax.Function) -> Iterator[tuple[Call, GlobalVar, relax.Function]]:
        for _, value in Dataflow.of(function).bindings:
            callee = value.args[0] if op_name(value) == LOOP else _callee(value)
            if callee in kernels:
                yield value, callee, function
            elif isinstance(called := functions.get(callee), relax.Function):
                yield from within(called)

    return within(module["main"])


def is_reshape(kernel: tirx.PrimFunc) -> bool:
    """Whether a kernel only gives its operand another shape."""
    if is_relax_reshape(kernel):
        return True
    try:
        # Of a slice that begins with the first element, it is true, too.
        return bool(relax.analysis.has_reshape_pattern(kernel)) and _keeps_all(kernel)
    except InternalError:
        # Of indices such as ``(i * 9 + j) // 8``, TVM's analysis fails where it finds no answer.
        return False


def _keeps_all(kernel: tirx.PrimFunc) -> bool:
    """Whether a kernel's operand, and no more than that one, has as many elements as its result."""
    shapes = [param.ty.shape for param in kernel.params if isinstance(param.ty, BufferType)]
    if len(shapes) != 2:
        return False
    operand, result = (math.prod(shape, start=tirx.const(1, "int64")) for shape in shapes)
    return bool(sym.Analyzer().can_prove_equal(operand, result))


def is_relax_reshape(kernel: tirx.PrimFunc) -> bool:
    """Whether a kernel is what `relax.reshape` is lowered to, by the name of its only block.

    TVM's analysis proves nothing of shapes that are equal by a constraint on what is fed alone, as
    `h` and ``h // 4 * 4`` are.
    """
    body = kernel.body
    if not isinstance(body, SBlockRealize) or body.block.alloc_buffers:
        return False
    nest = body.block.body
    while isinstance(nest, tirx.For):
        nest = nest.body
    return isinstance(nest, SBlockRealize) and nest.block.name_hint == "T_reshape"


@mutator
class _ChangeCalls(PyExprMutator):
    def __init__(self, change: Callable[[Var, Call], Call]) -> None:
        super().__init__()
        self.change = change

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        if _callee(binding.value) is not None:
            binding = relax.VarBinding(binding.var, self.change(binding.var, binding.value))
        super().visit_var_binding_(binding)
