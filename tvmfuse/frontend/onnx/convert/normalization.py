"""Normalizations."""

from __future__ import annotations

from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree, broadcast_to, with_dim
from tvmfuse.frontend.onnx.convert.p_norm import powers, root
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers
from tvmfuse.frontend.onnx.convert.windows import windows_of
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import dtype_of
from tvmfuse.ops import group_norm

MOST_CHANNELS: Final = 2**16
"""In a sum of LRN's: each element has one of its own, as long as that."""


def batch_normalization(op: Operation) -> Expr | list[Expr]:
    """Convert BatchNormalization; since opset 14 in training, too."""
    if _is_training(op) and op.opset >= 14:
        return _of_this_batch(op)
    op.require(not _is_training(op), "training mode before opset 14 is not compiled")
    op.require(
        not any(op.is_read(i) for i in range(1, 5)), "the running statistics are not compiled"
    )
    op.require(op.flag("spatial", default=True), "statistics for each element are not compiled")
    x = op.tensor(0)
    parameters = [op.tensor(i) for i in range(1, 5)]
    _require_one_dtype(op, x, *parameters)
    x, parameters = _by_channel(op, x, parameters)
    norm = relax.op.nn.batch_norm(
        x, *parameters, axis=1, epsilon=op.number("epsilon", 1e-5), training=False
    )
    return relax.TupleGetItem(op.emit(norm), 0)


def _of_this_batch(op: Operation) -> list[Expr]:
    """Normalize each channel by its own mean and variance, and move the running ones there.

    The variance is computed of what the mean leaves.
    """
    x, parameters = _by_channel(op, op.tensor(0), [op.tensor(i) for i in range(1, 5)])
    rank, dtype = require_rank(x), dtype_of(x)
    wide, (scale, bias, *running) = Numbers(op, x), [Numbers(op, p) for p in parameters]
    axes = [i for i in range(rank) if i != 1]
    mean = Numbers(op, relax.op.mean(wide.expr, axes))
    centered = wide - mean.beside(rank, 1)
    variance = Numbers(op, relax.op.mean((centered * centered).expr, axes))
    deviation = (variance + op.number("epsilon", 1e-5)).sqrt().astype(dtype)
    scaled = centered / deviation.beside(rank, 1) * scale.astype(dtype).beside(rank, 1)
    kept = op.number("momentum", 0.9)
    moved = [
        old * kept + new.astype(dtype_of(old.expr)) * (1 - kept)
        for old, new in zip(running, (mean, variance), strict=True)
    ]
    return [(scaled + bias.astype(dtype).beside(rank, 1)).expr, *(m.expr for m in moved)]


def _by_channel(op: Operation, x: Expr, parameters: list[Expr]) -> tuple[Expr, list[Expr]]:
    """Return a tensor and its vectors of parameters, one number for each channel."""
    op.require(require_rank(x) > 1, "its input has no channels")
    sizes = [require_shape(x)[1], *(d for p in parameters for d in require_shape(p)[:1])]
    channels = next((s for s in sizes if isinstance(s, int)), sizes[0])
    return with_dim(op, x, 1, channels), [agree(op, p, [channels]) for p in parameters]


def _is_training(op: Operation) -> bool:
    """Between opsets 7 and 13 the outputs tell: there are five of them in training."""
    if op.opset >= 14:
        return op.flag("training_mode")
    return any(op.node.outputs[1:]) if op.opset >= 7 else not op.flag("is_test")


def layer_normalization(op: Operation) -> list[Expr | None]:
    """Convert LayerNormalization; its mean and deviation are computed where they are read."""
    x, scale, bias = op.tensor(0), op.tensor(1), op.optional(2)
    rank = require_rank(x)
    axes = list(range(require_axis(op.integer("axis", -1), rank), rank))
    epsilon = op.number("epsilon", 1e-5)
    op.require(dtype_of(scale) == dtype_of(x), "its operands have different dtypes")
    normalized_shape = require_shape(x)[axes[0] :]
    scale = _filling(op, scale, normalized_shape)
    if bias is None:
        bias = op.emit(relax.op.zeros(normalized_shape, dtype_of(x)))
    bias = _filling(op, bias, normalized_shape)
    y = relax.op.nn.layer_norm(x, scale, bias, axes, epsilon)
    mean = deviation = None
    if op.is_read(1) or op.is_read(2):
        mean = op.emit(relax.op.mean(x, axes, keepdims=True))
        variance = op.emit(relax.op.variance(x, axes, keepdims=True))
        shifted = op.emit(relax.op.add(variance, scalar(epsilon, dtype_of(x))))
        deviation = relax.op.rsqrt(shifted)
    return [y, mean, deviation]


def _filling(op: Operation, tensor: Expr, shape: list[Dim]) -> Expr:
    """Return a parameter with exactly this shape."""
    own = require_shape(tensor)
    if len(own) == len(shape) and all(
        op.symbols.equal(a, b) for a, b in zip(own, shape, strict=True)
    ):
        return tensor
    tensor = agree(op, tensor, broadcast_to(op, own, shape), sure=False)
    return op.emit(relax.op.broadcast_to(tensor, shape))


