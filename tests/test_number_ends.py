"""Operators on the ends of each dtype: what onnxruntime and eager torch agree on, ours gives too.

Where these two differ, ours is one of them; docs/numbers.md says which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import onnx
import onnx.parser
import pytest
import torch
from number_ends import (
    BINARY,
    UNARY,
    Array,
    Case,
    by_numpy,
    by_onnxruntime,
    by_torch,
    ends_of,
    gelu,
    gelu_tanh,
    is_float,
    model_of,
    same,
    takes,
)

import tvmfuse

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def fed_for(dtype: str) -> dict[str, Array]:
    """Return the ends, and all pairs of them; integers are divided by no zero."""
    x = ends_of(dtype)
    a, b = (grid.ravel() for grid in np.meshgrid(x, x))
    if not is_float(dtype):
        a, b = a[b != 0], b[b != 0]
    return {"x": x, "a": a, "b": b}


def cases_for(dtype: str) -> dict[int, tuple[Case, list[str]]]:
    """Return the cases that a dtype has, by place, and which inputs each reads."""
    both = [*((case, ["x"]) for case in UNARY), *((case, ["a", "b"]) for case in BINARY)]
    kept = (
        (case, inputs)
        for case, inputs in both
        if takes(case, dtype) and (is_float(dtype) or case.operator != "Pow")
    )
    return dict(enumerate(kept))


def wrong(
    case: Case, arrays: Sequence[Array], found: Array, expected: Sequence[Array]
) -> list[str]:
    """Return, in words, where results are none of those that are expected."""
    right = np.any([same(case, found, one, arrays[0]) for one in expected], axis=0)
    return [
        f"{case} of {', '.join(str(a[i]) for a in arrays)} is {found[i]}, "
        f"expected {' or '.join(str(one[i]) for one in expected)}"
        for i in np.flatnonzero(~right)
    ]


def references(case: Case, fed: Mapping[str, Array]) -> list[Array]:
    """Return what others compute."""
    arrays = list(fed.values())
    if not is_float(str(arrays[0].dtype)):
        return [by_numpy(case, arrays)]
    theirs = by_onnxruntime(model_of({0: (case, list(fed))}, fed), fed)
    wide = by_torch(case, [a.astype("float64") for a in arrays])
    eager = by_torch(case, arrays)
    return [eager, wide.astype(eager.dtype), *([] if theirs is None else [theirs])]


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_results_at_the_ends_of_a_dtype_are_onnxruntime_s_or_torch_s(dtype: str) -> None:
    fed, cases = fed_for(dtype), cases_for(dtype)
    results = tvmfuse.compile(model_of(cases, fed)).load()(fed)
    faults = [
        fault
        for place, (case, inputs) in cases.items()
        for fault in wrong(
            case,
            [fed[n] for n in inputs],
            results[f"y{place}"],
            references(case, {n: fed[n] for n in inputs}),
        )
    ]
    assert not faults, "\n".join(faults)


#: Activations as exporters write them, of an input x, each of which becomes one operator.
WRITTEN_OUT: dict[str, tuple[str, Callable[[torch.Tensor], torch.Tensor]]] = {
    "gelu": (
        "h = Mul (x, half) q = Mul (x, root) e = Erf (q) o = Add (e, one) y = Mul (h, o)",
        gelu,
    ),
    "bias gelu": (
        (
            "s = Add (x, bias) h = Mul (s, half) q = Mul (s, root) e = Erf (q) o = Add (e, one) "
            "y = Mul (h, o)"
        ),
        lambda x: gelu(x + 0.25),
    ),
    "fast gelu": (
        (
            "c = Mul (x, x) d = Mul (c, x) k = Mul (d, cubed) a = Add (x, k) b = Mul (a, scale) "
            "t = Tanh (b) o = Add (t, one) h = Mul (x, half) y = Mul (h, o)"
        ),
        gelu_tanh,
    ),
    "quick gelu": (
        "a = Mul (x, quick) g = Sigmoid (a) y = Mul (x, g)",
        lambda x: x * torch.sigmoid(1.702 * x),
    ),
    "silu": ("g = Sigmoid (x) y = Mul (x, g)", torch.nn.functional.silu),
}
CONSTANTS = {
    "half": 0.5, "root": 0.5**0.5, "one": 1.0, "cubed": 0.044715, "scale": (2 / np.pi) ** 0.5, "quick": 1.702,
}  # fmt: skip


def written_out(body: str, count: int) -> onnx.ModelProto:
    """Return a model of an activation in separate operators, on rows of so many numbers."""
    weights = {n: np.array(v, "float32") for n, v in CONSTANTS.items()}
    weights["bias"] = np.full(count, 0.25, "float32")
    model = onnx.parser.parse_model(
        f'<ir_version: 9, opset_import: ["": 20]> '
        f"g (float[2, {count}] x) => (float[2, {count}] y) {{ {body} }}"
    )
    used = (onnx.numpy_helper.from_array(a, n) for n, a in weights.items() if n in body)
    model.graph.initializer.extend(used)
    return model


@pytest.mark.parametrize("name", WRITTEN_OUT)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_fused_activation_ends_as_its_operators_do(name: str) -> None:
    x = np.stack([ends_of("float32")] * 2)
    body, eager = WRITTEN_OUT[name]
    model = written_out(body, x.shape[1])
    theirs = by_onnxruntime(model, {"x": x})
    assert theirs is not None
    wide = eager(torch.from_numpy(x.astype("float64"))).numpy().astype("float32")
    for level in ("none", "all"):
        found = tvmfuse.compile(model, level=level).load()(x=x)["y"]
        case = Case(f"{name} at level {level}", eager)
        assert not wrong(case, [x.ravel()], found.ravel(), [theirs.ravel(), wide.ravel()])


#: Rows on which sums and norms overflow, or have nothing to divide by.
ROWS = np.array(
    [
        [-np.inf, -np.inf, -np.inf, -np.inf],
        [np.inf, 0, 1, 2],
        [-np.inf, 0, 1, -np.inf],
        [np.nan, 0, 1, 2],
        [3e38, -3e38, 0, 1],
        [1e-45, 0, -0.0, 1e-38],
        [5, 5, 5, 5],
        [-200, 0, 0, -200],
    ],
    "float32",
)


def layer_norm(x: torch.Tensor) -> torch.Tensor:
    """Return it as ONNX defines it: 0 where the variance overflows, which others make NaN."""
    centered = x - x.mean(1, keepdim=True)
    return centered / torch.sqrt((centered * centered).mean(1, keepdim=True) + 1e-5)


#: What is computed of a row.
OF_ROWS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "Softmax": lambda x: torch.softmax(x, 1),
    "LogSoftmax": lambda x: torch.log_softmax(x, 1),
    "LayerNormalization": layer_norm,
}


@pytest.mark.parametrize("operator", OF_ROWS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_rows_with_ends_are_onnxruntime_s_or_torch_s(operator: str) -> None:
    weights = ", scale" * (operator == "LayerNormalization")
    model = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 20]> g (float[8, 4] x) => (float[8, 4] y) '
        f"{{ y = {operator} (x{weights}) }}"
    )
    if weights:
        ones = np.ones(4, "float32")
        model.graph.initializer.append(onnx.numpy_helper.from_array(ones, "scale"))
    theirs = by_onnxruntime(model, {"x": ROWS})
    assert theirs is not None
    case = Case(operator, OF_ROWS[operator])
    found, *expected = (
        a.ravel() + np.float32(0)  # zeros without their signs
        for a in (tvmfuse.compile(model).load()(x=ROWS)["y"], theirs, by_torch(case, [ROWS]))
    )
    assert not wrong(case, [ROWS.ravel()], found, expected)


def roots(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Return powers by numbers, which torch takes as roots, and by tensors, which it does not."""
    half = torch.full_like(x, 0.5)
    return x**0.5, x**-0.5, torch.pow(x, half), torch.pow(x, -half)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_torch_s_powers_by_one_half_are_eager_s(dtype: str) -> None:
    class Roots(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            return roots(x)

    x = torch.from_numpy(ends_of(dtype))
    executable = tvmfuse.compile(Roots(), example_inputs=(x,)).load()
    (name,) = (spec.name for spec in executable.manifest.inputs)
    found = executable({name: x.numpy()}).values()
    case = Case("a power", torch.pow)
    for ours, eager in zip(found, roots(x), strict=True):
        assert not wrong(case, [x.numpy()], ours, [eager.numpy()])
