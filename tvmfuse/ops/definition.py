"""Registering a Relax operator from Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from tvm.ir import Call, Expr, Op, Type, register_op_attr

from tvmfuse._tvm import register_operator
from tvmfuse.ops.lowering.half import Legalize, in_float32
from tvmfuse.ops.traits import Traits, declare

#: TVM's OpPatternKind of kernels that elementwise operators may be fused behind, and of those that
#: `FuseOps` never fuses.
OUT_ELEMWISE_FUSABLE: Final = 4
OPAQUE: Final = 8

InferType = Callable[[Call], Type]


def define(
    name: str,
    *,
    traits: Traits,
    infer: InferType,
    legalize: Legalize | None = None,
    computes: bool = True,
    doc: str,
) -> Op:
    """Register a pure operator with its traits, its type inference and its lowering to one kernel.

    Args:
        name: Begins with ``tvmfuse.``.
        traits: What passes may know of it.
        infer: Gives the type of a call.
        legalize: None where no kernel computes it.
        computes: Whether its kernel in float16 or bfloat16 computes in float32 and rounds its
            result. Otherwise it only moves elements.
        doc: What it is, in a sentence.
    """
    declare(name, traits)
    register_operator(name, doc)
    register_op_attr(name, "FInferType", lambda call, _: infer(call))
    if legalize is not None:
        register_op_attr(name, "FLegalize", in_float32(legalize) if computes else legalize)
    register_op_attr(name, "FPurity", True)  # noqa: FBT003
    register_op_attr(name, "TScriptPrinterName", name)
    return Op.get(name)


def call(op: Op, args: Sequence[Expr | None], **attrs: Any) -> Call:
    """Build a call; trailing operands that are None are left out."""
    return Call(op, [a for a in args if a is not None], attrs=attrs or None)
