"""Registering a Relax operator from Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tvm import relax
from tvm.ir import Call, Expr, Op, Type, _ffi_api as ir_ffi, register_op_attr

InferType = Callable[[Call], Type]
Legalize = Callable[[relax.BlockBuilder, Call], Expr]


def define(name: str, *, infer: InferType, legalize: Legalize, doc: str) -> Op:
    """Register a pure operator with its type inference and its lowering to one kernel."""
    ir_ffi.RegisterOp(name, doc)
    register_op_attr(name, "FInferType", lambda call, _: infer(call))
    register_op_attr(name, "FLegalize", legalize)
    register_op_attr(name, "FPurity", True)  # noqa: FBT003
    register_op_attr(name, "TScriptPrinterName", name)
    return Op.get(name)


def call(op: Op, args: Sequence[Expr | None], **attrs: Any) -> Call:
    """Build a call; trailing operands that are None are left out."""
    return Call(op, [a for a in args if a is not None], attrs=attrs or None)
