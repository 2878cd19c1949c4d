"""What becomes of a case: it passes, is refused in words, or gives something else."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import onnx
from drawn_cases import DRAWN
from onnx.backend.test.case.test_case import TestCase
from onnx.backend.test.runner import Runner
from onnx_backend.cases import cases, data_of, model_of, operator_of
from onnx_backend.in_onnxruntime import RefusedByOnnxruntimeError, in_onnxruntime
from onnx_backend.symbolic import with_symbolic_sizes
from outcome import PASS, REFUSED, WRONG, Outcome, first_line, shortened

from tvmfuse import backend
from tvmfuse.errors import FallbackWarning, InputError, ModelError

#: Who computes: tvmfuse at two levels, and onnxruntime beside.
OURS: Final = ("none", "all")
ARMS: Final = (*OURS, "onnxruntime")
#: tvmfuse at level all, which leaves to onnxruntime what it refuses.
FALLBACK: Final = "fallback"
#: tvmfuse at level all, which is told no sizes.
SYMBOLIC: Final = "symbolic"

#: Its process did.
DIED: Final = "died"
TIMEOUT: Final = "timeout"


def outcome_of(name: str, arm: str) -> Outcome:
    """Run a case in this process."""
    case = cases()[name]
    model = model_of(case)
    if arm == SYMBOLIC:
        model = with_symbolic_sizes(model)
    try:
        run = in_onnxruntime(model) if arm == "onnxruntime" else _in_tvmfuse(model, arm)
        for inputs, expected in data_of(case, model):
            _compare(expected, run(inputs), case)
    except (ModelError, InputError, RefusedByOnnxruntimeError) as error:
        return Outcome(REFUSED, *_named(str(error), model, case))
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        return Outcome(WRONG, operator_of(case.name), _line(said))
    return Outcome(PASS)


def _in_tvmfuse(model: onnx.ModelProto, arm: str) -> Any:
    if arm == SYMBOLIC:
        return backend.prepare(model, level="all").run
    if arm != FALLBACK:
        return backend.prepare(model, level=arm).run
    os.environ["ALLOW_RELEASED_ONNX_OPSET_ONLY"] = "0"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        return backend.prepare(model, fallback="onnxruntime").run


def _compare(expected: Sequence[Any], found: Sequence[Any], case: TestCase) -> None:
    """Compare as onnx does, and its narrow types, which numpy cannot subtract, as float32.

    What is expected of float16 was computed in float16: two units in the last place are allowed, as
    onnx allows them for bfloat16. What is expected of a DFT was computed in float32: a sum that
    cancels is as far from 0 as its terms are rounded.
    """
    kinds = [_dtypes(values) for values in (expected, found)]
    assert kinds[0] == kinds[1], f"expected {kinds[0]}, found {kinds[1]}"
    if case.name in DRAWN:
        shapes = [[np.shape(value) for value in values] for values in (expected, found)]
        assert shapes[0] == shapes[1], f"expected {shapes[0]}, found {shapes[1]}"
        return
    rtol = max(case.rtol, 2.0**-9) if np.dtype("float16") in kinds[0] else case.rtol
    rounded = np.finfo(np.float32).eps * np.max(np.abs(expected[0])) if _is_dft(case) else 0.0
    atol = max(case.atol, rounded)
    Runner.assert_similar_outputs([*map(_wide, expected)], [*map(_wide, found)], rtol, atol)


def _is_dft(case: TestCase) -> bool:
    return operator_of(case.name) == "DFT"


def _dtypes(values: Sequence[Any]) -> list[Any]:
    return [
        _dtypes(value) if isinstance(value, list) else getattr(value, "dtype", type(value))
        for value in values
    ]


def _wide(value: Any) -> Any:
    if isinstance(value, list):
        return [*map(_wide, value)]
    foreign = isinstance(value, np.ndarray) and value.dtype.isbuiltin != 1
    narrow = foreign and value.dtype.itemsize == 1
    return value.astype(np.float32) if narrow else value


def _named(said: str, model: onnx.ModelProto, case: TestCase) -> tuple[str, str]:
    """Return the operator that a refusal names, and its reason."""
    listed = re.search(r"^  (\S+) \(opset \d+, node '.*?'\): (.*)", said, re.MULTILINE)
    if listed:
        return listed[1].replace("::", "."), _line(listed[2])
    operators = [node.op_type for node in model.graph.node]
    named = [o for o in operators if re.search(rf"\b{re.escape(o)}\b", said)]
    return (named or operators or [operator_of(case.name)])[0], _line(said)


def _line(said: str) -> str:
    line = first_line(said)
    line = re.sub(r"^\[ONNXRuntimeError\] : \d+ : |/onnxruntime_src/\S+ \S+ (.*\) )?", "", line)
    return shortened(line)
