"""Convolutions, with every way to say how they are padded."""

from __future__ import annotations

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree, with_dim
from tvmfuse.frontend.onnx.convert.same_padding import SAME, halved, padded_before, same_total
from tvmfuse.frontend.onnx.convert.windows import Windows, clipped, windows_of
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape, require_static_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.sizes import LARGEST
from tvmfuse.ops import conv as tvmfuse_conv, conv_transpose as tvmfuse_conv_transpose


def conv(op: Operation) -> Expr:
    """Convert Conv of 1 to 3 spatial dimensions."""
    x, weight = op.tensor(0), op.tensor(1)
    rank = require_rank(x) - 2
    op.require(1 <= rank <= 3, f"convolutions over {rank} spatial dimensions are not compiled")
    kernel = _kernel(op, weight)
    groups = op.integer("group", 1)
    x = with_channels(op, x, require_shape(weight)[1] * groups)
    strides = op.integers("strides") or [1] * rank
    dilation = op.integers("dilations") or [1] * rank
    x, pads = padded_image(op, x, kernel, strides, dilation)
    given = windows_of(require_shape(x)[2:], kernel, strides, dilation, pads)
    fewer = clipped(given)
    return tvmfuse_conv(
        x,
        weight if fewer is None else _without_taps(op, weight, given, fewer),
        _bias(op, require_shape(weight)[0]),
        strides=[w.stride for w in fewer or given],
        padding=[*(w.begin for w in fewer or given), *(w.end for w in fewer or given)],
        dilation=dilation,
        groups=groups,
    )


def padded_image(
    op: Operation, x: Expr, kernel: list[int], strides: list[int], dilation: list[int]
) -> tuple[Expr, list[int]]:
    """Return what is convolved, and by how much the convolution pads it: all begins, all ends.

    Pads that only a run's sizes tell are in the image already.
    """
    padded = padded_before(op, x, kernel, strides, dilation, 0)
    if padded is None:
        return x, fitting(op, require_shape(x)[2:], kernel, strides, dilation)
    return padded.image, [0] * (2 * len(kernel))


