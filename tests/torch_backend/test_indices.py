"""Indices of no element: `torch.compile` raises an error where eager does, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch_backend.index_programs import Program, drawn, inputs, together

from tvmfuse.errors import IndexOutOfRangeError, InputError
from tvmfuse.torch_backend.backend import tvmfuse_backend

TOGETHER = 10


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def compiled(function: Any, *, dynamic: bool = False) -> Any:
    """Return the function, all of which is compiled: what stays in eager is an error."""
    options: dict[str, Any] = {"fullgraph": True, "num_threads": 1}
    return torch.compile(
        function, backend=tvmfuse_backend, fullgraph=True, dynamic=dynamic, options=options
    )


def follows_eager(programs: list[Program], rng: np.random.Generator, *, dynamic: bool) -> int:
    """Compare programs with eager; return how many of their inputs are refused."""
    function, refused = together(programs), 0
    call = compiled(function, dynamic=dynamic)
    for given in inputs(programs, rng):
        said = [(program.name, index) for program, index in zip(programs, given[1::2], strict=True)]
        try:
            expected = function(*given)
        except (IndexError, RuntimeError):
            refused += 1
            with pytest.raises(IndexOutOfRangeError, match="expected numbers from .* of '.*'"):
                print(call(*given), said)
            continue
        for (name, index), found, wanted in zip(said, call(*given), expected, strict=True):
            torch.testing.assert_close(found, wanted, msg=lambda m: f"{name} by {index}: {m}")  # noqa: B023
    return refused


@pytest.mark.parametrize(("seed", "dynamic"), [(0, False), (1, False), (2, True)])
def test_programs_follow_eager(seed: int, *, dynamic: bool) -> None:
    rng = np.random.default_rng(seed)
    programs = [drawn(rng, dynamic=dynamic) for _ in range(TOGETHER)]
    assert follows_eager(programs, rng, dynamic=dynamic) > 2 * TOGETHER


@pytest.mark.long
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("seed", range(100, 125))
def test_500_programs_follow_eager(seed: int, *, dynamic: bool) -> None:
    test_programs_follow_eager(2 * seed + dynamic, dynamic=dynamic)


def test_the_error_is_one_of_python_s() -> None:
    call = compiled(lambda x, i: x[i])
    with pytest.raises(
        IndexError, match="from -3 to 2, indices of 3 elements, of 'index'; found 3"
    ):
        call(torch.ones(3, 2), torch.tensor([0, 3]))
    assert issubclass(IndexOutOfRangeError, InputError)


def test_a_wrong_label_is_not_trained_on() -> None:
    network = torch.nn.Linear(5, 4)
    x = torch.randn(3, 5)

    def loss(labels: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(network(x), labels, ignore_index=-1)

    call = compiled(loss)
    with pytest.raises(
        IndexOutOfRangeError, match="from 0 to 3, indices of 4 elements, .* found 7"
    ):
        call(torch.tensor([0, 7, 1]))
    masked = torch.tensor([0, -1, 3])
    call(masked).backward()
    found, network.weight.grad = network.weight.grad, None
    loss(masked).backward()  # type: ignore[no-untyped-call]
    torch.testing.assert_close(found, network.weight.grad)


def test_a_quick_call_is_refused_like_the_first_one() -> None:
    call = compiled(lambda x, i: x.index_select(0, i) + 1)
    x = torch.arange(12.0).reshape(3, 4)
    for _ in range(4):
        good = torch.tensor([2, 0])
        torch.testing.assert_close(call(x, good), x.index_select(0, good) + 1)
        for bad in (3, -1):
            with pytest.raises(IndexOutOfRangeError, match=f"found {bad}"):
                call(x, torch.tensor([2, bad]))
