"""Relax operators that compute, on numpy arrays: what the compiled model would compute.

A kernel gets the call, for its attributes, and its operands: arrays for tensors, tuples for
tuples and shapes, numbers for scalars. It may compute in a wider float type; `evaluate` rounds the
result to the dtype of the call. NaN and infinity propagate as IEEE 754 and ONNX have it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from tvm.ir import Call

Array = np.ndarray
Kernel = Callable[..., Any]


def plain(function: Kernel) -> Kernel:
    """Wrap a function that needs no attribute."""
    return lambda _call, *operands: function(*operands)


def _wide(x: Array) -> Any:
    """Return half-precision floats as single, in which the CPU computes; others as they are."""
    return x.astype(np.float32) if x.dtype.itemsize < 4 and not is_integer(x) else x


def is_integer(x: Array) -> bool:
    """Whether an array holds integers or booleans."""
    return x.dtype.kind in "iub"


# Element by element.


def _erf(x: Array) -> Any:
    wide = np.asarray(x, np.float64)
    return np.asarray([math.erf(v) for v in wide.ravel()]).reshape(wide.shape)


def _sigmoid(x: Array) -> Any:
    return 1 / (1 + np.exp(-_wide(x)))


def _gelu(x: Array) -> Any:
    x = _wide(x)
    return 0.5 * x * (1 + _erf(x / math.sqrt(2)))


def _gelu_tanh(x: Array) -> Any:
    x = _wide(x)
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def _leakyrelu(call: Call, x: Array) -> Any:
    return np.where(x > 0, x, x * np.asarray(call.attrs.alpha, x.dtype))


def _clip(_call: Call, x: Array, low: float, high: float) -> Any:
    if is_integer(x):
        limits = np.iinfo(x.dtype)
        low, high = max(low, limits.min), min(high, limits.max)
    return np.minimum(np.maximum(x, np.asarray(low, x.dtype)), np.asarray(high, x.dtype))


def _divide(a: Array, b: Array) -> Any:
    if not is_integer(a):
        return a / b
    _require_divisor(b)
    quotient = a // b
    # C rounds towards zero, numpy down.
    return quotient + ((a % b != 0) & ((a < 0) != (b < 0))).astype(a.dtype)


def _floor_divide(a: Array, b: Array) -> Any:
    if not is_integer(a):
        return np.floor(a / b)
    _require_divisor(b)
    return a // b


def _mod(a: Array, b: Array) -> Any:
    if is_integer(a):
        _require_divisor(b)
    return np.fmod(a, b)


def _floor_mod(a: Array, b: Array) -> Any:
    if not is_integer(a):
        return a - np.floor(a / b) * b
    _require_divisor(b)
    return np.mod(a, b)


def _require_divisor(b: Array) -> None:
    if not np.all(b):
        raise ZeroDivisionError("an integer is divided by zero")


def _power(a: Array, b: Array) -> Any:
    if is_integer(a) and is_integer(b) and np.any(b < 0):
        raise ZeroDivisionError("an integer has a negative exponent")
    return np.power(a, b)


# Reductions.


def axes_of(axes: Sequence[int] | None) -> tuple[int, ...] | None:
    """Return an attribute that lists axes; None stands for all."""
    return None if axes is None else tuple(int(a) for a in axes)


def _reduction(function: Kernel) -> Kernel:
    def kernel(call: Call, x: Array) -> Any:
        axes, keep = axes_of(call.attrs.axis), bool(call.attrs.keepdims)
        return function(x, axis=axes, keepdims=keep)

    return kernel


def _same_dtype(function: Kernel) -> Kernel:
    """Make numpy add or multiply integers in their own dtype, floats at least in single."""
    return lambda x, **how: function(_wide(x), dtype=_wide(x).dtype, **how)


def _of_some(function: Kernel) -> Kernel:
    """Leave the mean of nothing to the kernel: numpy warns of it, which is the process's affair."""

    def kernel(x: Array, **how: Any) -> Any:
        if not x.size:
            raise ValueError("there is nothing to take a mean of")
        return _same_dtype(function)(x, **how)

    return kernel


