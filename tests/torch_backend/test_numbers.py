"""Python's numbers among a function's arguments, at the ends of what they may be, against eager."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from tvmfuse.torch_backend import compiled_group
from tvmfuse.torch_backend.backend import tvmfuse_backend
from tvmfuse.torch_backend.report import forget, report

pytestmark = pytest.mark.sampled(5)

X = torch.linspace(-2, 3, 5)
WHOLE = torch.arange(-2, 3)
MATRIX = torch.linspace(-1, 1, 20).reshape(4, 5)

#: 3 and 4 first, so that the number is one that torch does not know.
INTS = (3, 4, -2, 0, 1, -1, 2**31, -(2**31), 10**15, 2**62, 2**63 - 1, -(2**63))
SMALL = (3, 4, -2, 0, 1, -1, 7)
FLOATS = (1.5, 2.5, 0.0, math.inf, -math.inf, math.nan, 1e300, 5e-324)


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return a result, or only that there is none: torch says so by several classes."""
    try:
        return function(*arguments)
    except Exception:
        return "an error"


def assert_as_eager(
    function: Callable[..., Any], given: Sequence[tuple[Any, ...]], *, dynamic: bool | None = True
) -> None:
    torch._dynamo.reset()
    forget()
    call = torch.compile(function, backend=tvmfuse_backend, dynamic=dynamic)
    for arguments in given:
        found, wanted = (outcome(each, *arguments) for each in (call, function))
        assert type(found) is type(wanted), arguments
        if not isinstance(wanted, str):
            torch.testing.assert_close(found, wanted, equal_nan=True)


def is_compiled() -> bool:
    """Whether no graph has a node in eager, but for tensors without elements."""
    nodes = [node for graph in report().graphs for node in graph.eager]
    return all(node.why == "a tensor of it has no elements" for node in nodes)


NUMBERS: dict[str, tuple[Callable[..., Any], Tensor, Sequence[Any]]] = {
    "added": (lambda x, n: x + n, X, INTS),
    "added to whole numbers": (lambda x, n: x + n, WHOLE, INTS),
    "arithmetic": (lambda x, n: (x / n).sum() + (x - n * 2), WHOLE, INTS[:4]),
    "filled": (lambda x, n: torch.full((4,), n) + x[:4], WHOLE, INTS[6:]),
    "compared": (lambda x, n: torch.where(x < n, x, -1), WHOLE, INTS[6:]),
    "factors of a product": (
        lambda x, n: torch.addmm(x[:, :4] + 0, x, x.t(), alpha=n, beta=n),
        MATRIX,
        (3, -2),
    ),
    "an exponent": (lambda x, n: x**n, X, (3, -2)),
    "a range's start": (lambda _, n: torch.arange(n, n + 4) * 2, X, INTS[6:10]),
    "a range's step": (lambda _, n: torch.arange(0, 10, n) * 2, X, (3, 4, -2)),
    "a size": (lambda _, n: torch.full((n,), 1.5) + n, X, SMALL),
    "repeats": (lambda x, n: x.repeat(n) * n, X, SMALL),
    "expanded": (lambda x, n: x.expand(n, 5) * n, X, SMALL),
    "a shape": (lambda x, n: (x.expand(6, 5) * 2).reshape(n, -1) * n, X, SMALL),
    "floating-point": (lambda x, n: x * n + n, X, FLOATS),
    "truth": (lambda x, n: x + n, X, (True, False, True)),
}

#: Where the number may be negative, some nodes stay in eager.
PLACES: dict[str, tuple[Callable[..., Any], Tensor, Sequence[Any]]] = {
    "an end": (lambda x, n: x[:n] * n, X, (3, 2, -2, -9, 2**31, 10**15)),
    "a start": (lambda x, n: x[n:] * n, X, (3, 2, -2, -9, 10**15, -(10**15))),
    "a place": (lambda x, n: x[n] * n, X, (3, 4, 2, -2, -1, -5)),
    "a shift": (lambda x, n: torch.roll(x * 2, n) + n, X, (3, -2, 2**31)),
    "a diagonal": (lambda x, n: torch.tril(x.expand(5, 5), n) * n, X, (3, -2)),
    "padding": (lambda x, n: torch.nn.functional.pad(x, (n, 1)) * 2, X, (3, -2)),
    "an exponent of whole numbers": (lambda x, n: x**n, WHOLE, (3, -2)),
    "a slope": (lambda x, n: torch.nn.functional.leaky_relu(x, n) + n, X, (3, -2)),
    "a norm's order": (lambda x, n: torch.linalg.vector_norm(x, n), X, (3, 4)),
    "a correction": (lambda x, n: torch.var(x, correction=n), X, (3, 2)),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers(kind: str) -> None:
    function, x, numbers = NUMBERS[kind]
    assert_as_eager(function, [(x, number) for number in numbers])
    assert is_compiled()


@pytest.mark.parametrize("kind", ["added", "expanded"])
def test_numbers_that_torch_finds_out_to_change(kind: str) -> None:
    function, x, numbers = NUMBERS[kind]
    assert_as_eager(function, [(x, number) for number in numbers], dynamic=None)
    assert is_compiled()


def test_signs_of_zeros() -> None:
    call = torch.compile(lambda x, n: x * n, backend=tvmfuse_backend, dynamic=True)
    for number in (2.5, -0.0, 0.0, -0.0):
        assert torch.equal(call(X, number).signbit(), (X * number).signbit())


@pytest.mark.parametrize("kind", PLACES)
def test_numbers_that_operators_take_as_places(kind: str) -> None:
    function, x, numbers = PLACES[kind]
    assert_as_eager(function, [(x, number) for number in numbers])
    assert not any("defect" in node.why for graph in report().graphs for node in graph.eager)


def test_a_graph_for_all_numbers_is_compiled_once() -> None:
    numbers = [number for number in INTS if number not in (0, 1)]
    assert_as_eager(NUMBERS["added"][0], [(X, number) for number in numbers])
    assert len(report().graphs) == 1


def test_training() -> None:
    """The way back takes the numbers, too: one of them is a size besides."""

    def function(x: Tensor, n: int, rows: int) -> Tensor:
        return ((x * n + 1).square().expand(rows, 5) * (rows - n)).sum(0) / n

    torch._dynamo.reset()
    call = torch.compile(function, backend=tvmfuse_backend)
    for n, rows in [(3, 2), (4, 3), (-2, 4), (-(2**31), 5)]:
        results = []
        for each in (call, function):
            x = X.clone().requires_grad_()
            y = each(x, n, rows)
            y.sum().backward()  # type: ignore[no-untyped-call]
            results.append((y.detach(), x.grad))
        torch.testing.assert_close(*results, equal_nan=True)


def test_a_large_size_takes_no_memory() -> None:
    tensor = compiled_group._so_many(2**62)
    assert tensor.shape == (2**62,)
    assert tensor.is_contiguous()
    assert tensor.data_ptr() % 64 == 0
    assert compiled_group._so_many(3).shape == (3,)
