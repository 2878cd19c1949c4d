"""The onnx package's own node tests: each gives the right numbers, or is refused in words.

CI takes a sample; all of them run with ``python -m pytest -m zoo``.
"""

from __future__ import annotations

import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import onnx
import pytest
from drawn_cases import DRAWN
from graphs import run
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

from tvmfuse.arrays import restored, stored
from tvmfuse.errors import ModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.frontend.onnx.operands import VALUE_OPERANDS
from tvmfuse.runtime.failures import MISMATCH

SAMPLE = 73
"""One case in so many: a prime, so that no operator's family of cases is skipped as a whole."""

TOLERANCES = {1: 0, 2: 1e-2, 4: 1e-4, 8: 1e-4}
"""Relative and absolute, by the dtype's bytes; float16 and bfloat16 have 3 and 2 digits."""


@dataclass(frozen=True)
class Case:
    name: str
    model: onnx.ModelProto
    inputs: Sequence[np.ndarray]
    outputs: Sequence[np.ndarray]


def cases() -> Iterator[Case]:
    """Yield each node test, and again with its value operands as initializers.

    As they stand, even a Reshape's shape is fed; models state it as a constant.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        collected = collect_testcases(None)
    for case in collected:
        assert case.model is not None
        assert case.data_sets is not None
        domains = {node.domain for node in case.model.graph.node}
        if case.name.count("_expanded") or not domains <= {"", "ai.onnx"}:
            continue
        inputs, outputs = case.data_sets[0]
        plain = Case(case.name, case.model, [array(i) for i in inputs], [array(o) for o in outputs])
        yield plain
        positions = value_positions(case.model)
        if positions:
            yield frozen(plain, positions)


def array(value: object) -> np.ndarray:
    return (
        numpy_helper.to_array(value)
        if isinstance(value, onnx.TensorProto)
        else np.asarray(value, None if not isinstance(value, list) else object)
    )


def value_positions(model: onnx.ModelProto) -> list[int]:
    names = [i.name for i in model.graph.input]
    said = {
        node.input[p]
        for node in model.graph.node
        for p in VALUE_OPERANDS.get(node.op_type, ())
        if p < len(node.input)
    }
    return [place for place, name in enumerate(names) if name in said]


def frozen(case: Case, positions: Sequence[int]) -> Case:
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    inputs = list(model.graph.input)
    for place in positions:
        tensor = numpy_helper.from_array(case.inputs[place], inputs[place].name)
        model.graph.initializer.append(tensor)
    kept = [i for i in range(len(inputs)) if i not in positions]
    del model.graph.input[:]
    model.graph.input.extend(case.model.graph.input[i] for i in kept)
    return Case(f"{case.name} (frozen)", model, [case.inputs[i] for i in kept], case.outputs)


def verdict(case: Case) -> str:
    """Say "right", "refused", or what is wrong."""
    try:
        imported = import_model(case.model)
    except ModelError:
        return "refused"
    except Exception:
        return f"{case.name}: a bare error\n{traceback.format_exc()}"
    try:
        found = run(imported.module, *map(stored, case.inputs))
    except RuntimeError as error:
        if MISMATCH in str(error):
            return "refused"  # fed sizes which ONNX's implementations take for others
        return f"{case.name}: imported, and then\n{traceback.format_exc()}"
    except Exception:
        return f"{case.name}: imported, and then\n{traceback.format_exc()}"
    for lies, spec, theirs in zip(found, imported.outputs, case.outputs, strict=True):
        ours = restored(lies, spec.dtype)
        if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
            return f"{case.name}: {ours.dtype}{ours.shape}, not {theirs.dtype}{theirs.shape}"
        if case.name.partition(" ")[0] not in DRAWN and not close(ours, theirs):
            return f"{case.name}: {ours}\nnot {theirs}"
    return "right"


def close(ours: np.ndarray, theirs: np.ndarray) -> bool:
    if theirs.dtype.kind in "biu":
        return bool(np.array_equal(ours, theirs))
    tolerance = TOLERANCES[theirs.dtype.itemsize]
    wide, expected = (a.astype("float64") for a in (ours, theirs))
    return bool(np.allclose(wide, expected, rtol=tolerance, atol=tolerance, equal_nan=True))


def check(chosen: Sequence[Case]) -> Counter[str]:
    verdicts = [verdict(case) for case in chosen]
    wrong = [v for v in verdicts if v not in ("right", "refused")]
    assert not wrong, "\n\n".join(wrong)
    return Counter(verdicts)


def test_a_sample_of_the_node_tests() -> None:
    counts = check(list(cases())[::SAMPLE])
    assert counts["right"] > counts["refused"]


@pytest.mark.zoo
def test_all_node_tests() -> None:
    counts = check(list(cases()))
    print(dict(counts))
    assert counts["right"] > 1100
