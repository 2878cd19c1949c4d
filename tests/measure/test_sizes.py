"""Sizes that nobody fixed are those that models are run at, and fit what the model asks of them."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, parser

from tvmfuse.errors import ConfigurationError
from tvmfuse.measure import ab, ladder, profile
from tvmfuse.measure.sizes import assumed_sizes, sizes_in
from tvmfuse.tensor_spec import ShapeConstraint, TensorSpec

FAST = {"rounds": 2, "duration_s": None, "warm_up_s": 0.01, "threads": 1}


@pytest.mark.parametrize(
    ("shape", "sizes"),
    [
        (("batch_size", "seq_len"), {"batch_size": 1, "seq_len": 128}),
        (("N", 3, "H", "W"), {"N": 1, "H": 224, "W": 224}),
        (("batch", "channels", "height", "width"), {"batch": 1, "channels": 3, "height": 224, "width": 224}),
        (("s0", "s1", 64), {"s0": 1, "s1": 128}),
        (("unk__0", "unk__1", "unk__2", "unk__3"), {"unk__0": 1, "unk__1": 3, "unk__2": 224, "unk__3": 224}),
        (("x", 1, "d", "h", "w"), {"x": 1, "d": 32, "h": 224, "w": 224}),
        (("sequence", "batch"), {"sequence": 128, "batch": 1}),
        ((7,), {}),
        ((), {}),
    ],
)  # fmt: skip
def test_names_and_places_say_the_usual_size(shape: tuple[int | str, ...], sizes: object) -> None:
    assert assumed_sizes([TensorSpec("x", "float32", shape)], {}) == sizes


def test_what_is_given_is_not_assumed_and_the_least_size_holds() -> None:
    spec = TensorSpec("x", "float32", ("batch", "length"), min_sizes=(4, 200))
    assert assumed_sizes([spec], {}) == {"batch": 4, "length": 200}
    assert assumed_sizes([spec], {"length": 300}) == {"batch": 4}


def test_assumed_sizes_lie_within_their_ranges() -> None:
    spec = TensorSpec("x", "float32", ("batch", "length"), (4, 0), (), (8, 100))
    assert assumed_sizes([spec], {}) == {"batch": 4, "length": 100}
    far = TensorSpec("x", "float32", ("length",), (10_000,), (), (None,))
    assert assumed_sizes([far], {}) == {"length": 10_000}
    equal = (ShapeConstraint("a", ("*", "b", 2), "a == 2*b"),)
    spec = TensorSpec("x", "float32", ("a", "b"), (), equal, (6, None))
    assert assumed_sizes([spec], {}) == {"a": 2, "b": 1}
    with pytest.raises(ConfigurationError, match="a == 2"):
        assumed_sizes([TensorSpec("x", "float32", ("a", "b"), (0, 4), equal, (6, None))], {})


def constrained(*equations: tuple[object, object], dims: tuple[str, ...]) -> TensorSpec:
    made = tuple(ShapeConstraint(a, b, f"{a} == {b}") for a, b in equations)  # type: ignore[arg-type]
    return TensorSpec("x", "float32", dims, (), made)


def test_sizes_that_constrain_each_other_are_solved() -> None:
    reshape = (("*", ("*", "sequence", "batch"), 64), ("*", "batch", 1024))
    spec = constrained(reshape, dims=("batch", "sequence"))
    assert assumed_sizes([spec], {}) == {"batch": 1, "sequence": 16}
    assert assumed_sizes([spec], {"batch": 5}) == {"sequence": 16}
    past = constrained(("total", ("+", "past", "now")), dims=("past", "now", "total"))
    found = assumed_sizes([past], {"now": 1})
    assert found["total"] == found["past"] + 1
    chain = constrained(("a", ("*", "b", 2)), ("b", ("*", "c", 2)), dims=("a", "b", "c"))
    found = assumed_sizes([chain], {})
    assert (found["a"], found["b"]) == (2 * found["b"], 2 * found["c"])


def test_where_no_size_fits_the_flags_are_named() -> None:
    spec = constrained((("*", "n", 2), 7), dims=("n",))
    with pytest.raises(ConfigurationError, match=r"\('\*', 'n', 2\) == 7; .* n=1 .*--dim n=N"):
        assumed_sizes([spec], {})


def test_sizes_are_read_from_arrays() -> None:
    spec = TensorSpec("x", "float32", ("n", 2, "m"))
    assert sizes_in([spec], {"x": np.ones((3, 2, 5))}) == {"n": 3, "m": 5}


@pytest.fixture(scope="module")
def model() -> ModelProto:
    """Return a reshape that takes 16 rows for each of the batch, and what follows it."""
    return parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]>'
        "g (float[batch,sequence,64] x) => (float[batch,1024] y)"
        "<int64[2] shape = {0, 1024}> {flat = Reshape(x, shape) e = Exp(flat) y = Softmax(e)}"
    )


def test_every_head_has_threads_and_sizes_and_a_line_says_what_was_assumed(
    model: ModelProto,
) -> None:
    note = "nobody fixed batch, sequence, so that they were measured at batch=1, sequence=16"
    climbed = ladder(model, threads=1, duration_s=0.02)
    assert climbed.conditions.words == "threads: 1, batch=1, sequence=16"
    assert [n for n in climbed.notes if n.startswith(note)]
    assert str(climbed.table().title).endswith("gains, threads: 1, batch=1, sequence=16")
    assert climbed.to_json()["conditions"]["assumed"] == ["batch", "sequence"]
    both = ab(model, "level=none,threads=1", "threads=1", dims={"batch": 2}, duration_s=0.02)
    assert "ms per run, threads: 1, batch=2, sequence=16\nA, baseline: " in str(both.table().title)
    assert [n for n in both.notes if n.startswith("nobody fixed sequence, so that it was")]
    timed = profile(model, **FAST)  # type: ignore[arg-type]
    assert str(timed.table().title).endswith("one run, threads: 1, batch=1, sequence=16")
    assert [n for n in timed.notes if n.startswith(note)]


def test_a_range_is_measured_at_a_size_inside(model: ModelProto) -> None:
    climbed = ladder(model, threads=1, dims={"batch": (3, 9)}, duration_s=0.02)
    assert climbed.conditions.words == "threads: 1, batch=3, sequence=16"
    assert [n for n in climbed.notes if n.startswith("nobody fixed batch, sequence")]


def test_what_somebody_fixed_is_not_said_to_be_assumed(model: ModelProto) -> None:
    given = ladder(model, threads=1, shapes={"x": (2, 16, 64)}, duration_s=0.02)
    assert given.conditions.words == "threads: 1, x: 2x16x64"
    fed = {"x": np.ones((3, 16, 64), "float32")}
    timed = profile(model, inputs=fed, **FAST)  # type: ignore[arg-type]
    assert (timed.conditions.words, timed.assumed) == ("threads: 1, batch=3, sequence=16", ())
    assert not [n for n in (*given.notes, *timed.notes) if n.startswith("nobody fixed")]
