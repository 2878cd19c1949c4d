"""Results that are as long as the numbers say: masks, nonzero, and what sorts them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from torch.export import Dim

import tvmfuse

pytestmark = pytest.mark.sampled(5)

N, M = Dim("n"), Dim("m")


def agrees(
    function: Callable[..., Any], dims: Sequence[Any], *calls: Sequence[torch.Tensor]
) -> None:
    """Compile a function of one tensor or two, once, and compare each call with torch's eager."""

    class One(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return function(x)

    class Two(torch.nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> Any:
            return function(x, y)

    module = (One, Two)[len(dims) - 1]()
    program = torch.export.export(module, tuple(calls[0]), dynamic_shapes=tuple(dims))
    compiled = tvmfuse.compile(program, level="none").load()
    for call in calls:
        fed = dict(zip("xy", (t.numpy() for t in call), strict=False))
        found = [torch.from_numpy(np.asarray(r)) for r in compiled(fed).values()]
        expected = function(*call)
        whole = list(expected) if isinstance(expected, tuple) else [expected]
        torch.testing.assert_close(found, whole)


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


@pytest.mark.parametrize(
    "function",
    [lambda x: tuple(x[x > 0].sort()), lambda x: x[x > 0].argsort(descending=True)],
    ids=["sort", "argsort"],
)
def test_sorting_what_a_mask_keeps(function: Any) -> None:
    agrees(function, [{0: N}], *([drawn(n)] for n in (5, 1, 0, 300)), [-torch.ones(3)])


def test_the_rows_of_a_detector() -> None:
    """One mask picks scores and boxes: torch knows that they are as many."""

    def detector(boxes: torch.Tensor, scores: torch.Tensor) -> Any:
        keep = scores > 0
        kept, order = scores[keep].sort(descending=True)
        return boxes[keep][order][:3], kept * 2 + scores[keep], torch.masked_select(scores, keep)

    calls = [[drawn(n, 4), drawn(n)] for n in (7, 1, 30)]
    agrees(detector, [{0: N}, {0: N}], *calls, [drawn(4, 4), -torch.ones(4)])


def test_places_of_what_is_not_0() -> None:
    def places(x: torch.Tensor) -> Any:
        return x.nonzero(), x[x != 0]

    tensors = [drawn(3, 4).round(), torch.zeros(2, 5), torch.zeros(0, 2), torch.ones(1, 1)]
    agrees(places, [{0: N, 1: M}], *([t] for t in tensors))


def test_the_places_of_a_scalar_have_no_columns() -> None:
    agrees(lambda x: x.nonzero(), [{}], [torch.tensor(2.0)], [torch.tensor(0.0)])


def test_a_mask_of_an_axis_in_the_middle() -> None:
    calls = [[drawn(3, n, 2), drawn(n)] for n in (4, 6)]
    agrees(lambda x, y: x[:, y > 0], [{1: N}, {0: N}], *calls)
