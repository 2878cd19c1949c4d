"""The activations that ONNX's recurrent operators may have, on one number; NaN stays NaN.

Source: the table in ONNX's specification of LSTM.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from tvm import tirx
from tvm.ir import Expr

from tvmfuse.ops.lowering import activations


@dataclass(frozen=True)
class Activation:
    """A function of one number.

    Attributes:
        function: Of the number and as many parameters as there are.
        parameters: Alpha, then beta, where a node does not say; None where it has to, as ONNX says
            nothing, or ONNX Runtime something else.
    """

    function: Callable[..., Expr]
    parameters: tuple[float | None, ...] = ()


def _const(x: Expr, value: float) -> Expr:
    return tirx.const(value, x.ty.dtype)


def _affine(x: Expr, alpha: float, beta: float) -> Expr:
    return x * _const(x, alpha) + _const(x, beta)


def _thresholded_relu(x: Expr, alpha: float) -> Expr:
    return tirx.Select(x <= _const(x, alpha), _const(x, 0), x)


def _scaled_tanh(x: Expr, alpha: float, beta: float) -> Expr:
    return _const(x, alpha) * tirx.tanh(x * _const(x, beta))


def _hard_sigmoid(x: Expr, alpha: float, beta: float) -> Expr:
    return activations.clip(_affine(x, alpha, beta), _const(x, 0), _const(x, 1))


def _elu(x: Expr, alpha: float) -> Expr:
    return tirx.Select(x >= 0, x, _const(x, alpha) * (tirx.exp(x) - _const(x, 1)))


def _softsign(x: Expr) -> Expr:
    return x / (_const(x, 1) + tirx.abs(x))


def _softplus(x: Expr) -> Expr:
    # exp of what is not above zero does not overflow.
    return activations.relu(x) + tirx.log(_const(x, 1) + tirx.exp(-tirx.abs(x)))


ACTIVATIONS: Final[Mapping[str, Activation]] = {
    "affine": Activation(_affine, (None, None)),
    "elu": Activation(_elu, (1.0,)),
    "hardsigmoid": Activation(_hard_sigmoid, (0.2, 0.5)),
    "leakyrelu": Activation(activations.leaky_relu, (0.01,)),
    "relu": Activation(activations.relu),
    "scaledtanh": Activation(_scaled_tanh, (None, None)),
    "sigmoid": Activation(tirx.sigmoid),
    "softplus": Activation(_softplus),
    "softsign": Activation(_softsign),
    "tanh": Activation(tirx.tanh),
    "thresholdedrelu": Activation(_thresholded_relu, (None,)),
}
"""By ONNX's names, in lower case."""
