"""What a compiled group makes of the tensors that torch hands it, and what it gives back."""

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial

import pytest
import torch
from torch import nn
from torch_backend.traced import compiled

from tvmfuse.torch_backend.compiled_graph import CompiledGraph


def both(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return (x * 2 + y).relu()


SHAPE = (5, 12)


@cache
def graph() -> CompiledGraph:
    return compiled(both, torch.randn(SHAPE), torch.randn(SHAPE))


def ours(*tensors: torch.Tensor) -> torch.Tensor:
    result: torch.Tensor = graph().module(*tensors)
    return result


def numbers(*, count: int = 60) -> torch.Tensor:
    return torch.randn(count, generator=torch.Generator().manual_seed(count))


def negative(x: torch.Tensor) -> torch.Tensor:
    seen = torch.complex(torch.zeros(SHAPE), x).conj().imag
    assert seen.is_neg()
    return seen


def shifted(count: int) -> torch.Tensor:
    return numbers(count=80)[count : count + 60].reshape(SHAPE)


ODD: dict[str, Callable[[], torch.Tensor]] = {
    "strided": lambda: numbers(count=120).reshape(5, 24)[:, ::2],
    "transposed": lambda: numbers().reshape(12, 5).t(),
    "expanded": lambda: numbers(count=12).expand(5, 12),
    "negative": lambda: negative(numbers().reshape(SHAPE)),
    "negative, in rows": lambda: torch._neg_view(numbers().reshape(SHAPE)),
    "requires_grad": lambda: numbers().reshape(SHAPE).requires_grad_(),
    "a parameter": lambda: nn.Parameter(numbers().reshape(SHAPE)),
    **{f"at byte {4 * n}": partial(shifted, n) for n in (1, 2, 3, 8, 15)},
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_tensors(kind: str) -> None:
    x, y = ODD[kind](), numbers().reshape(SHAPE)
    for pair in ((x, y), (y, x), (x, x)):
        torch.testing.assert_close(ours(*pair), both(*pair).detach())


def test_inference_tensors() -> None:
    with torch.inference_mode():
        x = numbers().reshape(SHAPE)
        assert x.is_inference()
        torch.testing.assert_close(ours(x, x), both(x, x))
    torch.testing.assert_close(ours(x, x), (x * 3).relu())


def test_parameters_are_taken_where_they_lie() -> None:
    x = nn.Parameter(numbers().reshape(SHAPE))
    assert graph().groups[0].compiled._located([x, x]) == [(x.data_ptr(), SHAPE)] * 2


def test_no_later_call_changes_a_result() -> None:
    first = ours(torch.ones(SHAPE), torch.ones(SHAPE))
    kept = first.clone()
    others = [ours(torch.zeros(SHAPE), torch.zeros(SHAPE)) for _ in range(4)]
    assert torch.equal(first, kept)
    assert len({result.data_ptr() for result in [first, *others]}) == 5


def test_what_is_handed_through_is_a_copy() -> None:
    made = compiled(lambda x: (x.clone(), x * 2), torch.ones(3))
    x = torch.ones(3)
    copied, _ = made.module(x)
    x.zero_()
    assert copied.tolist() == [1, 1, 1]


def test_numbers_of_no_dimension() -> None:
    made = compiled(lambda x, y: x * y + 1, torch.tensor(2.0), torch.tensor(3.0))
    result = made.module(torch.tensor(2.0), torch.tensor(3.0))
    assert result.shape == ()
    assert result.item() == 7


def test_tensors_of_no_element() -> None:
    made = compiled(lambda x: (x + 1, x.sum()), torch.empty(0, 3))
    plus, total = made.module(torch.empty(0, 3))
    assert plus.shape == (0, 3)
    assert total.item() == 0
    assert {node.why for node in made.eager} == {"a tensor of it has no elements"}


STRIDES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "transposed": lambda x: (x + 1).t(),
    "channels last": lambda x: (x.reshape(1, 3, 4, 5) + 1).to(memory_format=torch.channels_last),
    "expanded": lambda x: (x + 1).reshape(1, 60).expand(3, 60),
    "one row": lambda x: (x.reshape(60, 1) * 2).t(),
    "part": lambda x: (x + 1)[:, 1:3],
    "one element": lambda x: x.sum(1, keepdim=True).t()[:, :1],
}


@pytest.mark.parametrize("kind", STRIDES)
def test_results_have_the_strides_of_eager(kind: str) -> None:
    x = numbers().reshape(SHAPE)
    ours, wanted = compiled(STRIDES[kind], x).module(x), STRIDES[kind](x)
    assert ours.stride() == wanted.stride()
    torch.testing.assert_close(ours, wanted)


def test_tensors_that_lie_otherwise_are_not_copied() -> None:
    """Channels last in, channels last out: passes see that nothing moves."""

    def twice(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    x = numbers().reshape(1, 3, 4, 5).to(memory_format=torch.channels_last)
    made = compiled(twice, x)
    (group,) = made.groups
    assert len(group.compiled.artifact.manifest.kernels) == 1
    assert made.module(x).stride() == x.stride()
    torch.testing.assert_close(made.module(x), x * 2)


def test_threads_at_once() -> None:
    graph()  # torch traces in one thread at a time
    xs = [torch.full(SHAPE, float(n)) for n in range(64)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda x: ours(x, x), xs))
    assert all(torch.equal(result, 3 * x) for x, result in zip(xs, found, strict=True))


def test_as_many_threads_as_torch() -> None:
    """But where the work is so little that one does it all."""
    shape = (400, 400)
    made = compiled(both, torch.randn(shape), torch.randn(shape))
    before = torch.get_num_threads()
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            made.module(torch.zeros(shape), torch.zeros(shape))
    finally:
        torch.set_num_threads(before)
    assert sorted(made.groups[0].compiled._executables) == [1, 2]


def _in_child() -> None:
    x = torch.ones(SHAPE)
    os._exit(0 if torch.equal(ours(x, x), 3 * x) else 1)


def test_a_child_of_fork() -> None:
    ours(torch.ones(SHAPE), torch.ones(SHAPE))
    child = multiprocessing.get_context("fork").Process(target=_in_child)
    child.start()
    child.join(60)
    assert child.exitcode == 0
