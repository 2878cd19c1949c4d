"""What a module's tensors take, and what folding is going to compute of constants."""

from __future__ import annotations

from collections.abc import Iterator

import tvm_ffi
from tvm import relax, tirx
from tvm.ir import Call, Expr, GenericConst, Op, Tuple, TupleGetItem, Type

from tvmfuse.frontend.gate import Gate
from tvmfuse.frontend.symbols import Dim, as_dim
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.ir.types import static_shape_of
from tvmfuse.ops.traits import traits_of


def ask_for_type(gate: Gate, who: str, ty: Type) -> None:
    """Ask for a tensor of this type, or for a tuple of them."""
    for dims, bits in _tensors(ty):
        gate.tensor(who, dims, bits)


def ask_for_function(gate: Gate, function: relax.Function) -> None:
    """Ask for every tensor of a function, and for all that follows from constants alone.

    Raises:
        LimitExceededError: It is more than the limits admit.
    """
    constants: set[relax.Var] = set()
    for binding in _bindings(function.body):
        value, ty = binding.value, binding.var.ty
        who = _who(binding)
        if _follows(value, constants):
            constants.add(binding.var)
            for place, (dims, bits) in enumerate(_tensors(ty)):
                gate.constant(who, dims, bits, key=f"{who} {binding.var.name} {place}")
        else:
            ask_for_type(gate, who, ty)


def _bindings(body: Expr) -> Iterator[relax.Binding]:
    for block in body.blocks if isinstance(body, relax.SeqExpr) else ():
        for binding in block.bindings:
            if isinstance(binding.value, relax.If):
                yield from _bindings(binding.value.true_branch)
                yield from _bindings(binding.value.false_branch)
            yield binding


def _follows(expr: Expr, constants: set[relax.Var]) -> bool:
    """Whether an expression is a computation of constants; a constant as such is there already."""
    if isinstance(expr, TupleGetItem):
        return False  # its tuple is asked for as a whole
    if not isinstance(expr, Call) or not isinstance(expr.op, Op) or traits_of(expr).random:
        return False
    if traits_of(expr).reads_type and static_shape_of(expr.args[0]) is not None:
        return True
    return all(_is_constant(arg, constants) for arg in expr.args)


def _is_constant(expr: Expr, constants: set[relax.Var]) -> bool:
    if isinstance(expr, Tuple):
        return all(_is_constant(field, constants) for field in expr.fields)
    if isinstance(expr, TupleGetItem):
        return _is_constant(expr.tuple_value, constants)
    if isinstance(expr, relax.ShapeExpr):
        return all(isinstance(d, tirx.IntImm) for d in expr.values)
    if isinstance(expr, Call):
        return _follows(expr, constants)
    return isinstance(expr, GenericConst | tirx.IntImm | tirx.FloatImm) or expr in constants


def _tensors(ty: Type) -> Iterator[tuple[list[Dim], int]]:
    if isinstance(ty, relax.TupleType):
        for field in ty.fields:
            yield from _tensors(field)
    elif isinstance(ty, relax.TensorType) and isinstance(ty.shape, relax.ShapeExpr):
        yield [as_dim(d) for d in ty.shape.values], int(tvm_ffi.dtype(str(ty.dtype)).bits)


def _who(binding: relax.Binding) -> str:
    names = nodes_of(binding.value)
    return f"node {', '.join(map(repr, names))}" if names else f"the value {binding.var.name!r}"