def group_normalization(op: Operation) -> Expr:
    """Convert GroupNormalization, as it is since opset 21: the first one is deprecated."""
    x, scale, bias = op.tensor(0), op.tensor(1), op.tensor(2)
    _require_one_dtype(op, x, scale, bias)
    op.require(op.integer("stash_type", 1) == 1, "stash_type other than float32 is not compiled")
    groups = op.integer("num_groups", 0)
    op.require(require_rank(x) > 1, "its input has no channels")
    channels = require_shape(x)[1]
    each = op.symbols.quotient(channels, groups) if groups > 0 else 0
    whole = op.symbols.product([groups, each])
    op.require(
        groups > 0 and not op.symbols.differ(channels, whole),
        f"num_groups is {groups}, and {channels} channels are no multiple of it",
    )
    x, parameters = _by_channel(op, with_dim(op, x, 1, whole), [scale, bias])
    batch, _, *image = require_shape(x)
    grouped = [groups, each]
    scale, bias = (op.emit(in_shape(p, grouped)) for p in parameters)
    parted = op.emit(in_shape(x, [batch, *grouped, *image]))
    normal = op.emit(group_norm(parted, scale, bias, epsilon=op.number("epsilon", 1e-5)))
    return in_shape(normal, [batch, channels, *image])


def _require_one_dtype(op: Operation, x: Expr, *parameters: Expr) -> None:
    op.require(
        all(dtype_of(p) == dtype_of(x) for p in parameters), "its operands have different dtypes"
    )


def mean_variance_normalization(op: Operation) -> Expr:
    """Convert MeanVarianceNormalization, which adds 1e-9 to the deviation."""
    x = op.tensor(0)
    rank, dtype = require_rank(x), dtype_of(x)
    axes = [*{require_axis(a, rank) for a in op.integers("axes") or (0, 2, 3)}]
    mean = op.emit(relax.op.mean(x, axes, keepdims=True))
    centered = op.emit(relax.op.subtract(x, mean))
    squares = op.emit(relax.op.multiply(centered, centered))
    deviation = op.emit(relax.op.sqrt(op.emit(relax.op.mean(squares, axes, keepdims=True))))
    return relax.op.divide(centered, op.emit(relax.op.add(deviation, scalar(1e-9, dtype))))


def rms_normalization(op: Operation) -> Expr:
    """Convert RMSNormalization: x / sqrt(mean(x^2) + epsilon) * scale, in float32."""
    x, scale = op.tensor(0), op.tensor(1)
    rank, dtype = require_rank(x), dtype_of(x)
    axes = list(range(require_axis(op.integer("axis", -1), rank), rank))
    op.require(op.integer("stash_type", 1) == 1, "stash_type other than float32 is not compiled")
    wide = x if dtype == "float32" else op.emit(relax.op.astype(x, "float32"))
    squares = op.emit(relax.op.mean(op.emit(relax.op.multiply(wide, wide)), axes, keepdims=True))
    shifted = op.emit(relax.op.add(squares, scalar(op.number("epsilon", 1e-5), "float32")))
    normal = op.emit(relax.op.divide(wide, op.emit(relax.op.sqrt(shifted))))
    if dtype != "float32":
        normal = op.emit(relax.op.astype(normal, dtype))
    return relax.op.multiply(normal, _filling(op, scale, require_shape(x)[axes[0] :]))


def lp_normalization(op: Operation) -> Expr:
    """Convert LpNormalization: x over its L1 or L2 norm along an axis."""
    x = op.tensor(0)
    axis, order = require_axis(op.integer("axis", -1), require_rank(x)), op.integer("p", 2)
    total = relax.op.sum(op.emit(powers(op, x, order)), [axis], keepdims=True)
    norm = op.emit(root(op, total, order))
    zero = scalar(0, dtype_of(x))
    quotient = op.emit(relax.op.divide(x, norm))
    return relax.op.where(op.emit(relax.op.equal(norm, zero)), zero, quotient)


def local_response_normalization(op: Operation) -> Expr:
    """Convert LRN: over (bias + alpha / size * sum of squares) ** beta, of channels near by.

    Of an even number of channels one more comes after than before.
    """
    x, size = Numbers(op, op.tensor(0)), op.integer("size", 1)
    dims = require_shape(x.expr)
    op.require(len(dims) > 1, "its input has no channels")
    # A window's padding counts, as zeros: an average times their number is the sum.
    squares = (x * x).reshaped([dims[0], 1, dims[1], op.symbols.product(dims[2:])])
    [given] = windows_of(dims[1:2], [size], [1], [1], [(size - 1) // 2, size // 2])
    near = given.clipped
    op.require(near.kernel <= MOST_CHANNELS, f"a sum is over {near.kernel} channels")
    means = relax.op.nn.avg_pool2d(
        squares.expr, (near.kernel, 1), 1, [near.begin, 0, near.end, 0], count_include_pad=True
    )
    share = op.number("alpha", 1e-4) * (near.kernel / size)
    scaled = Numbers(op, means) * share + op.number("bias", 1.0)
    return (x / scaled.reshaped(dims).power(op.number("beta", 0.75))).expr