def _arg(function: Kernel) -> Kernel:
    def kernel(call: Call, x: Array) -> Any:
        return function(x, axis=call.attrs.axis, keepdims=bool(call.attrs.keepdims))

    return kernel


def _scan(function: Kernel, neutral: int) -> Kernel:
    def kernel(call: Call, x: Array) -> Any:
        axis = call.attrs.axis
        x, axis = (x.ravel(), 0) if axis is None else (x, int(axis))
        dtype = str(call.ty.dtype)
        scanned = function(x, axis=axis, dtype=dtype)
        if not call.attrs.exclusive:
            return scanned
        first = np.full_like(np.take(scanned, [0], axis), neutral)
        return np.concatenate([first, np.delete(scanned, -1, axis)], axis)

    return kernel


# Products and norms.


def _matmul(call: Call, a: Array, b: Array) -> Any:
    dtype = call.attrs.out_dtype
    if dtype:
        a, b = a.astype(str(dtype)), b.astype(str(dtype))
    return np.matmul(_wide(a), _wide(b))


def _gemm(call: Call, a: Array, b: Array, c: Array | None = None) -> Any:
    attrs = call.attrs
    a, b = _wide(a), _wide(b)
    a, b = a.T if attrs["trans_a"] else a, b.T if attrs["trans_b"] else b
    y = np.asarray(attrs["alpha"], a.dtype) * np.matmul(a, b)
    return y if c is None else y + np.asarray(attrs["beta"], a.dtype) * c


def _softmax(call: Call, x: Array) -> Any:
    return np.exp(_log_softmax(call, x))


def _log_softmax(call: Call, x: Array) -> Any:
    axis, x = int(call.attrs.axis), _wide(x)
    x = x - x.max(axis, keepdims=True)
    return x - np.log(np.exp(x).sum(axis, keepdims=True))


def _batch_norm(
    call: Call, x: Array, gamma: Array, beta: Array, mean: Array, variance: Array
) -> tuple[Array, ...]:
    attrs = call.attrs
    if attrs.training:
        raise ValueError("a batch norm in training mode uses the statistics of its input")
    shape = [-1 if i == attrs.axis % x.ndim else 1 for i in range(x.ndim)]
    y = (_wide(x) - mean.reshape(shape)) / np.sqrt(variance.reshape(shape) + attrs.epsilon)
    y = y * gamma.reshape(shape) if attrs.scale else y
    return (y + beta.reshape(shape) if attrs.center else y), mean, variance


def _quantize(call: Call, x: Array, scale: Array, zero: Array) -> Any:
    limits = np.iinfo(str(call.attrs.out_dtype))
    steps = np.rint(x / _channels(call, x, scale)) + _channels(call, x, zero)
    return np.clip(steps, limits.min, limits.max).astype(limits.dtype)


def _dequantize(call: Call, x: Array, scale: Array, zero: Array) -> Any:
    steps = x.astype(np.int32) - _channels(call, x, zero).astype(np.int32)
    return steps * _channels(call, x, scale).astype(np.float32)


def _lookup(call: Call, x: Array) -> Any:
    table = np.array([*map(int, call.attrs["table"])], call.attrs["dtype"])
    return table[x.view(np.uint8)]


def _channels(call: Call, x: Array, parameter: Array) -> Any:
    """Lay a parameter, one for all or one for each channel, along the axis of the call."""
    if parameter.size == 1:
        return parameter.reshape(())
    return parameter.reshape([-1 if i == call.attrs.axis % x.ndim else 1 for i in range(x.ndim)])


