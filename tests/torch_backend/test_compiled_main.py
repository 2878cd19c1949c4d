"""Groups of small tensors are one function, which writes results into memory of torch's."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import Tensor
from torch_backend.traced import compiled

from tvmfuse.frontend.torch.dtypes import NAMES
from tvmfuse.runtime.executable import Executable
from tvmfuse.torch_backend.compiled_graph import CompiledGraph


def numbers(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(0))


def executable(made: CompiledGraph) -> Executable:
    """Return the one that a graph of one group called."""
    ((found,),) = ([*group.compiled._executables.values()] for group in made.groups)
    return found


def two_kernels(x: Tensor, y: Tensor) -> Tensor:
    return (x @ y).softmax(-1) @ y


def reshaped(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    products = (x @ y).reshape(2, 3, 6)
    return products.sum(1), (x.reshape(3, 12) * 2).reshape(4, 9)


def several(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
    kept = x @ y
    again = kept.tanh() @ y
    return kept, again, (again.t() + kept.sum()), x.sum()


FUNCTIONS: dict[str, Callable[..., Tensor | tuple[Tensor, ...]]] = {
    "memory between": two_kernels,
    "other shapes": reshaped,
    "results that are read again": several,
}


def as_tuple(found: Tensor | tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    return (found,) if isinstance(found, Tensor) else tuple(found)


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_results(kind: str) -> None:
    function = FUNCTIONS[kind]
    made = compiled(function, numbers(6, 6), numbers(6, 6))
    for scale in (1, 2, 3):
        given = numbers(6, 6) * scale, numbers(6, 6) + scale
        found, wanted = (as_tuple(call(*given)) for call in (made.module, function))
        torch.testing.assert_close(found, wanted)
        assert [f.stride() for f in found] == [w.stride() for w in wanted]


@pytest.mark.parametrize("dtype", NAMES, ids=str)
def test_dtypes(dtype: torch.dtype) -> None:
    def function(x: Tensor) -> tuple[Tensor, Tensor]:
        return x.flip(0), x == 1

    x = torch.tensor([0, 1, 1, 0, 1]).to(dtype)
    made = compiled(function, x)
    for _ in range(2):
        assert all(map(torch.equal, made.module(x), function(x)))


def test_tensors_that_kernels_cannot_read_are_not_taken_where_they_lie() -> None:
    made = compiled(two_kernels, numbers(6, 6), numbers(6, 6))
    (group,) = made.groups
    for unlike in (numbers(6, 6).t(), numbers(37)[1:].reshape(6, 6), numbers(6, 6).double()):
        assert group.compiled._located([unlike, numbers(6, 6)]) is None


def test_any_number_of_threads() -> None:
    made = compiled(two_kernels, numbers(6, 6), numbers(6, 6))
    given = [(numbers(6, 6) * n, numbers(6, 6)) for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            found = [*pool.map(lambda pair: made.module(*pair), given)]
            for result, pair in zip(found, given, strict=True):
                torch.testing.assert_close(result, two_kernels(*pair))


def test_results_are_torchs_own_and_no_call_changes_them() -> None:
    made = compiled(several, numbers(6, 6), numbers(6, 6))
    made.module(numbers(6, 6), numbers(6, 6))
    first, *_ = made.module(numbers(6, 6), numbers(6, 6))
    before = first.clone()
    later = made.module(numbers(6, 6) * 3, numbers(6, 6))
    assert torch.equal(first, before)
    places = {tensor.untyped_storage().data_ptr() for tensor in (first, *later)}
    assert len(places) == 5
    assert first.untyped_storage().resizable()
    assert not first.requires_grad


def test_a_chain_of_a_hundred() -> None:
    """Sizes of more tensors than TVM describes on the stack by itself."""

    def function(x: Tensor, y: Tensor) -> Tensor:
        for _ in range(100):
            x = (x @ y).tanh()
        return x

    x, y = numbers(6, 6), torch.eye(6) * 0.9
    made = compiled(function, x, y)
    for _ in range(2):
        torch.testing.assert_close(made.module(x, y), function(x, y))


def test_a_result_that_is_an_argument_is_a_copy() -> None:
    x = numbers(3, 4)
    made = compiled(lambda x: (x.clone(), x + 1), x)
    for _ in range(2):
        copy, more = made.module(x)
        torch.testing.assert_close((copy, more), (x, x + 1))
        assert copy.data_ptr() != x.data_ptr()


def test_large_tensors() -> None:
    x = torch.zeros(1 << 17)
    made = compiled(lambda x: (x + 1,), x)
    for _ in range(2):
        torch.testing.assert_close(made.module(x), (x + 1,))


def test_sizes_that_are_known_only_as_it_runs() -> None:
    made = compiled(two_kernels, numbers(6, 6), numbers(6, 6), mode="symbolic")
    for count in (6, 7):
        given = numbers(count, count), numbers(count, count)
        torch.testing.assert_close(made.module(*given), two_kernels(*given))
