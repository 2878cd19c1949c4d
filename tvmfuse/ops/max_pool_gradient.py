"""`tvmfuse.max_pool_gradient`: gradients of windows' maxima, added up where these stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import OUT_ELEMWISE_FUSABLE, call, define
from tvmfuse.ops.traits import Kind, Traits


def _infer(node: Call) -> Type:
    gradient = node.args[0].ty
    return relax.TensorType([*gradient.shape.values[:2], *node.attrs["sizes"]], gradient.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    sizes, window, strides, padding, dilation = (
        [int(n) for n in node.attrs[name]]
        for name in ("sizes", "kernel", "strides", "padding", "dilation")
    )
    # The windows that reach a pixel begin within so many strides before it.
    reach = [(d * (k - 1)) // s + 1 for k, s, d in zip(window, strides, dilation, strict=True)]

    def compute(gradient: te.Tensor, places: te.Tensor) -> te.Tensor:
        counts = gradient.shape[2:]
        back = [te.reduce_axis((0, n), name=f"k{i}") for i, n in enumerate(reach)]

        def element(n: Expr, c: Expr, *pixel: Expr) -> Expr:
            at = [
                (i + pad) // stride - k
                for i, pad, stride, k in zip(pixel, padding, strides, back, strict=True)
            ]
            exists = tirx.all(
                *(i >= 0 for i in at), *(i < count for i, count in zip(at, counts, strict=True))
            )
            zero = tirx.const(0, gradient.dtype)
            stands = tirx.Cast("int32", places(n, c, *at)) == tirx.Cast(
                "int32", _flat(pixel, sizes)
            )
            value = tirx.Select(stands, gradient(n, c, *at), zero)
            return te.sum(tirx.if_then_else(exists, value, zero), axis=back)

        shape = [*gradient.shape[:2], *(tirx.const(size, "int64") for size in sizes)]
        return te.compute(shape, element, name="max_pool_gradient")

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="max_pool_gradient",
        primfunc_attrs={"op_pattern": OUT_ELEMWISE_FUSABLE},
    )


def _flat(pixel: Sequence[Expr], sizes: Sequence[int]) -> Expr:
    found = pixel[0]
    for i, size in zip(pixel[1:], sizes[1:], strict=True):
        found = found * size + i
    return found


MAX_POOL_GRADIENT: Final = define(
    "tvmfuse.max_pool_gradient",
    traits=Traits(kind=Kind.OTHER, why="its windows are those of one layout"),
    infer=_infer,
    legalize=_legalize,
    doc="Gradients of windows' maxima, added up where these stand.",
)


def max_pool_gradient(
    gradient: Expr,
    places: Expr,
    *,
    sizes: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
) -> Call:
    """Return the gradient of the image, of shape (N, C, *sizes).

    Args:
        gradient: Of the maxima, of shape (N, C, ...).
        places: Where in their image they stand, int64 of the same shape.
        sizes: Of the image: r numbers, as are all that follow.
        kernel: The windows.
        strides: From window to window.
        padding: Before the image.
        dilation: From tap to tap.
    """
    return call(
        MAX_POOL_GRADIENT,
        [gradient, places],
        sizes=list(sizes),
        kernel=list(kernel),
        strides=list(strides),
        padding=list(padding),
        dilation=list(dilation),
    )