ARITHMETIC: Final[Mapping[str, Kernel]] = {
    "relax.abs": plain(np.abs),
    "relax.acos": plain(np.arccos),
    "relax.acosh": plain(np.arccosh),
    "relax.add": plain(np.add),
    "relax.argmax": _arg(np.argmax),
    "relax.argmin": _arg(np.argmin),
    "relax.asin": plain(np.arcsin),
    "relax.asinh": plain(np.arcsinh),
    "relax.atan": plain(np.arctan),
    "relax.atan2": plain(np.arctan2),
    "relax.atanh": plain(np.arctanh),
    "relax.bitwise_and": plain(np.bitwise_and),
    "relax.bitwise_not": plain(np.bitwise_not),
    "relax.bitwise_or": plain(np.bitwise_or),
    "relax.bitwise_xor": plain(np.bitwise_xor),
    "relax.ceil": plain(np.ceil),
    "relax.clip": _clip,
    "relax.cos": plain(np.cos),
    "relax.cosh": plain(np.cosh),
    "relax.cumprod": _scan(np.cumprod, 1),
    "relax.cumsum": _scan(np.cumsum, 0),
    "relax.dequantize": _dequantize,
    "relax.divide": plain(_divide),
    "relax.equal": plain(np.equal),
    "relax.erf": plain(_erf),
    "relax.exp": plain(np.exp),
    "relax.floor": plain(np.floor),
    "relax.floor_divide": plain(_floor_divide),
    "relax.floor_mod": plain(_floor_mod),
    "relax.greater": plain(np.greater),
    "relax.greater_equal": plain(np.greater_equal),
    "relax.isfinite": plain(np.isfinite),
    "relax.isinf": plain(np.isinf),
    "relax.isnan": plain(np.isnan),
    "relax.left_shift": plain(np.left_shift),
    "relax.less": plain(np.less),
    "relax.less_equal": plain(np.less_equal),
    "relax.log": plain(np.log),
    "relax.logical_and": plain(np.logical_and),
    "relax.logical_not": plain(np.logical_not),
    "relax.logical_or": plain(np.logical_or),
    "relax.logical_xor": plain(np.logical_xor),
    "relax.matmul": _matmul,
    "relax.max": _reduction(np.max),
    "relax.maximum": plain(np.maximum),
    "relax.mean": _reduction(_of_some(np.mean)),
    "relax.min": _reduction(np.min),
    "relax.minimum": plain(np.minimum),
    "relax.mod": plain(_mod),
    "relax.multiply": plain(np.multiply),
    "relax.negative": plain(np.negative),
    "relax.nn.batch_norm": _batch_norm,
    "relax.nn.gelu": plain(_gelu),
    "relax.nn.gelu_tanh": plain(_gelu_tanh),
    "relax.nn.leakyrelu": _leakyrelu,
    "relax.nn.log_softmax": _log_softmax,
    "relax.nn.relu": plain(lambda x: np.maximum(x, np.asarray(0, x.dtype))),
    "relax.nn.silu": plain(lambda x: x * _sigmoid(x)),
    "relax.nn.softmax": _softmax,
    "relax.not_equal": plain(np.not_equal),
    "relax.power": plain(_power),
    "relax.prod": _reduction(_same_dtype(np.prod)),
    "relax.quantize": _quantize,
    "relax.right_shift": plain(np.right_shift),
    "relax.round": plain(np.rint),
    "relax.rsqrt": plain(lambda x: 1 / np.sqrt(_wide(x))),
    "relax.sigmoid": plain(_sigmoid),
    "relax.sign": plain(np.sign),
    "relax.sin": plain(np.sin),
    "relax.sinh": plain(np.sinh),
    "relax.sqrt": plain(np.sqrt),
    "relax.square": plain(np.square),
    "relax.std": _reduction(_of_some(np.std)),
    "relax.subtract": plain(np.subtract),
    "relax.sum": _reduction(_same_dtype(np.sum)),
    "relax.tan": plain(np.tan),
    "relax.tanh": plain(np.tanh),
    "relax.trunc": plain(np.trunc),
    "relax.variance": _reduction(_of_some(np.var)),
    "tvmfuse.gemm": _gemm,
    "tvmfuse.lookup": _lookup,
}
