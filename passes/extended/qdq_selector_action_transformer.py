"""Products of quantized tensors are summed in integers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from tvm import relax
from tvm.ir import Call, Expr, GenericConst
from tvm.relax import Var
from tvm.relax.dpl import is_op, wildcard
from tvm.tirx import FloatImm, IntImm

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import constant, dtype_of, known_array, rank_of
from tvmfuse.ops import conv, gemm, requantize
from tvmfuse.passes.contract import CPU
from tvmfuse.passes.pattern import Match, Pattern
from tvmfuse.passes.quantized import BYTES, QUANTIZE, SIGN, Steps, as_uint8, dequantized, laid
from tvmfuse.passes.rewrite import Conditions, RewriteRule

CONV: Final = "tvmfuse.conv"
GEMM: Final = "tvmfuse.gemm"
MATRIX: Final = 2


@dataclass(frozen=True, eq=False)
class Weights:
    """Constant weights in integers.

    Attributes:
        array: Less their zero points: int8 where that holds them, else int16.
        scale: float32, for each output channel.
        sums: Over all weights of each output channel, int64.
        most: The greatest magnitude that a sum of their products with bytes can have.
    """

    array: np.ndarray
    scale: np.ndarray
    sums: np.ndarray
    most: int


@dataclass(frozen=True, eq=False)
class Rounding:
    """What is made of a product's real numbers: an activation perhaps, then steps.

    Attributes:
        result: The variable of the steps.
        inside: The variables on the way there.
        steps: Their parameters.
        low: The least step.
        high: The greatest.
    """

    result: Var
    inside: tuple[Var, ...]
    steps: Steps
    low: int
    high: int


@dataclass(frozen=True, eq=False)
class IntegerProduct:
    """A product as it is computed in integers.

    Attributes:
        stored: The bytes of the first operand.
        zero: Their zero point, once they are uint8.
        weights: The second operand.
        scale: float64, of the sums in what is made of them, for each output channel.
        addend: What is added to the sums, int32, for each output channel.
        bias: float32, what is added to the real numbers; None where the sums have all of it.
        rounding: None where the real numbers are read.
    """

    stored: Expr
    zero: int
    weights: Weights
    scale: np.ndarray
    addend: np.ndarray
    bias: np.ndarray | None
    rounding: Rounding | None


class QDQSelectorActionTransformer(RewriteRule[IntegerProduct]):
    """Compute a product between dequantize and quantize in integers.

    Before::

        y = conv(dequantize(q, s, z), dequantize(W, t, v), dequantize(b, s * t, 0))
        p = quantize(relu(y), u, w)          # or y is read as it is; or gemm, or matmul

    After::

        n = conv(q, W - v)                   # uint8 by int8, summed in int32; padded with z
        p = requantize(n, b - z * sum(W - v), s * t / u)

    Pays because a byte is a quarter of a float32, and dot products of bytes do four times as many
    multiply-adds in an instruction. The sums are exact; they are scaled and rounded once, as by
    ONNX QLinearConv. int8 becomes uint8, whose zero point is 128 more. Weights that are no int8
    once their zero point is taken away are int16. Source: ONNX Runtime's pass of this name; Jacob
    et al., "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
    Inference", CVPR 2018, section 2.
    """

    name = "QDQSelectorActionTransformer"
    aliases = ("QDQ Fusion",)
    targets = CPU

    def pattern(self) -> Pattern:
        x, w = (is_op("relax.dequantize")(*[wildcard() for _ in range(3)]) for _ in range(2))
        product = is_op(CONV)(x, w, varg_default_wildcard=True)
        gemm_of_two = is_op(GEMM)(x, w, varg_default_wildcard=True)
        matmul = is_op("relax.matmul")(x, w)
        return Pattern(product | gemm_of_two | matmul, x=x, w=w)

    def requires(self, match: Match) -> Conditions[IntegerProduct]:
        product, x, w = match.resolve(match.root), match["x"], match["w"]
        steps, per_channel = Steps.of(x), Steps.of(w)
        yield steps is not None and per_channel is not None, "scales and zero points are constant"
        assert steps is not None
        assert per_channel is not None
        both = steps.dtype in BYTES and per_channel.dtype in BYTES
        yield both, "both operands are dequantized from 8 bits"
        yield steps.is_one, "the first operand has one scale, finite and positive"
        yield isinstance(w.args[0], GenericConst), "the second operand is constant"
        plain = op_name(product) == CONV or rank_of(w) == MATRIX
        yield plain, "the second operand is a matrix"
        yield _only_multiplies(product), "the product is neither scaled nor of a transposed operand"
        across = _channel_axis(product)
        yield _lies_along(per_channel, w, across), "each output channel has one scale"
        weights = _weights(w, per_channel, across)
        yield weights is not None, "the weights' scales are finite and positive"
        assert weights is not None
        zero = int(steps.zero.item()) + SIGN * (steps.dtype == "int8")
        scale = steps.scale.astype("float64") * weights.scale
        whole, real, known = self._bias(match, product, _float32(scale), len(weights.sums))
        yield known, "the bias is constant, one number for each output channel"
        addend = whole - zero * weights.sums
        most = weights.most + int(np.abs(addend).max(initial=0))
        yield most <= np.iinfo("int32").max, "no sum can be more than an int32 holds"
        end = None if real is not None else _rounding(match)
        last = scale if end is None else scale / end.steps.scale.astype("float64")
        yield bool(np.isfinite(_float32(last)).all()), "the sums' scales are finite"
        return IntegerProduct(x.args[0], zero, weights, last, addend.astype("int32"), real, end)

    def _bias(
        self, match: Match, product: Expr, scale: np.ndarray, channels: int
    ) -> tuple[np.ndarray, np.ndarray | None, bool]:
        """Return the bias in the scale of the sums, or in real numbers; and whether it is known."""
        nothing = np.zeros(channels, "int64")
        if len(product.args) == MATRIX:
            return nothing, None, True
        bias = match.resolve(product.args[2])
        steps = Steps.of(bias)
        if steps and steps.dtype == "int32" and isinstance(bias.args[0], GenericConst):
            same = np.array_equal(np.broadcast_to(steps.scale, (channels,)), scale)
            if same and not steps.zero.any() and bias.ty.ndim == 1:
                return nothing + known_array(bias.args[0]), None, True
        real = dequantized(bias)
        fits = real is not None and real.size in (1, channels) and real.shape[-1:] == (real.size,)
        return nothing, real, fits

    def absorbs(self, match: Match, found: IntegerProduct) -> tuple[Var, ...]:
        bias = match.resolve(match.root).args[2:]
        inside = found.rounding.inside if found.rounding else ()
        return (*(operand for operand in bias if isinstance(operand, Var)), *inside)

    def rewrite(self, match: Match, found: IntegerProduct) -> Expr:
        product, trailing = match.resolve(match.root), 0
        stored = as_uint8(found.stored)
        if op_name(product) == CONV:
            said: dict[str, Any] = {
                name: list(product.attrs[name]) for name in ("strides", "padding", "dilation")
            }
            groups, weights = int(product.attrs["groups"]), constant(found.weights.array)
            sums = conv(stored, weights, **said, groups=groups, pad_value=found.zero)
            trailing = len(said["strides"])
        else:
            transposed = op_name(product) == GEMM and bool(product.attrs["trans_b"])
            weights = constant(found.weights.array)
            sums = gemm(stored, weights, trans_b=transposed, zero=found.zero)

        def channels(numbers: np.ndarray) -> GenericConst:
            return constant(numbers.reshape(-1, *[1] * trailing))

        addend, end = channels(found.addend), found.rounding
        if end is not None:
            return requantize(
                sums,
                addend,
                channels(found.scale.astype("float32")),
                zero_point=int(end.steps.zero.item()),
                low=end.low,
                high=end.high,
                dtype=end.steps.dtype,
            )
        real = relax.op.astype(relax.op.add(sums, addend), "float32")
        real = relax.op.multiply(real, channels(found.scale.astype("float32")))
        return real if found.bias is None else relax.op.add(real, channels(found.bias))

    def replacements(self, match: Match, found: IntegerProduct) -> dict[Var, Expr]:
        result = match.root if found.rounding is None else found.rounding.result
        return {result: self.rewrite(match, found)}


@np.errstate(over="ignore")
def _float32(scale: np.ndarray) -> np.ndarray:
    return scale.astype("float32")


def _only_multiplies(product: Expr) -> bool:
    if op_name(product) != GEMM:
        return True
    attrs = product.attrs
    return not attrs["trans_a"] and attrs["alpha"] == attrs["beta"] == 1


def _channel_axis(product: Expr) -> int:
    """Return the axis of the weights that counts output channels."""
    if op_name(product) == CONV or (op_name(product) == GEMM and product.attrs["trans_b"]):
        return 0
    return 1


def _lies_along(steps: Steps, w: Expr, axis: int) -> bool:
    one = steps.scale.size == steps.zero.size == 1
    return one or steps.axis % int(w.ty.ndim) == axis


def _weights(w: Call, steps: Steps, axis: int) -> Weights | None:
    if not steps.is_sound:
        return None
    centered = known_array(w.args[0]).astype("int64") - laid(steps.zero, w)
    others = tuple(d for d in range(centered.ndim) if d != axis)
    limits = np.iinfo("int8")
    fits = limits.min <= centered.min(initial=0) and centered.max(initial=0) <= limits.max
    most = int(np.abs(centered).sum(others).max(initial=0)) * np.iinfo("uint8").max
    scale = np.broadcast_to(steps.scale.ravel(), (centered.shape[axis],))
    array = centered.astype("int8" if fits else "int16")
    return Weights(array, scale, centered.sum(others), most)


def _rounding(match: Match) -> Rounding | None:
    """Follow a product to the quantize behind it; None where there is none of one scale."""
    activation, result = None, _only_reader(match, match.root)
    inside = [match.root]
    if op_name(match.value(result)) in ("relax.nn.relu", "relax.clip"):
        assert result is not None
        activation = match.value(result)
        inside.append(result)
        result = _only_reader(match, result)
    quantize = match.value(result)
    steps = Steps.of(quantize) if op_name(quantize) == QUANTIZE else None
    if result is None or steps is None or not steps.is_one or dtype_of(quantize) not in BYTES:
        return None
    limits = np.iinfo(steps.dtype)
    low, high = int(limits.min), int(limits.max)
    if op_name(activation) == "relax.nn.relu":
        low = steps.step(0.0)
    elif activation is not None:
        bounds = activation.args[1:]
        if any(not isinstance(b, FloatImm | IntImm) or math.isnan(b.value) for b in bounds):
            return None
        low, high = (steps.step(bound.value) for bound in bounds)
    return Rounding(result, tuple(inside), steps, low, high) if low <= high else None


def _only_reader(match: Match, var: Var) -> Var | None:
    readers = match.users(var)
    return readers[0] if match.num_uses(var) == len(readers) == 1 else None
