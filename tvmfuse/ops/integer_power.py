"""`tvmfuse.integer_power`: powers of whole numbers, which wrap around where they do not fit."""

from __future__ import annotations

from typing import Final

from tvm import DataType, relax, te, tirx
from tvm.ir import Call, Expr
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.tirx import Buffer, Stmt

from tvmfuse.ir.wrapping import DTYPES, wrapping
from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.traits import Kind, Traits


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    def compute(x: te.Tensor, n: te.Tensor) -> list[te.Tensor]:
        found = te.extern(
            [x.shape, x.shape],
            [x, n],
            lambda ins, outs: _kernel(*ins, *outs),
            dtype=[x.dtype, x.dtype],
            name="integer_power",
        )
        return list(found)

    made = bb.emit(
        bb.call_te(
            compute,
            *node.args,
            primfunc_name_hint="integer_power",
            primfunc_attrs={"op_pattern": OPAQUE},
        )
    )
    return relax.TupleGetItem(made, 0)


def _kernel(x: Buffer, n: Buffer, result: Buffer, work: Buffer) -> Stmt:
    """Return a loop over numbers: bits of the exponent say which squares of the base are factors.

    Args:
        x: Shape (N,).
        n: Shape (N,).
        result: Shape (N,).
        work: Shape (N,): the squares.
    """
    signed = x.dtype.startswith("int")
    zero, one = tirx.const(0, x.dtype), tirx.const(1, x.dtype)
    with IRBuilder() as builder:
        base, exponent, product, square = map(write.buffer_proxy, (x, n, result, work))
        with write.parallel(0, x.shape[0]) as i:
            product[i], square[i] = one, base[i]
            with write.serial(0, DataType(x.dtype).bits - signed) as place:
                bit = (exponent[i] >> place.astype(x.dtype)) & one
                product[i] = _times(product[i], tirx.Select(bit != zero, square[i], one))
                square[i] = _times(square[i], square[i])
            if signed:
                unit = tirx.Or(base[i] == one, base[i] == -one)
                none = tirx.And(exponent[i] < zero, tirx.Not(unit))
                product[i] = tirx.Select(none, zero, product[i])
        return builder.get()


def _times(a: Expr, b: Expr) -> Expr:
    """Return a product that wraps around; TVM takes the wider ones for ones that fit."""
    return wrapping("multiply", a, b) if str(a.ty.dtype) in DTYPES else a * b


INTEGER_POWER: Final = define(
    "tvmfuse.integer_power",
    traits=Traits(kind=Kind.OTHER, why="its kernel is a loop over bits, of a row"),
    infer=lambda node: node.args[0].ty,
    legalize=_legalize,
    doc="x ** n of whole numbers.",
)


def integer_power(x: Expr, n: Expr) -> Call:
    """Raise whole numbers to powers; what does not fit wraps around, as products do.

    Args:
        x: Shape (N,), of whole numbers.
        n: Shape (N,), of the same dtype. A negative power of 1 or -1 is 1 or -1, of others 0.
    """
    return call(INTEGER_POWER, [x, n])
