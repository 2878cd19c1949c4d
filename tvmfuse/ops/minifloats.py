"""`tvmfuse.decode_minifloat` and `tvmfuse.encode_minifloat`: floats of 8 bits or less and float32.

LLVM has none of these types, and TVM's conversions know few of them: this is integer arithmetic on
codes, which vectorizes, and is exact. Rounding is to the nearest, ties to the even code.
"""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr

from tvmfuse.narrow_types import EXPONENT_ONLY, MINIFLOATS, Minifloat
from tvmfuse.ops.definition import call, define
from tvmfuse.ops.traits import Kind, Traits

ROUND_MODES: Final = ("up", "down", "nearest")
"""How a number between two powers of two is rounded, in a format that has nothing else."""

#: Of float32.
MANTISSA: Final = 23
BIAS: Final = 127
MAGNITUDE: Final = 0x7FFFFFFF
INFINITY: Final = 0x7F800000
QUIET_NAN: Final = 0x7FC00000


def _decode(bb: relax.BlockBuilder, node: Call) -> Expr:
    name = str(node.attrs["format"])

    def element(code: Expr) -> Expr:
        return decoded_exponent(code) if name == EXPONENT_ONLY else decoded(code, MINIFLOATS[name])

    def compute(x: te.Tensor) -> te.Tensor:
        return te.compute(x.shape, lambda *i: element(x(*i)), name="decode", tag="elemwise")

    return bb.call_te(compute, *node.args, primfunc_name_hint=f"decode_{name}")


def _encode(bb: relax.BlockBuilder, node: Call) -> Expr:
    name, saturate = str(node.attrs["format"]), bool(node.attrs["saturate"])
    mode = str(node.attrs["round_mode"])

    def element(x: Expr) -> Expr:
        if name == EXPONENT_ONLY:
            return encoded_exponent(x, mode, saturate=saturate)
        return encoded(x, MINIFLOATS[name], saturate=saturate)

    def compute(x: te.Tensor) -> te.Tensor:
        return te.compute(x.shape, lambda *i: element(x(*i)), name="encode", tag="elemwise")

    return bb.call_te(compute, *node.args, primfunc_name_hint=f"encode_{name}")


DECODE_MINIFLOAT: Final = define(
    "tvmfuse.decode_minifloat",
    traits=Traits(kind=Kind.ELEMENTWISE),
    infer=lambda node: relax.TensorType(node.args[0].ty.shape, "float32"),
    legalize=_decode,
    doc="The float32 that a code of a minifloat stands for.",
)

ENCODE_MINIFLOAT: Final = define(
    "tvmfuse.encode_minifloat",
    traits=Traits(kind=Kind.ELEMENTWISE),
    infer=lambda node: relax.TensorType(node.args[0].ty.shape, "uint8"),
    legalize=_encode,
    doc="The code of the minifloat that is nearest to a float32.",
)


def decode_minifloat(x: Expr, name: str) -> Call:
    """Return codes as the float32 numbers that they stand for.

    Args:
        x: uint8, of any shape; of a format of fewer bits the upper ones are zero.
        name: The format, of `narrow_types.MINIFLOATS` or `EXPONENT_ONLY`.
    """
    return call(DECODE_MINIFLOAT, [x], format=name)


def encode_minifloat(
    x: Expr, name: str, *, saturate: bool = True, round_mode: str = "nearest"
) -> Call:
    """Return the codes of the nearest numbers of a format, as uint8.

    Args:
        x: float32 or float64, of any shape.
        name: The format.
        saturate: Whether what is beyond the largest number becomes it, infinities, too; else it
            becomes the format's infinity, or NaN where it has none.
        round_mode: Of `EXPONENT_ONLY`, one of `ROUND_MODES`; the others round to the nearest.
    """
    return call(ENCODE_MINIFLOAT, [x], format=name, saturate=saturate, round_mode=round_mode)


def decoded(code: Expr, kind: Minifloat) -> Expr:
    """Return the float32 of one code.

    Normal numbers get float32's exponent; of the others the mantissa is a small integer, which is
    scaled, so that no subnormal float32 is ever read.
    """
    bits = code.astype("int32")
    magnitude = bits & _int((1 << kind.sign) - 1)
    shift = MANTISSA - kind.mantissa
    normal = (magnitude << _int(shift)) + _int((BIAS - kind.bias) << MANTISSA)
    scale = 2.0 ** (1 - kind.bias - kind.mantissa)
    small = tirx.reinterpret("int32", magnitude.astype("float32") * tirx.const(scale, "float32"))
    value = tirx.if_then_else(magnitude < _int(1 << kind.mantissa), small, normal)
    if kind.infinity is not None:
        value = tirx.Select(magnitude == _int(kind.infinity), _int(INFINITY), value)
        value = tirx.Select(magnitude > _int(kind.infinity), _int(QUIET_NAN), value)
    value = value | ((bits >> _int(kind.sign)) << _int(31))
    if kind.nan is not None and kind.infinity is None:
        code_of = bits if kind.nan >> kind.sign else magnitude
        value = tirx.Select(code_of == _int(kind.nan), _int(QUIET_NAN), value)
    return tirx.reinterpret("float32", value)


