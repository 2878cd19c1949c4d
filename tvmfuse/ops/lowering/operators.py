"""Lowerings of stock Relax operators that differ from TVM's own.

TVM's `relu`, `maximum`, `minimum`, `clip`, and its products and quotients with a constant zero,
turn NaN into a number; ONNX's keep it. Its batch norm is lowered for training only. In half
precision its gelu and silu round after each step, and what is cast to bfloat16 and not stored is
not rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tvm import relax, te, tirx, topi
from tvm.ir import Call, Expr, Op
from tvm.relax import BlockBuilder

from tvmfuse.ir.bfloat16 import BFLOAT16, cast_to_bfloat16
from tvmfuse.ir.number_bits import as_bits
from tvmfuse.ir.types import is_float, same_dims, scalar_of
from tvmfuse.ops.lowering import activations
from tvmfuse.ops.lowering.arg_extrema import ARG_EXTREMA
from tvmfuse.ops.lowering.broadcasting import broadcast
from tvmfuse.ops.lowering.extrema import EXTREMA
from tvmfuse.ops.lowering.half import Legalize, in_float32, read_as_float32
from tvmfuse.ops.lowering.integers import INTEGERS, combined, wrapping_or
from tvmfuse.ops.lowering.non_zero import NON_ZERO
from tvmfuse.ops.lowering.norms import NORMS
from tvmfuse.ops.lowering.repeating_pads import PADS
from tvmfuse.ops.lowering.scans import SCANS
from tvmfuse.ops.lowering.scatter import SCATTER
from tvmfuse.ops.lowering.sums import SUMS
from tvmfuse.ops.lowering.suppression import SUPPRESSION
from tvmfuse.ops.lowering.unique import UNIQUE
from tvmfuse.ops.lowering.wide import WIDE

#: TVM's code generator has none of these in half precision.
ELEMENTARY: Final = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh"),
    *("cos", "cosh", "sin", "sinh", "tan", "tanh"),
)

#: TVM asks none of these of bfloat16.
FINITENESS: Final = ("isfinite", "isinf", "isnan")

#: The least exponent that TVM warns of.
LOUD: Final = 3

_STOCK_TAKE: Final[Legalize] = Op.get("relax.take").get_attr("FLegalize")
_STOCK_CAST: Final[Legalize] = Op.get("relax.astype").get_attr("FLegalize")


def _relu(bb: BlockBuilder, call: Call) -> Expr:
    def relu(x: te.Tensor) -> te.Tensor:
        return te.compute(x.shape, lambda *i: activations.relu(x(*i)), name="relu", tag="elemwise")

    return bb.call_te(relu, call.args[0], primfunc_name_hint="relu")


def _clip(bb: BlockBuilder, call: Call) -> Expr:
    x, *bounds = call.args

    def clip(x: te.Tensor) -> te.Tensor:
        low, high = (bound.astype(x.dtype) for bound in bounds)
        return te.compute(
            x.shape, lambda *i: activations.clip(x(*i), low, high), name="clip", tag="elemwise"
        )

    return bb.call_te(clip, x, primfunc_name_hint="clip")


def _sign(bb: BlockBuilder, call: Call) -> Expr:
    def sign(x: te.Tensor) -> te.Tensor:
        def element(*i: Expr) -> Expr:
            one = tirx.const(1, x.dtype)
            # The square of zero has no sign, and that of NaN is NaN.
            rest = x(*i) * x(*i) if is_float(call) else x(*i)
            below = rest if "uint" in str(x.dtype) else tirx.Select(x(*i) < 0, -one, rest)
            return tirx.Select(x(*i) > 0, one, below)

        return te.compute(x.shape, element, name="sign", tag="elemwise")

    return bb.call_te(sign, call.args[0], primfunc_name_hint="sign")


def _activation(name: str, activate: Callable[[Expr], Expr]) -> Legalize:
    def activation(x: te.Tensor) -> te.Tensor:
        return te.compute(x.shape, lambda *i: activate(x(*i)), name=name, tag="elemwise")

    return in_float32(lambda bb, call: bb.call_te(activation, *call.args, primfunc_name_hint=name))


def _extremum(name: str) -> Legalize:
    extreme = {"maximum": tirx.max, "minimum": tirx.min}[name]

    def combine(a: Expr, b: Expr) -> Expr:
        if not str(a.ty.dtype).startswith(("float", "bfloat")):
            return extreme(a, b)
        beyond, below = (a > b, a <= b) if name == "maximum" else (a < b, a >= b)
        # Neither holds where one is NaN; then the sum is NaN. Of two zeros it is the second one, as
        # x86's instructions have it, and with them torch and ONNX Runtime.
        return tirx.Select(beyond, a, tirx.Select(below, b, a + b))

    def extremum(a: te.Tensor, b: te.Tensor) -> te.Tensor:
        shape = topi.add(a, b).shape

        def read(x: te.Tensor, i: tuple[Expr, ...]) -> Expr:
            # An index of 0 where the size is 1 would make it a broadcast: gemms fuse with none.
            return x(*(i if same_dims(x.shape, shape) else broadcast(x.shape, i)))

        return te.compute(
            shape, lambda *i: combine(read(a, i), read(b, i)), name=name, tag="broadcast"
        )

    return lambda bb, call: bb.call_te(extremum, *call.args, primfunc_name_hint=name)


def _cast(bb: BlockBuilder, call: Call) -> Expr:
    if str(call.ty.dtype) != BFLOAT16:
        return _STOCK_CAST(bb, call)

    def cast(x: te.Tensor) -> te.Tensor:
        return te.compute(x.shape, lambda *i: cast_to_bfloat16(x(*i)), name="cast", tag="elemwise")

    return bb.call_te(cast, call.args[0], primfunc_name_hint="cast")


def _with_zeros(name: str) -> Legalize:
    """TVM's arithmetic takes ``x * 0`` and ``0 / x`` for 0 and refuses ``x / 0``.

    None is so where `x` is NaN or infinite: a zero is handed over as a tensor, which it leaves
    alone, and not as the number that it is in TVM's own lowering.
    """
    legalize: Legalize = Op.get(name).get_attr("FLegalize")
    compute = {"relax.multiply": topi.multiply, "relax.divide": topi.divide}[name]

    def lowering(bb: BlockBuilder, call: Call) -> Expr:
        if is_float(call) and any(scalar_of(a) == 0 for a in call.args):
            hint = name.removeprefix("relax.")
            return bb.call_te(compute, *call.args, primfunc_name_hint=hint)
        return legalize(bb, call)

    return lowering


def _power(bb: BlockBuilder, call: Call) -> Expr:
    """As TVM's own, which says on standard error that it would rather not raise to 3 or more."""
    base, exponent = call.args
    number = None if exponent.ty.ndim else scalar_of(exponent)

    def raised(x: Expr, y: Expr) -> Expr:
        dtype = str(x.ty.dtype)
        if number is not None and number >= LOUD:
            y = as_bits(number, dtype)
        return tirx.call_intrin(dtype, "tirx.pow", x, y)

    tensors = [base, exponent] if number is None else [base]
    power = combined("power", raised, [None, number])
    return bb.call_te(power, *tensors, primfunc_name_hint="power")


