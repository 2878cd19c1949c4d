"""Every operator in tiny, as a user meets it: it agrees with onnxruntime, or is refused in words.

Many cases stand in one graph, because each compilation has a price of its own.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from operator_cases import CASES
from operator_models import REFUSED, model_of
from reference import reference

import tvmfuse
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

PER_GRAPH = 14


def differs(found: np.ndarray, expected: np.ndarray) -> str:
    """Say how two arrays differ; element by element, within 1e-4 of each element."""
    if (found.dtype, found.shape) != (expected.dtype, expected.shape):
        return f"{found.dtype}{found.shape} instead of {expected.dtype}{expected.shape}"
    if expected.dtype.kind != "f":
        wrong = found != expected
    else:
        rtol = 2e-3 if expected.dtype == "float16" else 1e-4
        found, expected = found.astype("float64"), expected.astype("float64")
        wrong = ~np.isclose(found, expected, rtol=rtol, atol=2e-6, equal_nan=True)
    if wrong.any():
        return f"{found[wrong][:6].tolist()} instead of {expected[wrong][:6].tolist()}"
    return ""


def graphs() -> Iterator[Sequence[str]]:
    for opset in (17, 20, 21):
        names = [n for n, c in CASES.items() if c.opset == opset and n not in REFUSED]
        yield from (names[i : i + PER_GRAPH] for i in range(0, len(names), PER_GRAPH))


@pytest.mark.parametrize("level", ["none", "all"])
@pytest.mark.parametrize("names", list(graphs()), ids=lambda names: names[0])
@pytest.mark.sampled(6)
def test_operators_agree_with_onnxruntime(names: Any, level: str) -> None:
    model, feeds, owner = model_of([CASES[name] for name in names])
    expected = reference(model, feeds)
    found = tvmfuse.compile(model, level=level).load()(feeds)
    said = {
        owner[o]: difference for o in expected if (difference := differs(found[o], expected[o]))
    }
    assert said == {}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_says_why(name: Any) -> None:
    with pytest.raises(UnsupportedModelError) as error:
        import_model(model_of([CASES[name]])[0])
    assert REFUSED[name] in str(error.value)
    assert CASES[name].op in str(error.value)
