"""Operators whose operands are numbers of elements, places and axes, tried at unusual numbers.

What holds of each: the right result or an error in words, never a signal, and no memory but for
what there is. onnxruntime says what is right; where its process ends, nothing is expected.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
import onnx
from graphs import onnx_model
from onnx import helper
from reference import reference

import tvmfuse
from tvmfuse.errors import CompilationError

NUMBERS: Final = (0, -1, 2**31 - 1, 2**31, 2**61, 2**63 - 1, -(2**31), -(2**63))
#: Bytes of what a case takes and gives; onnxruntime may well make more of large numbers.
LARGEST: Final = 1 << 20
PLACE: Final = "k"

RNG: Final = np.random.default_rng(0)
X: Final = RNG.standard_normal((3, 4), dtype="float32")
IMAGE: Final = RNG.standard_normal((1, 2, 6, 6), dtype="float32")
BOXES: Final = RNG.random((1, 6, 4)).astype("float32")
SCORES: Final = RNG.random((1, 1, 6)).astype("float32")


@dataclass(frozen=True)
class NumberCase:
    """One node.

    Attributes:
        operands: Arrays; the first one is fed, others are constants; None is absent.
        usual: What stands in the place of `PLACE`, and of which each element is tried.
    """

    op: str
    operands: Sequence[Any]
    usual: np.ndarray
    dtypes: tuple[str, ...] = ("float32",)
    attributes: dict[str, Any] = field(default_factory=dict)

    def models(self, *, fed: bool, symbolic: bool) -> Iterator[tuple[onnx.ModelProto, list[Any]]]:
        """Yield models, each with what it is fed: one where the numbers are fed, too."""
        tried = [self.usual]
        for place in np.ndindex(self.usual.shape):
            for number in NUMBERS:
                tried.append(self.usual.copy())
                tried[-1][place] = number
        if fed:
            yield self._model(None, symbolic), [self._feeds() | {PLACE: one} for one in tried]
        else:
            yield from ((self._model(one, symbolic), [self._feeds()]) for one in tried)

    def _feeds(self) -> dict[str, np.ndarray]:
        first = self.operands[0]
        return {"i0": first} if isinstance(first, np.ndarray) else {}

    def _model(self, known: np.ndarray | None, symbolic: bool) -> onnx.ModelProto:
        names, constants = [], {}
        for place, operand in enumerate(self.operands):
            name = "" if operand is None else f"i{place}"
            names.append(PLACE if isinstance(operand, str) else name)
            if isinstance(operand, np.ndarray) and place:
                constants[name] = operand
        inputs: dict[str, Any] = {
            name: (a.dtype.name, [f"d{n}" for n in range(a.ndim)] if symbolic else a.shape)
            for name, a in self._feeds().items()
        }
        if known is None:
            inputs[PLACE] = ("int64", self.usual.shape)
        else:
            constants[PLACE] = known
        outputs = {f"y{place}": dtype for place, dtype in enumerate(self.dtypes)}
        node = helper.make_node(self.op, names, [*outputs], **self.attributes)
        return onnx_model([node], inputs, outputs, constants, opset=18)


def case(
    op: str, *operands: Any, usual: Any, to: tuple[str, ...] = ("float32",), **attributes: Any
) -> NumberCase:
    return NumberCase(op, operands, np.array(usual), to, attributes)


ENDS: Final = np.array([7, -7, 2**63 - 1, -(2**63)])
OFF_ON: Final = np.array([0, 1], "float32")

CASES: Final = {
    "TopK": case("TopK", X, PLACE, usual=[2], to=("float32", "int64")),
    "NonMaxSuppression": case("NonMaxSuppression", BOXES, SCORES, PLACE, usual=[2], to=("int64",)),
    "Pad": case("Pad", X, PLACE, usual=[0, 1, 1, 0]),
    "Pad, mirrored": case("Pad", X, PLACE, usual=[0, 1, 1, 0], mode="reflect"),
    "Slice, starts": case("Slice", X, PLACE, np.array([2, 2]), usual=[0, 0]),
    "Slice, ends": case("Slice", X, np.array([0, 0]), PLACE, usual=[2, 2]),
    "Slice, steps": case(
        "Slice", X, np.array([0, 0]), np.array([2, 3]), np.array([0, 1]), PLACE, usual=[1, 1]
    ),
    "Tile": case("Tile", X, PLACE, usual=[1, 2]),
    "Expand": case("Expand", X, PLACE, usual=[2, 3, 4]),
    "Reshape": case("Reshape", X, PLACE, usual=[2, 6]),
    "Reshape, zeros": case("Reshape", X[:0], PLACE, usual=[0, 6], allowzero=1),
    "ConstantOfShape": case("ConstantOfShape", PLACE, usual=[2, 3]),
    "Resize": case("Resize", IMAGE, None, None, PLACE, usual=[1, 2, 4, 4], mode="linear"),
    "OneHot": case("OneHot", np.array([0, 1, 2]), PLACE, OFF_ON, usual=3),
    "Split": case("Split", X, PLACE, usual=[1, 3], axis=1, to=("float32",) * 2),
    "Trilu": case("Trilu", X, PLACE, usual=0),
    "CumSum": case("CumSum", X, PLACE, usual=0),
    "Squeeze": case("Squeeze", X[:1].reshape(1, 4, 1), PLACE, usual=[0, 2]),
    "Unsqueeze": case("Unsqueeze", X, PLACE, usual=[0, 1]),
    "ReduceSum": case("ReduceSum", X, PLACE, usual=[0, 1]),
    "Gather": case("Gather", X, PLACE, usual=[0, 1]),
    "HannWindow": case("HannWindow", PLACE, usual=5),
    "Div": case("Div", ENDS, PLACE, usual=[1, 2, 3, 4], to=("int64",)),
    "Mod": case("Mod", ENDS, PLACE, usual=[1, 2, 3, 4], to=("int64",)),
}


OK, REFUSED, FAULT = "ok", "refused", "fault"

Outcome: TypeAlias = tuple[str, Any]
"""How a run ended: `OK` with its results, or None where they are large; else with what was said."""


def ours(name: str, fed: bool, symbolic: bool) -> list[Outcome]:
    """Return how each run of a case ends in this process."""
    found: list[Outcome] = []
    for model, some in CASES[name].models(fed=fed, symbolic=symbolic):
        try:
            run = tvmfuse.compile(model).load()
        except Exception as error:  # of whatever class: it is returned
            found += [ended(error)] * len(some)
            continue
        for feeds in some:
            try:
                found.append((OK, small(run(feeds))))
            except Exception as error:  # likewise
                found.append(ended(error))
    return found


def theirs(name: str, fed: bool, symbolic: bool, place: int) -> Outcome:
    """Return how onnxruntime ends one of the runs."""
    runs = ((m, f) for m, some in CASES[name].models(fed=fed, symbolic=symbolic) for f in some)
    model, feeds = next(itertools.islice(runs, place, None))
    try:
        return OK, small(reference(model, feeds))
    except Exception as error:  # pybind's, of no one class
        return REFUSED, str(error)


def small(results: Mapping[str, np.ndarray]) -> dict[str, np.ndarray] | None:
    small = all(result.nbytes <= LARGEST for result in results.values())
    return dict(results) if small else None


def ended(error: Exception) -> Outcome:
    """Say of an error that it refuses, or that it is a defect, or none of ours."""
    words = f"{type(error).__name__}: {error}"
    ours = isinstance(error, tvmfuse.TvmfuseError)
    defect = isinstance(error, CompilationError) or "defect" in words
    return (REFUSED if ours and not defect else FAULT), words