def encoded(x: Expr, kind: Minifloat, *, saturate: bool) -> Expr:
    """Return the code of the number next to one float32.

    The mantissa, with its leading bit, is shifted to the place of the code's last bit and rounded;
    what it carries goes into the exponent, as codes are in order.
    """
    bits = _bits(x)
    magnitude = bits & _int(MAGNITUDE)
    exponent = (magnitude >> _int(MANTISSA)) - _int(BIAS)
    above = tirx.max(exponent - _int(1 - kind.bias), _int(0))
    below = tirx.max(_int(1 - kind.bias) - exponent, _int(0))
    whole = (magnitude & _int((1 << MANTISSA) - 1)) | _int(1 << MANTISSA)
    # Beyond 25 places nothing is left, and nothing is rounded up.
    places = tirx.min(below + _int(MANTISSA - kind.mantissa), _int(MANTISSA + 2))
    odd = (whole >> places) & _int(1)
    half = (_int(1) << (places - _int(1))) - _int(1)
    code = ((whole + half + odd) >> places) + (above << _int(kind.mantissa))
    beyond = _beyond(kind, saturate=saturate)
    code = tirx.Select(code > _int(kind.largest), _int(beyond), code)
    code = tirx.Select(magnitude < _int(INFINITY), code, _int(beyond))
    sign = ((bits >> _int(31)) & _int(1)) << _int(kind.sign)
    if not kind.negative_zero:  # its code is NaN
        sign = tirx.Select(code == _int(0), _int(0), sign)
    # Where there is no NaN, it becomes zero.
    code = tirx.Select(magnitude > _int(INFINITY), _int(kind.nan or 0), code)
    return (code | sign).astype("uint8")


def _beyond(kind: Minifloat, *, saturate: bool) -> int:
    """Return the code, without its sign, of what is larger than the largest number."""
    if not saturate and kind.infinity is not None:
        return kind.infinity
    return kind.largest if saturate or kind.nan is None else kind.nan


def decoded_exponent(code: Expr) -> Expr:
    """Return the power of two of one code; that of 0 is a subnormal float32."""
    bits = code.astype("int32")
    value = tirx.Select(bits == _int(0), _int(1 << (MANTISSA - 1)), bits << _int(MANTISSA))
    value = tirx.Select(bits == _int(255), _int(QUIET_NAN), value)
    return tirx.reinterpret("float32", value)


def encoded_exponent(x: Expr, mode: str, *, saturate: bool) -> Expr:
    """Return the code of the power of two next to one positive float32.

    Of a normal number that is its exponent as it stands. What ONNX leaves open, negative numbers,
    is taken for its magnitude.
    """
    magnitude = _bits(x) & _int(MAGNITUDE)
    rest, least = magnitude & _int((1 << MANTISSA) - 1), _int(1 << (MANTISSA - 1))
    code = magnitude >> _int(MANTISSA)
    # Subnormal numbers begin at half a step: 2 ** -127 has this mantissa, and code 0.
    subnormal = code == _int(0)
    if mode == "up":
        rounds_up = rest > tirx.Select(subnormal, least, _int(0))
    elif mode == "down":
        rounds_up = tirx.const(False, "bool")  # noqa: FBT003
    else:
        rounds_up = rest >= tirx.Select(subnormal, least + _int(1 << (MANTISSA - 2)), least)
    code = code + rounds_up.astype("int32")
    most = _int(254 if saturate else 255)
    code = tirx.Select(magnitude >= _int(INFINITY), most, tirx.min(code, most))
    if not saturate:
        code = tirx.Select(magnitude < least, _int(255), code)
    return tirx.Select(magnitude > _int(INFINITY), _int(255), code).astype("uint8")


def _bits(x: Expr) -> Expr:
    """Return the bits of a float32; of a float64, those of the float32 that rounds as it does.

    That is the next one toward zero with its last bit set, which stands for what is cut off:
    "rounding to odd". Source: S. Boldo and G. Melquiond, Emulation of FMA and Correctly Rounded
    Sums, 2008.
    """
    near = tirx.reinterpret("int32", x.astype("float32"))
    if str(x.ty.dtype if hasattr(x.ty, "dtype") else x.dtype) != "float64":
        return near
    back = tirx.reinterpret("float32", near).astype("float64")
    beyond = tirx.abs(back) > tirx.abs(x)
    odd = (near - beyond.astype("int32")) | _int(1)
    return tirx.Select(tirx.any(back == x, x != x), near, odd)


def _int(number: int) -> Expr:
    return tirx.const(number, "int32")
