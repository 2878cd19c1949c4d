"""Functions of one float32, each with its exact values, for `bench.ulp`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import onnx
import torch

from bench.single_operators import one

Array = np.ndarray


@dataclass(frozen=True)
class Function:
    """A function of one number.

    Attributes:
        model: A model of it, for so many numbers.
        exact: Its values of float64 numbers, to far more digits than float32 has.
        rises: Whether it never falls where numbers rise, never rises (False), or does both (None).
    """

    model: Callable[[int], onnx.ModelProto | torch.nn.Module]
    exact: Callable[[Array], Array]
    rises: bool | None = None


def of_onnx(operator: str, **attributes: Any) -> Callable[[int], onnx.ModelProto]:
    """Return what makes a model of one node."""
    return lambda count: one(operator, {"x": np.zeros(count, "float32")}, **attributes)[0]


def of_power(exponent: float) -> Callable[[int], onnx.ModelProto]:
    """Return what makes a model of a power with a constant exponent."""
    weights = {"exponent": np.array(exponent, "float32")}
    return lambda count: one("Pow", {"x": np.zeros(count, "float32")}, weights)[0]


def of_torch(function: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[int], torch.nn.Module]:
    """Return what makes a module of a function."""

    class Module(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return function(x)

    return lambda _: Module()


def by_torch(function: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Array], Array]:
    """Return a function of arrays that torch computes, in their own precision."""
    return lambda x: function(torch.from_numpy(x)).numpy()


_erfc = by_torch(torch.special.erfc)


def _gelu(x: Array) -> Array:
    found: Array = np.where(x == -np.inf, np.nan, 0.5 * x * _erfc(-x * math.sqrt(0.5)))
    return found


def _gelu_tanh(x: Array) -> Array:
    found: Array = x * _sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    return found


def _sigmoid(x: Array) -> Array:
    decay = np.exp(-np.abs(x))
    found: Array = np.where(x < 0, decay, 1.0) / (1 + decay)
    return found


def _softplus(x: Array) -> Array:
    found: Array = np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))
    return found


def _elu(alpha: float, gamma: float = 1.0) -> Callable[[Array], Array]:
    alpha, gamma = float(np.float32(alpha)), float(np.float32(gamma))
    return lambda x: np.where(x >= 0, gamma * x, gamma * alpha * np.expm1(np.minimum(x, 0)))


def _hard(x: Array, slope: float) -> Array:
    return np.clip(x * float(np.float32(slope)) + 0.5, 0, 1)


def _power(exponent: float) -> Callable[[Array], Array]:
    # Of one number 0.5 numpy takes the root, whose ends are others than C's.
    return lambda x: np.power(x, np.full_like(x, np.float32(exponent)))


SIXTH: Final = 1 / 6

FUNCTIONS: Final[Mapping[str, Function]] = {
    "Acos": Function(of_onnx("Acos"), np.arccos, rises=False),
    "Acosh": Function(of_onnx("Acosh"), np.arccosh, rises=True),
    "Asin": Function(of_onnx("Asin"), np.arcsin, rises=True),
    "Asinh": Function(of_onnx("Asinh"), np.arcsinh, rises=True),
    "Atan": Function(of_onnx("Atan"), np.arctan, rises=True),
    "Atanh": Function(of_onnx("Atanh"), np.arctanh, rises=True),
    "Celu": Function(of_onnx("Celu"), _elu(1.0), rises=True),
    "Cos": Function(of_onnx("Cos"), np.cos),
    "Cosh": Function(of_onnx("Cosh"), np.cosh),
    "Elu": Function(of_onnx("Elu"), _elu(1.0), rises=True),
    "Erf": Function(of_onnx("Erf"), by_torch(torch.erf), rises=True),
    "Exp": Function(of_onnx("Exp"), np.exp, rises=True),
    "Gelu": Function(of_onnx("Gelu"), _gelu),
    "Gelu, tanh": Function(of_onnx("Gelu", approximate="tanh"), _gelu_tanh),
    "HardSigmoid": Function(of_onnx("HardSigmoid"), lambda x: _hard(x, 0.2), rises=True),
    "HardSwish": Function(of_onnx("HardSwish"), lambda x: x * _hard(x, SIXTH)),
    "Log": Function(of_onnx("Log"), np.log, rises=True),
    "Mish": Function(of_onnx("Mish"), lambda x: x * np.tanh(_softplus(x))),
    "Reciprocal": Function(of_onnx("Reciprocal"), lambda x: 1 / x),
    "Selu": Function(
        of_onnx("Selu"), _elu(1.67326319217681884765625, 1.05070102214813232421875), rises=True
    ),
    "Sigmoid": Function(of_onnx("Sigmoid"), _sigmoid, rises=True),
    "Sin": Function(of_onnx("Sin"), np.sin),
    "Sinh": Function(of_onnx("Sinh"), np.sinh, rises=True),
    "Softplus": Function(of_onnx("Softplus"), _softplus, rises=True),
    "Softsign": Function(of_onnx("Softsign"), lambda x: x / (1 + np.abs(x)), rises=True),
    "Sqrt": Function(of_onnx("Sqrt"), np.sqrt, rises=True),
    "Swish": Function(of_torch(torch.nn.functional.silu), lambda x: x * _sigmoid(x)),
    "Tan": Function(of_onnx("Tan"), np.tan),
    "Tanh": Function(of_onnx("Tanh"), np.tanh, rises=True),
    "x**-2": Function(of_power(-2), _power(-2)),
    "x**-1": Function(of_power(-1), _power(-1)),
    "x**-0.5": Function(of_power(-0.5), _power(-0.5)),
    "x**0.333": Function(of_power(0.333), _power(0.333)),
    "x**0.5": Function(of_power(0.5), _power(0.5)),
    "x**2": Function(of_power(2), _power(2)),
    "x**2.2": Function(of_power(2.2), _power(2.2)),
    "x**3": Function(of_power(3), _power(3), rises=True),
    "x**4": Function(of_power(4), _power(4)),
    "x**7": Function(of_power(7), _power(7), rises=True),
    "erfc": Function(of_torch(torch.erfc), _erfc, rises=False),
    "exp2": Function(of_torch(torch.exp2), np.exp2, rises=True),
    "expm1": Function(of_torch(torch.expm1), np.expm1, rises=True),
    "log10": Function(of_torch(torch.log10), np.log10, rises=True),
    "log1p": Function(of_torch(torch.log1p), np.log1p, rises=True),
    "log2": Function(of_torch(torch.log2), np.log2, rises=True),
    "logsigmoid": Function(
        of_torch(torch.nn.functional.logsigmoid),
        lambda x: np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x))),
        rises=True,
    ),
    "rsqrt": Function(of_torch(torch.rsqrt), lambda x: 1 / np.sqrt(x)),
}
