"""The ends of numbers, and models of many operators on them, for `tests/test_number_ends.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
import torch
from onnx import helper
from torch.nn import functional

Array = np.ndarray


def _limits(dtype: Any) -> Any:
    finfo: Any = ml_dtypes.finfo
    return finfo(dtype)


def ends_of(dtype: str) -> Array:
    """Return the numbers of a dtype where functions bend, break or end."""
    if dtype == "bool":
        return np.array([False, True])
    if not is_float(dtype):
        info = np.iinfo(dtype)
        found = {info.min, info.min + 1, -1, 0, 1, 2, 7, info.max - 1, info.max}
        return np.array(sorted(n for n in found if n >= info.min), dtype)
    limits = _limits(dtype)
    sizes = [
        0,
        limits.smallest_subnormal,
        limits.smallest_normal,
        limits.eps,
        0.5,
        1,
        1.5,
        2,
        10,
        20,
    ]
    sizes += [100, 1e4, limits.max, np.inf]
    both = chain.from_iterable((float(s), -float(s)) for s in sizes)
    return np.array([*both, np.nan], dtype)


@dataclass(frozen=True)
class Case:
    """An operator on one or two tensors.

    Attributes:
        operator: ONNX's name.
        eager: The same in torch.
        domain: The operator's.
        attributes: The node's.
        exponent: Of Pow, where it is a constant.
        difference: Whether ONNX's formula takes 1 from what is near it, and loses digits so.
    """

    operator: str
    eager: Callable[..., torch.Tensor]
    domain: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    exponent: float | None = None
    difference: bool = False

    def __str__(self) -> str:
        more = [f"{k}={v}" for k, v in self.attributes.items()]
        return " ".join(
            [self.operator, *more, *map(str, [self.exponent] * (self.exponent is not None))]
        )


def _given(number: float) -> float:
    """Return an attribute's number, which ONNX keeps as float32."""
    return float(np.float32(number))


def _hard_sigmoid(x: torch.Tensor) -> torch.Tensor:
    return torch.clamp(x * _given(0.2) + 0.5, 0, 1)


def _hard_swish(x: torch.Tensor) -> torch.Tensor:
    return x * torch.clamp(x / 6 + 0.5, 0, 1)


def _selu(x: torch.Tensor) -> torch.Tensor:
    alpha, gamma = 1.67326319217681884765625, 1.05070102214813232421875
    return torch.where(x < 0, gamma * alpha * torch.expm1(x), gamma * x)


def _sign(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(np.sign(x.numpy()))  # of NaN it is NaN, where torch has 0


def gelu(x: torch.Tensor) -> torch.Tensor:
    """Return gelu of inf as inf, where torch has NaN."""
    return x * (0.5 + 0.5 * torch.erf(x * 0.5**0.5))


def gelu_tanh(x: torch.Tensor) -> torch.Tensor:
    """Return gelu with a tanh in place of erf."""
    return functional.gelu(x, approximate="tanh")


def _power(exponent: float) -> Callable[[torch.Tensor], torch.Tensor]:
    return lambda x: torch.pow(x, torch.full_like(x, exponent))


_SAME_NAME = (
    "Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Erf Exp Floor Log Neg Reciprocal Relu Round "
    "Sigmoid Sin Sinh Sqrt Tan Tanh"
).split()


def is_float(dtype: str) -> bool:
    """Whether a dtype has fractions."""
    return dtype.startswith(("float", "bfloat"))


def takes(case: Case, dtype: str) -> bool:
    """Whether an operator is defined on a dtype."""
    if case.domain:
        return dtype == "float32"
    schema = onnx.defs.get_schema(case.operator, OPSET)
    (types,) = (
        c.allowed_type_strs for c in schema.type_constraints
        if c.type_param_str == schema.inputs[0].type_str
    )  # fmt: skip
    return f"tensor({ONNX_NAMES.get(dtype, dtype)})" in types


OPSET = 20
ONNX_NAMES = {"float32": "float", "float64": "double"}

UNARY = (
    *(Case(name, getattr(torch, name.lower())) for name in _SAME_NAME),
    Case("Celu", functional.celu, difference=True),
    Case("Elu", functional.elu, difference=True),
    Case("Gelu", gelu),
    Case("Gelu", gelu_tanh, attributes={"approximate": "tanh"}),
    Case("FastGelu", gelu_tanh, "com.microsoft"),
    Case("HardSigmoid", _hard_sigmoid),
    Case("HardSwish", _hard_swish),
    Case("IsInf", torch.isinf),
    Case("IsNaN", torch.isnan),
    Case("LeakyRelu", lambda x: functional.leaky_relu(x, _given(0.01))),
    Case("Mish", functional.mish),
    Case("QuickGelu", lambda x: x * torch.sigmoid(1.702 * x), "com.microsoft", {"alpha": 1.702}),
    Case("Selu", _selu, difference=True),
    Case("Sign", _sign),
    Case("Softplus", functional.softplus),
    Case("Softsign", functional.softsign),
    Case("ThresholdedRelu", lambda x: torch.where(x > 1, x, 0)),
    *(Case("Pow", _power(e), exponent=e) for e in (-2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4, 5)),
)

BINARY = (
    Case("Add", torch.add),
    Case("Sub", torch.sub),
    Case("Mul", torch.mul),
    Case("Div", torch.div),
    Case("Max", torch.maximum),
    Case("Min", torch.minimum),
    Case("Mod", torch.fmod, attributes={"fmod": 1}),
    Case("Pow", torch.pow),
    Case("Equal", torch.eq),
    Case("Greater", torch.gt),
    Case("GreaterOrEqual", torch.ge),
    Case("Less", torch.lt),
    Case("LessOrEqual", torch.le),
    Case("PRelu", lambda x, slope: torch.where(x < 0, x * slope, x)),
)


def _quotient(a: Array, b: Array) -> Array:
    """Divide integers, rounding towards zero."""
    down: Array = a // b
    found: Array = down + ((a % b != 0) & ((a < 0) != (b < 0))).astype(a.dtype)
    return found


#: On integers, by numpy, which wraps around; the divisors are not zero.
OF_INTEGERS: Mapping[str, Callable[..., Array]] = {
    "Abs": np.abs, "Neg": np.negative, "Sign": np.sign, "Relu": lambda x: np.maximum(x, 0),
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": _quotient,
    "Max": np.maximum, "Min": np.minimum, "Mod": np.fmod, "Equal": np.equal,
    "Greater": np.greater, "GreaterOrEqual": np.greater_equal, "Less": np.less,
    "LessOrEqual": np.less_equal,
    "PRelu": lambda x, slope: np.where(x < 0, x * slope, x),
}  # fmt: skip

#: Operators whose results are truth values.
TRUTHS = ("Equal", "Greater", "GreaterOrEqual", "IsInf", "IsNaN", "Less", "LessOrEqual")


def node_of(case: Case, place: int, inputs: list[str]) -> onnx.NodeProto:
    """Return a case's node."""
    return helper.make_node(
        case.operator, inputs, [f"y{place}"], domain=case.domain, **case.attributes
    )


def model_of(
    cases: Mapping[int, tuple[Case, list[str]]], fed: Mapping[str, Array]
) -> onnx.ModelProto:
    """Return a model of cases by their places, and the names of what each one reads."""
    nodes, weights = [], []
    for place, (case, inputs) in cases.items():
        given = list(inputs)
        if case.exponent is not None:
            dtype = fed[inputs[0]].dtype
            weights.append(
                onnx.numpy_helper.from_array(np.array(case.exponent, dtype), f"e{place}")
            )
            given.append(f"e{place}")
        nodes.append(node_of(case, place, given))
    graph = helper.make_graph(
        nodes,
        "ends",
        [helper.make_tensor_value_info(n, _kind(a), a.shape) for n, a in fed.items()],
        [_output(case, place, fed[inputs[0]]) for place, (case, inputs) in cases.items()],
        weights,
    )
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, ir_version=9, opset_imports=opsets)


