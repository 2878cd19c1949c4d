"""Inputs that have a default: a caller may give as many of them as there are, behind the others."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tvmfuse

NAME = "with defaults"


@pytest.fixture(scope="module")
def calls(model_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of tensors, and of what Python computes of one, two and three of them."""
    model = tvmfuse.load(model_file(NAME))
    assert [spec.name for spec in model.overridable] == ["factor", "ids"]
    rng = np.random.default_rng(0)
    given = [rng.standard_normal(shape).astype(np.float32) for shape in ((5, 3), (3,))]
    given.append(np.array([1, -1, 3, 3]))
    results = [model.call(given[:count])[0] for count in (1, 2, 3)]
    path = tmp_path_factory.mktemp("calls") / "calls.npz"
    np.savez(path, *given, *results)
    return path


LINES = """
model, kept = Model(given[0]), np.load(given[1])
arrays = [kept[f"arr_{place}"] for place in range(6)]
inputs, results = arrays[:3], arrays[3:]
"""


@pytest.fixture
def in_calls(
    in_watched_c: Callable[..., str], model_file: Callable[[str], Path], calls: Path
) -> Callable[[str], str]:
    """Return a function that runs lines of Python with the model and the tensors."""
    return lambda lines: in_watched_c(LINES + lines, model_file(NAME), calls)


def test_a_model_describes_them(in_calls: Callable[[str], str]) -> None:
    in_calls("""
assert [name for name, *_ in model.inputs] == ["x"]
assert model.overridable == [("factor", "float32", (3,)), ("ids", "int64", (4,))]
""")


def test_those_that_are_given_take_the_place_of_defaults(in_calls: Callable[[str], str]) -> None:
    in_calls("""
for _ in range(2):  # a default is not replaced for good
    for count in (3, 1, 2):
        for off in (0, 8):
            found = model.run([aligned(array, off) for array in inputs[:count]])
            assert bits(found) == bits([results[count - 1]])
""")


def test_a_bound_run_reads_them_anew(in_calls: Callable[[str], str]) -> None:
    in_calls("""
for off in (0, 8):
    own, found = [aligned(np.zeros_like(array), off) for array in inputs], np.zeros((4, 3), "f4")
    bound = model.bind(tensors(own), tensors([found]))
    for array, kept in zip(own, inputs):
        array[...] = kept
    check(c.tvmfuse_run_bound(bound))
    assert bits([found]) == bits([results[2]])
    c.tvmfuse_unbind(bound)
""")


REFUSALS = {
    "one too many": ("inputs.append(inputs[2])", "the model takes 1 to 3 inputs, found 4"),
    "none": ("inputs.clear()", "the model takes 1 to 3 inputs, found 0"),
    "another type": (
        "inputs[1] = inputs[1].astype('f8')",
        "input factor: expected float32 (code 2, 32 bits, 1 lanes), found code 2, 64 bits, 1 lanes",
    ),
    "another size": ("inputs[1] = inputs[0][0, :2]", "input factor: dimension 0 is 2 instead of 3"),
    "another rank": ("inputs[2] = inputs[2][None]", "input ids: expected 1 dimensions, found 2"),
    "an index of no row": (
        "inputs[2][1] = 5",
        "ids: int64[4]: expected indices of elements that there are, of 'Gather_0'",
    ),
    "its memory for a result": (
        "inputs[1], outputs = out[0, :3], tensors([out])",
        "output y overlaps input factor",
    ),
}


@pytest.mark.parametrize("how", REFUSALS)
def test_what_does_not_fit_is_refused(in_calls: Callable[[str], str], how: str) -> None:
    change, words = REFUSALS[how]
    said = in_calls(f"""
out = aligned(np.zeros((4, 3), "f4"))
outputs = (Tensor * 1)()
{change}
assert model.status(tensors(inputs), outputs) == INVALID
print(error())
""")
    assert said.strip() == words