def _without_taps(op: Operation, weight: Expr, given: list[Windows], fewer: list[Windows]) -> Expr:
    """Return the weights of the taps that are left."""
    first = [(g.begin - f.begin) // g.dilation for g, f in zip(given, fewer, strict=True)]
    ends = [tap + f.kernel for tap, f in zip(first, fewer, strict=True)]
    axes = list(range(2, 2 + len(fewer)))
    return op.emit(relax.op.strided_slice(weight, axes, first, ends, assume_inbound=True))


def with_channels(op: Operation, x: Expr, expected: Dim) -> Expr:
    """Return the input with as many channels as the weights take."""
    channels = require_shape(x)[1]
    op.require(
        not op.symbols.differ(channels, expected),
        f"its input has {channels} channels, its weights take {expected}",
    )
    return with_dim(op, x, 1, expected)


def _bias(op: Operation, channels: Dim) -> Expr | None:
    bias = op.optional(2)
    return None if bias is None else agree(op, bias, [channels])


def _kernel(op: Operation, weight: Expr) -> list[int]:
    kernel = require_static_shape(weight, "the weight")[2:]
    said = op.integers("kernel_shape")
    op.require(said is None or said == kernel, f"kernel_shape is {said}, the weights' is {kernel}")
    return kernel


def fitting(
    op: Operation, sizes: list[Dim], kernel: list[int], strides: list[int], dilation: list[int]
) -> list[int]:
    """Return the explicit pads of a convolution, whose kernel must fit into what it is given."""
    pads, rank = padding(op, sizes, kernel, strides, dilation), len(kernel)
    for axis, (size, taps, step) in enumerate(zip(sizes, kernel, dilation, strict=True)):
        extent, padded = step * (taps - 1) + 1, size + pads[axis] + pads[axis + rank]
        fits = not isinstance(padded, int) or padded >= extent or size == 0
        op.require(fits, f"its kernel spans {extent} of {padded} elements, padding included")
    return pads


def padding(
    op: Operation, sizes: list[Dim], kernel: list[int], strides: list[int], dilation: list[int]
) -> list[int]:
    """Return explicit pads, all begins, then all ends.

    SAME_UPPER and SAME_LOWER pad so that the output has ceil(size / stride) elements; the odd
    element goes to the end, or to the beginning.
    """
    mode, rank = op.text("auto_pad", "NOTSET"), len(kernel)
    if mode == "NOTSET":
        return op.integers("pads") or [0] * (2 * rank)
    if mode == "VALID":
        return [0] * (2 * rank)
    op.require(mode in SAME, f"auto_pad {mode!r} is none of ONNX's")
    totals = [same_total(op, *each) for each in zip(sizes, kernel, strides, dilation, strict=True)]
    return halved(totals, mode)


def conv_transpose(op: Operation) -> Expr:
    """Convert ConvTranspose of 1 to 3 spatial dimensions."""
    x, weight = op.tensor(0), op.tensor(1)
    rank = require_rank(x) - 2
    op.require(1 <= rank <= 3, f"convolutions over {rank} spatial dimensions are not compiled")
    kernel = _kernel(op, weight)
    strides = op.integers("strides") or [1] * rank
    dilation = op.integers("dilations") or [1] * rank
    extra = op.integers("output_padding") or [0] * rank
    groups = op.integer("group", 1)
    x = with_channels(op, x, require_shape(weight)[0])
    extents = [d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True)]
    for size, step in zip(require_shape(x)[2:], strides, strict=True):
        last = (size - 1) * step if isinstance(size, int) else step
        op.require(last < LARGEST, f"its stride {step} leads beyond any axis, pads included")
    pads, cut = _transposed_padding(op, x, extents, strides, extra)
    result = tvmfuse_conv_transpose(
        x,
        weight,
        _bias(op, require_shape(weight)[1] * groups),
        strides=strides,
        padding=pads,
        output_padding=extra,
        dilation=dilation,
        groups=groups,
    )
    if not cut:
        return result
    axes, ends = list(range(2, 2 + rank)), [begin + size for begin, size in cut]
    begins = [begin for begin, _ in cut]
    return relax.op.strided_slice(op.emit(result), axes, begins, ends, assume_inbound=True)


def _transposed_padding(
    op: Operation, x: Expr, extents: list[int], strides: list[int], extra: list[int]
) -> tuple[list[int], list[tuple[Dim, int]]]:
    """Return the pads, and what is left of each axis: begins and sizes, or none for all of it."""
    mode, rank, wanted = op.text("auto_pad", "NOTSET"), len(extents), op.integers("output_shape")
    nothing = [0] * (2 * rank)
    if wanted is None and mode == "NOTSET":
        return op.integers("pads") or nothing, []
    if wanted is None and mode == "VALID":
        return nothing, []
    if wanted is None:
        totals = [max(e + o - s, 0) for e, o, s in zip(extents, extra, strides, strict=True)]
        return halved(totals, mode), []
    wanted, upper = wanted[-rank:], mode == "SAME_UPPER"
    cut = [
        op.symbols.simplify((n - 1) * s + (o + e - w))
        for s, n, o, e, w in zip(strides, require_shape(x)[2:], extra, extents, wanted, strict=True)
    ]
    if all(isinstance(total, int) for total in cut):
        totals = [int(total) for total in cut]
        for i, total in enumerate(totals):
            # Nothing to cut away: the output grows at its end.
            extra[i], totals[i] = extra[i] + max(-total, 0), max(total, 0)
        return halved(totals, mode if upper else "SAME_LOWER"), []
    for i, (extent, size) in enumerate(zip(extents, wanted, strict=True)):
        extra[i] = max(extra[i], size - extent)  # so much is there of one pixel
    begins = [op.symbols.quotient(op.symbols.larger(t, 0) + (not upper), 2) for t in cut]
    return nothing, list(zip(begins, wanted, strict=True))
