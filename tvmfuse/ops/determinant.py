"""`tvmfuse.determinant`: determinants of matrices, by elimination with row pivots."""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.tirx import Buffer, Stmt

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.traits import Kind, Traits


def _infer(node: Call) -> Type:
    x = node.args[0].ty
    return relax.TensorType([x.shape.values[0]], x.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    def compute(x: te.Tensor) -> list[te.Tensor]:
        count, size, _ = x.shape
        found = te.extern(
            [(count,), (count, size, size), (count,), (count,)],
            [x],
            lambda ins, outs: _kernel(*ins, *outs),
            dtype=[x.dtype, x.dtype, x.dtype, "int64"],
            name="determinant",
        )
        return list(found)

    made = bb.emit(
        bb.call_te(
            compute,
            *node.args,
            primfunc_name_hint="determinant",
            primfunc_attrs={"op_pattern": OPAQUE},
        )
    )
    return relax.TupleGetItem(made, 0)


def _kernel(x: Buffer, result: Buffer, work: Buffer, moved: Buffer, place: Buffer) -> Stmt:
    """Return a loop over matrices, each of which becomes a triangle, by Gauss.

    Args:
        x: Shape (B, M, M).
        result: Shape (B,).
        work: Like `x`: becomes the triangles.
        moved: Shape (B,): a number while two change places.
        place: Shape (B,): the row of the pivot.
    """
    count, size, _ = x.shape
    zero, one = (tirx.const(n, x.dtype) for n in (0, 1))
    with IRBuilder() as builder:
        given, a = write.buffer_proxy(x), write.buffer_proxy(work)
        product, held, pivot = (write.buffer_proxy(b) for b in (result, moved, place))
        with write.parallel(0, count) as b:
            with write.serial(0, size) as i, write.serial(0, size) as j:
                a[b, i, j] = given[b, i, j]
            product[b] = one
            with write.serial(0, size) as k:
                pivot[b] = k
                with write.serial(0, size - k - 1) as n:
                    larger = tirx.abs(a[b, k + 1 + n, k]) > tirx.abs(a[b, pivot[b], k])
                    pivot[b] = tirx.Select(larger, k + 1 + n, pivot[b])
                sign = tirx.Select(pivot[b] == k, one, -one)
                product[b] = product[b] * a[b, pivot[b], k] * sign
                with write.serial(0, size - k) as n:
                    held[b] = a[b, pivot[b], k + n]
                    a[b, pivot[b], k + n] = a[b, k, k + n]
                    a[b, k, k + n] = held[b]
                with write.serial(0, size - k - 1) as n:
                    share = a[b, k + 1 + n, k] / a[b, k, k]
                    a[b, k + 1 + n, k] = tirx.Select(a[b, k, k] == zero, zero, share)
                    with write.serial(0, size - k - 1) as m:
                        a[b, k + 1 + n, k + 1 + m] = (
                            a[b, k + 1 + n, k + 1 + m] - a[b, k + 1 + n, k] * a[b, k, k + 1 + m]
                        )
        return builder.get()


DETERMINANT: Final = define(
    "tvmfuse.determinant",
    traits=Traits(kind=Kind.OTHER, why="each result depends on a whole matrix"),
    infer=_infer,
    legalize=_legalize,
    doc="ONNX Det.",
)


def determinant(x: Expr) -> Call:
    """Compute determinants.

    Args:
        x: Shape (B, M, M), of a floating-point dtype.

    Returns:
        Shape (B,).
    """
    return call(DETERMINANT, [x])
