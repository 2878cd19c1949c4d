"""The symbolic sizes of kernels: one variable for each, whatever tensor has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import tvm_ffi
from tvm import IRModule, relax, tirx
from tvm.ir import Call, Expr, GlobalVar
from tvm.tirx import BufferType

from tvmfuse.ir.kernels import calls_of, replace_kernels
from tvmfuse.ir.loops import callers

Renamed: TypeAlias = dict[tirx.Var, tirx.Var]
"""Variables of a kernel, and those that stand for them."""


def with_one_variable_a_size(module: IRModule) -> IRModule:
    """Let kernels know that their operands and results have sizes in common.

    TVM's `call_te` renames the variables of the operands, and not those of the result::

        relu(x: (n_1, 16, h_1 // 2), h_1, h, y: (n, 16, h // 2))    # called with (x, h, h)
        relu(x: (n, 16, h // 2), h, y: (n, 16, h // 2))             # called with (x, h)

    So loops over them can be one, and their addresses are compared. Kernels that differ by the
    order of their sizes alone are the same then. A kernel that calls feed differently stays as it
    is.
    """
    same: dict[GlobalVar, Renamed] = {}
    for caller in callers(module):
        for _, call, callee in calls_of(module[caller]):
            if isinstance(kernel := module[callee], tirx.PrimFunc):
                found = _same(_sizes(kernel, call))
                same[callee] = found if same.get(callee, found) == found else {}
    changed = {
        callee: (_merged(module[callee], found, places), places)
        for callee, found in same.items()
        if (places := _kept(module[callee], found)) != [*range(len(module[callee].params))] or found
    }
    return replace_kernels(module, changed)


def _sizes(kernel: tirx.PrimFunc, call: Call) -> Iterator[tuple[tirx.Var, Expr]]:
    """Yield each variable that is a size, and what it is at a call."""
    (result,) = call.ty_args
    results = list(result.fields) if isinstance(result, relax.TupleType) else [result]
    operands = list(call.args[1].fields)
    types = [*(operand.ty for operand in operands), *results]
    for place, (param, ty) in enumerate(zip(kernel.params, types, strict=True)):
        if not isinstance(ty, relax.TensorType):
            yield param, operands[place]
        elif isinstance(ty.shape, relax.ShapeExpr):
            for size, value in zip(param.shape, ty.shape.values, strict=True):
                if isinstance(size, tirx.Var):
                    yield size, value


def _same(sizes: Iterable[tuple[tirx.Var, Expr]]) -> Renamed:
    """Return variables, and the first one that is always as large."""
    known: dict[tirx.Var, Expr] = {}
    for var, value in sizes:
        known.setdefault(var, value)
    found = {}
    for var, value in known.items():
        first = next(v for v, other in known.items() if tvm_ffi.structural_equal(value, other))
        if first is not var:
            found[var] = first
    return found


def _kept(kernel: tirx.PrimFunc, same: Renamed) -> list[int]:
    """Return the places of the parameters that are left, sizes in the order of their uses."""
    used = [
        same.get(var, var)
        for tensor in kernel.params
        if _is_tensor(tensor)
        for size in tensor.shape
        for var in tirx.analysis.undefined_vars(size)
    ]
    places = {p: i for i, p in enumerate(kernel.params) if not _is_tensor(p) and p not in same}
    left = iter([places[var] for var in dict.fromkeys([*used, *places]) if var in places])
    return [
        next(left) if param in places else place
        for place, param in enumerate(kernel.params)
        if param in places or _is_tensor(param)
    ]


def _is_tensor(param: tirx.Var) -> bool:
    return isinstance(param.ty, BufferType)


def _merged(kernel: tirx.PrimFunc, same: Renamed, kept: Sequence[int]) -> tirx.PrimFunc:
    renamed = tvm_ffi.structural_map(kernel, (tirx.Var, lambda var: same.get(var, var)))
    params = [renamed.params[place] for place in kept]
    return tirx.PrimFunc(params, renamed.body, renamed.ret_type, renamed.attrs, renamed.span)
