"""`tvmfuse.gemm`: ONNX Gemm, with leading dimensions on its first operand."""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.lowering.broadcasting import broadcast
from tvmfuse.ops.summed_in import BOUNDED, summed_in
from tvmfuse.ops.traits import Kind, Traits

#: The rank of a second operand that comes in panels, and of one in panels with neighbours.
PANELS: Final = 3
NEIGHBOURS: Final = 4

#: Of the zero point of bytes: nothing is known of it.
UNKNOWN: Final = -1


def _infer(node: Call) -> Type:
    a, b = node.args[0].ty, node.args[1].ty
    if a.shape is None or b.shape is None:
        return relax.TensorType(dtype=a.dtype, ndim=a.ndim)
    rows = [a.shape.values[1]] if node.attrs["trans_a"] else list(a.shape.values[:-1])
    if len(b.shape.values) >= PANELS:
        columns = node.attrs["columns"] or b.shape.values[0] * b.shape.values[2]
    else:
        columns = b.shape.values[0 if node.attrs["trans_b"] else 1]
    dtype = summed_in(str(a.dtype), str(b.dtype), wide=node.attrs["wide"])
    return relax.TensorType([*rows, columns], dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    trans_a, trans_b = node.attrs["trans_a"], node.attrs["trans_b"]
    alpha, beta = node.attrs["alpha"], node.attrs["beta"]

    def compute(a: te.Tensor, b: te.Tensor, *c: te.Tensor) -> te.Tensor:
        rows = [a.shape[1]] if trans_a else list(a.shape[:-1])
        in_panels = len(b.shape) >= PANELS
        dtype = summed_in(a.dtype, b.dtype, wide=node.attrs["wide"])
        k = te.reduce_axis((0, b.shape[1 if trans_b or in_panels else 0]), name="k")
        near = [te.reduce_axis((0, n), name="near") for n in b.shape[PANELS:]]
        place = k * b.shape[-1] + near[0] if near else k

        def product(*index: te.Var) -> Expr:
            *i, j = index
            left = a(place, *i) if trans_a else a(*i, place)
            return te.sum(left.astype(dtype) * right(k, j).astype(dtype), axis=[k, *near])

        def right(k: te.Var, j: te.Var) -> Expr:
            if in_panels:
                return b(j // b.shape[2], k, j % b.shape[2], *near)
            return b(j, k) if trans_b else b(k, j)

        name = BOUNDED if node.attrs["bounded"] else "gemm"
        y = te.compute((*rows, node.ty.shape.values[-1]), product, name=name)
        if alpha != 1:
            scaled = y
            factor = tirx.const(alpha, y.dtype)
            y = te.compute(y.shape, lambda *i: scaled(*i) * factor, name="alpha")
        return _plus(y, c[0], beta) if c else y

    return bb.call_te(compute, *node.args, primfunc_name_hint="gemm")


def _plus(y: te.Tensor, c: te.Tensor, beta: float) -> te.Tensor:
    """Add ``beta * c``, where `c` broadcasts to `y` from the right."""

    def element(*index: te.Var) -> Expr:
        addend = c(*broadcast(c.shape, index)).astype(y.dtype)
        return y(*index) + (addend if beta == 1 else addend * tirx.const(beta, y.dtype))

    return te.compute(y.shape, element, name="bias", tag="broadcast")


GEMM: Final = define(
    "tvmfuse.gemm",
    traits=Traits(kind=Kind.MATRIX_PRODUCT, reads_memory=True),
    infer=_infer,
    legalize=_legalize,
    doc="ONNX Gemm.",
)


def gemm(
    a: Expr,
    b: Expr,
    c: Expr | None = None,
    *,
    trans_a: bool = False,
    trans_b: bool = False,
    alpha: float = 1.0,
    beta: float = 1.0,
    columns: int = 0,
    bounded: bool = False,
    wide: bool = False,
    zero: int = UNKNOWN,
) -> Call:
    """Multiply and add: ONNX ``Gemm``, ``alpha * a @ b + beta * c``.

    Numbers of one type have results of that type; uint8 times int8 or int16 is summed in int32.

    Args:
        a: Shape (..., K), or (K, M) if `trans_a`. Unlike ONNX's, it may have leading dimensions.
        b: Shape (K, N), or (N, K) if `trans_b`; or in panels of w columns, (N / w, K, w),
            the last of which may have more than there are; or in such panels with g neighbours
            of a column side by side, as dot products take them, (N / w, K / g, w, g).
        c: Broadcasts to (..., N), or None.
        trans_a: Whether `a` comes transposed; then it is a matrix.
        trans_b: Whether `b` comes transposed.
        alpha: Scales the product.
        beta: Scales `c`.
        columns: N, where panels have more than that; else 0.
        bounded: Whether `b`, multiplied by bytes, is `bounded`.
        wide: Whether sums of bfloat16 stay float32.
        zero: Near which numbers of bytes in `a` most of its numbers are, their zero point, or
            `UNKNOWN`. It says what is fast, and changes no result.
    """
    return call(
        GEMM,
        [a, b, c],
        trans_a=trans_a,
        trans_b=trans_b,
        alpha=float(alpha),
        beta=float(beta),
        columns=columns,
        bounded=bounded,
        wide=wide,
        zero=zero,
    )