def _output(case: Case, place: int, given: Array) -> onnx.ValueInfoProto:
    kind = onnx.TensorProto.BOOL if case.operator in TRUTHS else _kind(given)
    return helper.make_tensor_value_info(f"y{place}", kind, None)


def _kind(array: Array) -> int:
    return helper.np_dtype_to_tensor_dtype(array.dtype)


def by_onnxruntime(model: onnx.ModelProto, fed: Mapping[str, Array]) -> Array | None:
    """Return what onnxruntime computes without its optimizations; None where it cannot."""
    if any(array.dtype == "bfloat16" for array in fed.values()):
        return None  # it takes no such array
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
    except Exception:  # its exceptions have no type of their own for an operator that it lacks
        return None
    results: list[Array] = session.run(None, dict(fed))
    return results[0]


def by_numpy(case: Case, arrays: list[Array]) -> Array:
    """Return what numpy computes of integers."""
    with np.errstate(all="ignore"):
        return OF_INTEGERS[case.operator](*arrays)


def by_torch(case: Case, arrays: list[Array]) -> Array:
    """Return what torch computes, of half precision in float32, rounded once."""
    dtype = arrays[0].dtype
    wide = "float32" if dtype.itemsize == 2 else dtype
    result: Array = case.eager(*(torch.from_numpy(a.astype(wide)) for a in arrays)).numpy()
    return result if result.dtype == bool else result.astype(dtype)


def same(case: Case, found: Array, expected: Array, operand: Array) -> Array:
    """Compare numbers: ends exactly, zeros by their signs, the others to some last places.

    Args:
        case: The operator.
        found: What was computed.
        expected: What another computed.
        operand: The first one. A formula may take from it what is as large.
    """
    equal: Array = found == expected
    if found.dtype.kind in "biu":
        return equal
    limits = _limits(found.dtype)
    eps, least = float(limits.eps), float(limits.smallest_subnormal)
    with np.errstate(all="ignore"):
        a, b, x = (n.astype("float64") for n in (found, expected, operand))
        size = np.where(np.abs(x) <= 100, np.abs(x), 0)
        slack = np.where(b == 0, 0, eps * size) + least * (2 + size) + eps * case.difference
        signs = (np.signbit(a) == np.signbit(b)) | (case.difference & (a == 0))
        near = (np.abs(a - b) <= 8 * eps * np.abs(b) + slack) & np.isfinite(a) & np.isfinite(b)
        agreed: Array = signs & (near | (a == b)) | np.isnan(a) & np.isnan(b)
        return agreed
