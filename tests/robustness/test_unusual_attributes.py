"""Integer attributes of 0, below 0, and at the ends of 32 and 64 bits.

Of fixed and of symbolic sizes: onnxruntime's result, or an error in words. Nothing ends the
process, calls itself a defect, or takes time or memory that what is small does not need.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from attribute_cases import CASES, ours, theirs, tried
from number_cases import FAULT, OK, REFUSED, Outcome
from reference import assert_agrees, reference
from workers import LostError, Worker

import tvmfuse
from tvmfuse.errors import ModelError
from tvmfuse.frontend.onnx import import_model

pytestmark = pytest.mark.sampled(5)

SECONDS: Final = 60.0
#: By which a process may grow for one model.
BYTES: Final = 1 << 30


@pytest.fixture(scope="module")
def workers() -> Iterator[tuple[Worker, Worker]]:
    both = Worker(ours, "attribute_cases"), Worker(theirs, "attribute_cases")
    yield both
    for worker in both:
        worker.stop()


def fault(found: Outcome, their_worker: Worker, *run: object) -> str:
    """Say what is wrong with how a run ended; nothing where nothing is."""
    kind, results = found
    if kind == FAULT:
        return str(results)
    lacks_memory = kind == REFUSED and "OutOfMemoryError" in str(results)
    if (kind == REFUSED and not lacks_memory) or results is None:
        return ""
    try:
        expected = their_worker.result(*run, limit_s=SECONDS)
    except LostError:
        return ""  # of what ends onnxruntime nothing is expected
    if expected[0] != OK or expected[1] is None:
        return ""  # what it refuses, or has no memory for, may be computed
    if lacks_memory:
        return str(results)
    try:
        assert_agrees(results, expected[1])
    except AssertionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("symbolic", [False, True], ids=["fixed", "symbolic"])
@pytest.mark.parametrize(("name", "attribute"), [*tried()])
@pytest.mark.sampled(40)
def test_unusual_attributes(
    name: str, attribute: str, symbolic: bool, workers: tuple[Worker, Worker]
) -> None:
    our_worker, their_worker = workers
    faults = {}
    for place, attributes in enumerate(CASES[name].tried(attribute)):
        run = name, attribute, place, symbolic
        said = f"{attribute} = {attributes[attribute]}"
        try:
            found, grown = our_worker.result(*run, limit_s=SECONDS)
        except LostError as lost:
            faults[said] = str(lost)
            continue
        if words := fault(found, their_worker, *run):
            faults[said] = words
        elif grown > BYTES:
            faults[said] = f"it took {grown >> 20} MiB"
        assert place or symbolic or found[0] == OK, f"the usual number: {found}"
    assert not faults


LARGEST: Final = 2**31 - 1
WRONG: Final = [
    ("Conv", "group", 0, "group is 0; expected 1 or more"),
    ("DeformConv", "offset_group", 0, "offset_group is 0; expected 1 or more"),
    ("Conv", "dilations", [1, LARGEST], "its kernel spans|its result would have the shape"),
    ("LpPool", "dilations", [1, LARGEST], "windows of 3 taps do not fit"),
    ("RoiAlign", "sampling_ratio", LARGEST, "a bin has 2147483647 x 2147483647 samples"),
    ("LpPool", "p", 0, "p is 0; expected 1 or more"),
    (
        "ConvTranspose, to a shape",
        "strides",
        [LARGEST, 2],
        "its stride 2147483647 leads beyond any axis",
    ),
    ("Col2Im", "strides", [0, 1], r"strides are \[0, 1\]; expected 1 or more"),
    ("Slice", "axes", [0, 0], "of its axes .* one stands there twice"),
    ("Split, outputs", "num_outputs", LARGEST, "and it has 2 outputs"),
    ("ArgMax", "keepdims", -1, "keepdims is -1; expected 0 or 1"),
    ("MultiHeadAttention", "unidirectional", 2, "unidirectional is 2; expected 0 or 1"),
    ("QLinearAveragePool", "strides", [0, 1], "a tap, a stride or a dilation is below 1"),
    ("TreeEnsembleRegressor", "nodes_featureids", [-1, 0, 0], "a tree looks at feature -1"),
]


@pytest.mark.parametrize("symbolic", [False, True], ids=["fixed", "symbolic"])
@pytest.mark.parametrize(("name", "attribute", "value", "reason"), WRONG)
def test_what_is_wrong_is_said(
    name: str, attribute: str, value: object, reason: str, symbolic: bool
) -> None:
    one = CASES[name]
    model = one.model({**one.attributes, attribute: value}, symbolic=symbolic)
    with pytest.raises(ModelError, match=reason):
        import_model(model)


@pytest.mark.parametrize(
    ("name", "attribute", "value"),
    [
        ("LRN", "size", 51),
        ("MeanVarianceNormalization", "axes", [-1, 2, 3]),
        ("TfIdfVectorizer", "max_skip_count", 5_000),
        ("ConvTranspose, to a shape", "strides", [3, 70_000]),
    ],
)
def test_more_than_there_is(name: str, attribute: str, value: object) -> None:
    one = CASES[name]
    model = one.model({**one.attributes, attribute: value}, symbolic=False)
    run = tvmfuse.compile(model).load(num_threads=1)
    assert_agrees(run(one.feeds()), reference(model, one.feeds()))