def _take(bb: BlockBuilder, call: Call) -> Expr:
    """As TVM's own, which says on standard error that it reads at the places that it is told."""
    axis = call.attrs.axis
    if call.attrs.mode != "fast" or axis is None:
        return _STOCK_TAKE(bb, call)
    at = int(axis) % call.args[0].ty.ndim

    def take(x: te.Tensor, places: te.Tensor) -> te.Tensor:
        rank = len(places.shape)

        def element(*i: Expr) -> Expr:
            return x(*i[:at], places(*i[at : at + rank]), *i[at + rank :])

        shape = [*x.shape[:at], *places.shape, *x.shape[at + 1 :]]
        return te.compute(shape, element, name="T_take", tag="injective")

    return bb.call_te(take, *call.args, primfunc_name_hint="take")


def _comparison(name: str) -> Legalize:
    """LLVM's code generator compares truths as if they were floats, and fails."""
    legalize: Legalize = Op.get(name).get_attr("FLegalize")
    compute = {"relax.equal": topi.equal, "relax.not_equal": topi.not_equal}[name]

    def compare(a: te.Tensor, b: te.Tensor) -> te.Tensor:
        return compute(topi.cast(a, "uint8"), topi.cast(b, "uint8"))

    def lowering(bb: BlockBuilder, call: Call) -> Expr:
        if str(call.args[0].ty.dtype) != "bool":
            return legalize(bb, call)
        return bb.call_te(compare, *call.args, primfunc_name_hint=name.removeprefix("relax."))

    return lowering


def _batch_norm(bb: BlockBuilder, call: Call) -> Expr:
    """Inference only; in float32 the scale is one multiply-add for each element."""
    data, gamma, beta, mean, var = call.args
    axis, epsilon = int(call.attrs.axis), float(call.attrs.epsilon)
    scaled, centered = bool(call.attrs.scale), bool(call.attrs.center)

    def norm(
        x: te.Tensor, gamma: te.Tensor, beta: te.Tensor, mean: te.Tensor, var: te.Tensor
    ) -> te.Tensor:
        def element(*i: Expr) -> Expr:
            c = i[axis]
            y = (x(*i) - mean(c)) / tirx.sqrt(var(c) + tirx.const(epsilon, var.dtype))
            y = y * gamma(c) if scaled else y
            return y + beta(c) if centered else y

        return te.compute(x.shape, element, name="batch_norm", tag="broadcast")

    y = bb.call_te(norm, data, gamma, beta, mean, var, primfunc_name_hint="batch_norm")
    return relax.Tuple([bb.emit(y), mean, var])


LEGALIZE: Final[Mapping[str, Legalize]] = {
    **ARG_EXTREMA,
    **EXTREMA,
    **INTEGERS,
    **NON_ZERO,
    **UNIQUE,
    **NORMS,
    **PADS,
    **SCANS,
    **SCATTER,
    **SUMS,
    **SUPPRESSION,
    **WIDE,
    "relax.nn.gelu": _activation("gelu", activations.gelu),
    "relax.nn.gelu_tanh": _activation("gelu_tanh", activations.gelu_tanh),
    "relax.nn.relu": _relu,
    "relax.nn.silu": _activation("silu", activations.quick_gelu),
    "relax.astype": _cast,
    "relax.clip": _clip,
    "relax.maximum": _extremum("maximum"),
    "relax.minimum": _extremum("minimum"),
    "relax.multiply": wrapping_or("multiply", _with_zeros("relax.multiply")),
    "relax.divide": _with_zeros("relax.divide"),
    "relax.equal": _comparison("relax.equal"),
    "relax.not_equal": _comparison("relax.not_equal"),
    "relax.nn.batch_norm": in_float32(_batch_norm),
    "relax.power": in_float32(_power),
    "relax.take": _take,
    "relax.mod": in_float32(Op.get("relax.mod").get_attr("FLegalize")),
    "relax.sign": _sign,
    **{
        f"relax.{name}": read_as_float32(Op.get(f"relax.{name}").get_attr("FLegalize"))
        for name in FINITENESS
    },
    **{
        f"relax.{name}": in_float32(Op.get(f"relax.{name}").get_attr("FLegalize"))
        for name in ELEMENTARY
    },
}
