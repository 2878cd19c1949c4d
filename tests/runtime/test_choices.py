"""runtime.choices: which of an artifact's functions a run calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import tvm_ffi

from tvmfuse.build.native import native_module
from tvmfuse.runtime import choices
from tvmfuse.runtime.choices import choosing, input_sizes, is_of_sizes, name_of
from tvmfuse.runtime.quick_functions import ensure, functions
from tvmfuse.target.resolve import resolve
from tvmfuse.tensor_spec import TensorSpec
from tvmfuse.tensors import as_tensor


@pytest.fixture(scope="module")
def make() -> Any:
    """Return what makes a function that chooses: that of the process's library, as runs have it."""
    ensure(lambda: native_module(resolve("llvm")))
    return functions().chooser


def named(name: str) -> Any:
    """Return a function that tells its name and how many tensors it was given."""
    return tvm_ffi.convert(lambda *tensors: f"{name} of {len(tensors)}")


def zeros(*shapes: tuple[int, ...]) -> list[Any]:
    return [as_tensor(np.zeros(shape, "float32")) for shape in shapes]


def test_the_sizes_that_are_named() -> None:
    specs = [TensorSpec("x", "float32", ("n", 3, "h")), TensorSpec("y", "float32", ("h", "n"))]
    assert [*input_sizes(specs, {"h": 7})] == [(0, 2, 7), (1, 0, 7)]
    assert [*input_sizes(specs, {"n": 1, "h": 7})] == [(0, 0, 1), (0, 2, 7), (1, 0, 7), (1, 1, 1)]


def test_names() -> None:
    assert is_of_sizes(name_of(3))
    assert not is_of_sizes("main")


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        (((2, 5), (5,)), "both of 2"),
        (((2, 6), (5,)), "one of 2"),
        (((3, 5), (5,)), "other of 2"),
        (((2, 5), (4,)), "one of 2"),
        (((2,), (5,)), "one of 2"),  # there is no such axis
        (((2, 5),), "one of 1"),  # nor such a tensor
        ((), "other of 0"),
    ],
)
def test_the_first_that_fits(make: Any, shapes: Any, expected: str) -> None:
    both, one = tvm_ffi.Shape((0, 0, 2, 0, 1, 5, 1, 0, 5)), tvm_ffi.Shape((0, 0, 2))
    choose = make(named("other"), both, named("both"), one, named("one"))
    assert choose(*zeros(*shapes)) == expected


def test_a_function_may_fail(make: Any) -> None:
    def fails(*_: object) -> None:
        raise ValueError("no such thing")

    choose = make(named("other"), tvm_ffi.Shape((0, 0, 2)), fails)
    with pytest.raises(ValueError, match="no such thing"):
        choose(*zeros((2,)))
    assert choose(*zeros((3,))) == "other of 1"


def references(given: Any) -> int:
    """Return how many hold one of TVM's objects."""
    return ctypes.c_uint32.from_address(given.__chandle__()).value


def test_it_holds_its_functions_as_long_as_it_is_there(make: Any) -> None:
    functions = named("other"), named("own")
    before = [*map(references, functions)]
    choose = make(functions[0], tvm_ffi.Shape((0, 0, 2)), functions[1])
    assert [*map(references, functions)] == [count + 1 for count in before]
    del choose
    assert [*map(references, functions)] == before


class Machine(dict[str, Callable[..., Any]]):
    """Like TVM's machine: some functions for sizes, which take weights first once they are saved."""

    def __init__(self, *there: int) -> None:
        super().__init__({name_of(number): named(name_of(number)) for number in there})
        self["save_function"] = self._save

    def implements_function(self, name: str) -> bool:
        return name in self

    def _save(self, name: str, saved: str, _: int, *weights: object) -> None:
        self[saved] = tvm_ffi.convert(lambda *inputs: self[name](*weights, *inputs))


SIZES = [[(0, 0, 2)], [(0, 0, 2), (0, 1, 5)], [(0, 0, 3)]]


@pytest.mark.parametrize(
    ("there", "shape", "expected"),
    [
        ((0, 1, 2), (2, 5), "main_of_sizes_1 of 3"),  # the one for the most sizes
        ((0, 1, 2), (2, 4), "main_of_sizes_0 of 3"),
        ((0, 1, 2), (3, 5), "main_of_sizes_2 of 3"),
        ((0, 1, 2), (4, 5), "main of 1"),
        ((0, 2), (2, 5), "main_of_sizes_0 of 3"),
        ((), (2, 5), "main of 1"),
    ],
)
@pytest.mark.usefixtures("make")
def test_which_is_called(there: Any, shape: tuple[int, ...], expected: str) -> None:
    weights = zeros((1,), (1,))
    choose = choosing(Machine(*there), named("main"), SIZES, weights)
    assert choose(*zeros(shape)) == expected


def test_a_library_of_an_earlier_version_calls_what_takes_all_sizes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choices, "functions", lambda: SimpleNamespace(chooser=None))
    main = named("main")
    assert choosing(Machine(0, 1, 2), main, SIZES, ()) is main
