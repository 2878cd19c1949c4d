"""`tvmfuse.max_pool_gradient`: gradients of windows' maxima, added up where these stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import relax, te, tirx, topi
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import OUT_ELEMWISE_FUSABLE, call, define
from tvmfuse.ops.max_pool_places import flat
from tvmfuse.ops.traits import Kind, Traits


def _infer(node: Call) -> Type:
    gradient = node.args[0].ty
    return relax.TensorType([*gradient.shape.values[:2], *node.args[2].values], gradient.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    window, strides, padding, dilation = (
        [int(n) for n in node.attrs[name]] for name in ("kernel", "strides", "padding", "dilation")
    )
    sizes = [_number(size) for size in node.args[2].values]
    # The windows that reach a pixel begin within so many strides before it.
    reach = [d * (k - 1) // s + 1 for k, s, d in zip(window, strides, dilation, strict=True)]
    # Pixels a stride apart, of one phase, are side by side.
    places_each = [
        (size - 1 + pad) // s + 1 for size, pad, s in zip(sizes, padding, strides, strict=True)
    ]

    def compute(gradient: te.Tensor, places: te.Tensor) -> te.Tensor:
        counts = gradient.shape[2:]
        before = [n - 1 for n in reach]
        after = [tirx.max(n - count, 0) for n, count in zip(places_each, counts, strict=True)]
        around = ([0, 0, *before], [0, 0, *after])
        short = topi.cast(places, "int32")
        nowhere, zero = tirx.const(-1, "int32"), tirx.const(0, gradient.dtype)
        stand = topi.nn.pad(short, *around, nowhere, name="padded_places")
        given = topi.nn.pad(gradient, *around, zero, name="padded_gradient")
        back = [te.reduce_axis((0, n), name=f"k{i}") for i, n in enumerate(reach)]

        def element(n: Expr, c: Expr, *at: Expr) -> Expr:
            phases, own = at[: len(sizes)], at[len(sizes) :]
            # In vectors, numbers of 32 bits are cheaper than sizes.
            pixel = [
                tirx.Cast("int32", i) * stride + tirx.Cast("int32", phase) - pad
                for i, stride, phase, pad in zip(own, strides, phases, padding, strict=True)
            ]
            read = [i + k for i, k in zip(own, back, strict=True)]
            sizes32 = [n if isinstance(n, int) else tirx.Cast("int32", n) for n in sizes]
            stands = stand(n, c, *read) == flat(pixel, sizes32)
            return te.sum(tirx.Select(stands, given(n, c, *read), zero), axis=back)

        shape = [_wide(n) for n in (*strides, *places_each)]
        sums = te.compute((*gradient.shape[:2], *shape), element, name="max_pool_gradient")

        def interleaved(n: Expr, c: Expr, *pixel: Expr) -> Expr:
            moved = [i + pad for i, pad in zip(pixel, padding, strict=True)]
            phases = [i % s for i, s in zip(moved, strides, strict=True)]
            return sums(n, c, *phases, *(i // s for i, s in zip(moved, strides, strict=True)))

        shape = [*gradient.shape[:2], *map(_wide, sizes)]
        return te.compute(shape, interleaved, name="interleaved", tag="injective")

    return bb.call_te(
        compute,
        *node.args[:2],
        primfunc_name_hint="max_pool_gradient",
        primfunc_attrs={"op_pattern": OUT_ELEMWISE_FUSABLE},
    )


def _number(size: Expr) -> Expr | int:
    return int(size.value) if isinstance(size, tirx.IntImm) else size


def _wide(size: Expr | int) -> Expr:
    return tirx.const(size, "int64") if isinstance(size, int) else size


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
    sizes: Sequence[Expr | int],
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
) -> Call:
    """Return the gradient of the image, of shape (N, C, *sizes).

    Args:
        gradient: Of the maxima, of shape (N, C, ...).
        places: Where in their image they stand, int64 of the same shape.
        sizes: Of the image: r numbers, or sizes of other tensors.
        kernel: The windows: r numbers, as are all that follow.
        strides: From window to window.
        padding: Before the image.
        dilation: From tap to tap.
    """
    return call(
        MAX_POOL_GRADIENT,
        [gradient, places, relax.ShapeExpr(list(sizes))],
        kernel=list(kernel),
        strides=list(strides),
        padding=list(padding),
        dilation=list(dilation),
    )
