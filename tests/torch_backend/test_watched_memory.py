"""Memory that is read in turns: a change anywhere is seen by the call that reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import torch
from torch_backend.traced import compiled

from tvmfuse.torch_backend import watched_memory
from tvmfuse.torch_backend.watched_memory import (
    GRANULE,
    LEAST,
    TURNS,
    calls_until_all_is_read,
    watched,
)


@pytest.fixture(params=["machine code", "Python"], autouse=True)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(lambda x: (x + 1,), torch.ones(4)).call([torch.ones(4)])  # there is machine code
    if request.param == "Python":
        monkeypatch.setattr(watched_memory, "_method", lambda: None)
    else:
        assert watched_memory._method() is not None


def numbers(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(0)).to(dtype)


def calls(tensors: Sequence[torch.Tensor]) -> int:
    return calls_until_all_is_read([tensor.nbytes for tensor in tensors])


@pytest.mark.parametrize(
    ("nbytes", "wanted"),
    [(4, 1), (LEAST, 1), (LEAST + 1, 2), (LEAST * TURNS, TURNS), (1 << 40, TURNS)],
)
def test_how_many_calls_read_all(nbytes: int, wanted: int) -> None:
    assert calls_until_all_is_read([nbytes]) == wanted


def test_nothing_is_as_it_was() -> None:
    assert watched([])()
    assert watched([torch.empty(0)])()


def test_as_long_as_nothing_is_written_it_is_as_before() -> None:
    tensors = [numbers(300), numbers(31, 77), numbers(5, dtype=torch.bfloat16), numbers(0)]
    is_as_before = watched(tensors)
    assert all(is_as_before() for _ in range(3 * calls(tensors) + 1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int8, torch.float64])
def test_one_number_of_few_is_seen_by_the_next_call(dtype: torch.dtype) -> None:
    few = [numbers(7).to(dtype), numbers(3, 5).to(dtype)]
    for tensor in few:
        for place in range(tensor.numel()):
            is_as_before = watched(few)
            assert is_as_before()
            tensor.data.view(-1)[place] += 1
            assert not is_as_before()


def test_one_number_of_many_is_seen_once_all_is_read() -> None:
    many = [numbers(257, 129), numbers(GRANULE // 4), numbers(1), numbers(7001)]
    is_as_before, turns = watched(many), calls(many)
    assert turns > 10
    for tensor in many:
        for place in range(0, tensor.numel(), 97):
            before = tensor.view(-1)[place].item()
            tensor.data.view(-1)[place] = -before
            assert not all(is_as_before() for _ in range(turns))
            tensor.data.view(-1)[place] = before
    assert all(is_as_before() for _ in range(turns))


def exchanged(tensor: torch.Tensor) -> None:
    tensor.data[[1, 2]] = tensor.data[[2, 1]]


WRITES: dict[str, Callable[[torch.Tensor], object]] = {
    "two rows exchanged": exchanged,
    "rows moved on": lambda x: x.data.copy_(x.data.roll(1, 0)),
    "a mask": lambda x: x.data.mul_(torch.arange(x.numel()).view_as(x) % 2),
    "a sign of zero": lambda x: x.data.mul_(-1),
    "a number that is none": lambda x: x.data.fill_(float("nan")),
}


@pytest.mark.parametrize("write", WRITES)
def test_what_is_written_at_once(write: str) -> None:
    tensor = numbers(40, 512)
    tensor.data[0] = 0
    is_as_before = watched([tensor])
    WRITES[write](tensor)
    assert not all(is_as_before() for _ in range(calls([tensor])))


def test_a_dense_write_is_seen_by_the_next_call() -> None:
    tensor = numbers(1 << 20)
    for _ in range(20):
        is_as_before = watched([tensor])
        tensor.data.mul_(0.999)
        assert not is_as_before()


def test_other_memory_says_nothing_of_it() -> None:
    whole = numbers(3, 64)
    is_as_before = watched([whole[1]])
    whole.data[0] = whole.data[2] = 0
    assert is_as_before()
    whole.data[1, 63] = 0
    assert not is_as_before()


def test_a_tensor_that_has_got_other_memory() -> None:
    """That which it had may be gone, and is not read."""
    tensor = numbers(1 << 22)
    is_as_before = watched([tensor])
    tensor.data = tensor.data.clone()
    assert not is_as_before()
    is_as_before = watched([tensor])
    tensor.untyped_storage().resize_(0)
    assert not is_as_before()


def test_transposed_and_strided_tensors_are_read_as_they_lie() -> None:
    for tensor in (numbers(9, 31).t(), numbers(9, 62)[:, ::2]):
        is_as_before = watched([tensor])
        assert is_as_before()
        tensor.data[-1, -1] = 7
        assert not is_as_before()
