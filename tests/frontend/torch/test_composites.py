"""Operators written in others: as torch computes them itself, or scipy in double precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special as reference
import torch
from torch import Tensor
from torch_modules import compiled_as_eager

from tvmfuse.frontend.torch.composites import bessel, errors, gamma, ordering, places, windows
from tvmfuse.frontend.torch.composites.chebyshev import polynomial
from tvmfuse.frontend.torch.composites.distances import cdist, hypot, pdist

INF, NAN = float("inf"), float("nan")
POINTS = torch.cat(
    [torch.linspace(-30, 30, 601), torch.tensor([0.0, -0.0, 1e-6, 1e-20, 50, 100, 1000, NAN])]
)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (bessel.scaled_i0, reference.i0e), (bessel.scaled_i1, reference.i1e),
        (bessel.i0, reference.i0), (bessel.i1, reference.i1),
        (bessel.k0, reference.k0), (bessel.k1, reference.k1),
        (bessel.scaled_k0, reference.k0e), (bessel.scaled_k1, reference.k1e),
        (bessel.j0, reference.j0), (bessel.j1, reference.j1),
        (bessel.y0, reference.y0), (bessel.y1, reference.y1),
        (gamma.log_gamma, reference.gammaln), (errors.complement, reference.erfc),
        (errors.scaled_complement, reference.erfcx), (errors.inverse, reference.erfinv),
        (errors.normal_quantile, reference.ndtri), (errors.log_normal, reference.log_ndtr),
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_a_function_of_a_number(ours: Callable[..., Tensor], theirs: Callable[..., Any]) -> None:
    with np.errstate(all="ignore"):
        expected = theirs(POINTS.numpy().astype(np.float64)).astype(np.float32)
    found = ours(POINTS)
    assert found.dtype is torch.float32
    np.testing.assert_allclose(found.numpy(), expected, rtol=2e-6, atol=2e-7)


@pytest.mark.parametrize("order", [0, 1, 2, 3, 4])
def test_derivatives_of_the_gamma_functions_logarithm(order: int) -> None:
    x = POINTS[POINTS.round() != POINTS]
    expected = torch.polygamma(order, x.double()).float()
    torch.testing.assert_close(gamma.polygamma(order, x), expected, equal_nan=True)


@pytest.mark.parametrize("shifted", [False, True])
@pytest.mark.parametrize("kind", ["t", "u", "v", "w"])
def test_chebyshevs_polynomials(kind: str, shifted: bool) -> None:
    name = f"{'shifted_' if shifted else ''}chebyshev_polynomial_{kind}"
    x, n = torch.linspace(-3, 3, 61)[:, None], torch.tensor([-1.0, 0, 1, 2, 5, 8, 13])
    expected = getattr(torch.special, name)(x.double(), n.double()).float()
    found = polynomial(kind, shifted=shifted)(x, n)
    torch.testing.assert_close(found, expected, rtol=2e-6, atol=1e-5)


def test_the_length_of_a_vector_does_not_overflow() -> None:
    x = torch.tensor([3e38, 1e-40, 0.0, INF, NAN, 3.0])
    y = torch.tensor([1e38, 1e-40, 0.0, NAN, 1.0, -4.0])
    torch.testing.assert_close(hypot(x, y), torch.hypot(x, y), equal_nan=True)


@pytest.mark.parametrize("p", [0.0, 2.0, INF])
def test_points_without_coordinates_have_no_distance(p: float) -> None:
    a, b = torch.ones(2, 3, 0), torch.ones(4, 0)
    assert torch.equal(cdist(a, b, p), torch.cdist(a, b, p))
    assert torch.equal(cdist(a[:0], b, p), torch.cdist(a[:0], b, p))
    assert torch.equal(pdist(b, p), torch.pdist(b, p))


ROWS = torch.tensor([[3.0, NAN, 1, 1, 2, 2, -0.0, 0.0], [5, 5, -INF, 5, 7, 7, INF, 7], [NAN] * 8])


def test_orders_of_rows_with_ties_and_nan() -> None:
    functions: list[tuple[Callable[..., Any], Callable[..., Any], int]] = [
        (ordering.running_maximum, torch.cummax, 2),
        (ordering.running_minimum, torch.cummin, 2),
        (ordering.median, torch.median, 1),  # of equal medians torch names any
        (ordering.nan_median, torch.nanmedian, 1),
    ]
    for dim in (0, 1):
        for ours, theirs, count in functions:
            rows, expected = ours(ROWS, dim)[:count], tuple(theirs(ROWS, dim))[:count]
            torch.testing.assert_close(rows, expected, equal_nan=True)
    few = ROWS[:2, 2:].nan_to_num()
    assert [*map(Tensor.tolist, ordering.mode(few))] == [*map(Tensor.tolist, torch.mode(few))]
    total = ordering.running_log_sum_exp(few, 1)
    torch.testing.assert_close(total, torch.logcumsumexp(few, 1))


def test_the_most_frequent_of_many() -> None:
    """Of equal elements torch names the last one of a short row, and any of a long one."""
    x = torch.randint(0, 9, (5, 40), generator=torch.Generator().manual_seed(0))
    for dim in (0, 1):
        values, found = ordering.mode(x, dim, keepdim=True)
        assert torch.equal(values, torch.mode(x, dim, keepdim=True).values)
        assert torch.equal(x.gather(dim, found), values)
    assert torch.equal(ordering.mode(x[:, :16])[1], torch.mode(x[:, :16]).indices)


def test_places_in_sorted_rows() -> None:
    rows = torch.tensor([-INF, 0.0, 1, 1, 1, 2, INF, NAN])
    x = torch.tensor([[-INF, -1, 0, 1], [1.5, 3, INF, NAN]])
    for right in (False, True):
        for count in range(9):
            found = ordering.search_sorted(rows[:count], x, right=right)
            assert found.tolist() == torch.searchsorted(rows[:count], x, right=right).tolist()


def test_windows_that_are_not_equal() -> None:
    x = torch.rand(2, 3, 7, 5, 4, generator=torch.Generator().manual_seed(0))
    expected = torch.nn.functional.adaptive_avg_pool3d(x, (3, 8, 2))
    torch.testing.assert_close(windows.adaptive_average(x, (3, 8, 2)), expected)
    assert windows.adaptive_average(x, (7, 1, 2)) is NotImplemented
    maxima = torch.nn.functional.adaptive_max_pool3d(x, (3, 8, 2), return_indices=True)
    torch.testing.assert_close(windows.adaptive_maximum(x, (3, 8, 2)), maxima)


def test_writing_to_diagonals_and_by_strides() -> None:
    x, new = torch.zeros(3, 4), torch.arange(1.0, 4)
    expected = torch.diagonal_scatter(x, new, 1)
    torch.testing.assert_close(places.diagonal_scatter(x, new, 1), expected)
    expected = torch.as_strided_scatter(x, new, (3,), (5,), 1)
    torch.testing.assert_close(places.as_strided_scatter(x, new, (3,), (5,), 1), expected)
    assert places.as_strided_scatter(x.t(), new, (3,), (5,), 1) is NotImplemented


def test_writing_where_a_mask_is_true() -> None:
    x, mask = torch.zeros(3, 2), torch.tensor([True, False, True])
    for values in (torch.tensor(5.0), torch.rand(2, 2), torch.rand(1, 2), torch.rand(2)):
        for accumulate in (False, True):
            expected = torch.index_put(x, (mask,), values, accumulate)
            torch.testing.assert_close(places.index_put(x, [mask], values, accumulate), expected)
    nothing, nowhere = x[:0], torch.zeros(0, dtype=torch.int64)
    assert torch.equal(places.put(nothing, nowhere, x[0, :0]), nothing)
    square = torch.eye(3, 2, dtype=torch.bool)
    expected = torch.index_put(x, (square,), x[0] + 3)
    torch.testing.assert_close(places.index_put(x, [square], x[0] + 3), expected)
    expected = x.masked_scatter(mask[:, None], torch.arange(6.0))
    torch.testing.assert_close(places.masked_scatter(x, mask[:, None], torch.arange(6.0)), expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64])
def test_elements_that_join_those_at_their_places(dtype: torch.dtype) -> None:
    x, index = torch.arange(1, 7).reshape(2, 3).to(dtype), torch.tensor([[0, 2, 2]])
    for reduce in ("add", "multiply"):
        for source in (x, 2.5):
            expected = torch.scatter(x, 1, index, source, reduce=reduce)
            assert torch.equal(
                places.scatter_combined(x, 1, index, source, reduce=reduce), expected
            )


def test_a_number_that_is_written_to_whole_numbers_loses_its_fraction() -> None:
    x, index = torch.arange(6).reshape(2, 3), torch.tensor([[0, 2, 2]])
    for value in (2.5, -2.5):
        expected = torch.scatter(x, 1, index, value)
        assert torch.equal(places.scatter_number(x, 1, index, value), expected)
    for tensor, value in ((x, 2), (x, INF), (x.float(), 2.5), (x > 2, 2.5)):
        assert places.scatter_number(tensor, 1, index, value) is NotImplemented


@pytest.mark.parametrize("size", [0, 2, 4, 7])
def test_where_the_first_elements_stand_that_are_not_zero(size: int) -> None:
    dense = torch.tensor([[0.0, 3, NAN], [1, 0, -2]])
    for x in (dense, dense > 0, dense[:, :0], dense[0, 1], torch.zeros(3)):
        found = places.nonzero_static(x, size=size, fill_value=-7)
        assert torch.equal(found, torch.nonzero_static(x, size=size, fill_value=-7))


def test_compiled() -> None:
    """What converters do here: ranks, bits, and places along any axes."""
    put = torch.ops.aten.index_put
    rows, columns = torch.tensor([[0, 2], [1, 1]]), torch.tensor([2, 0])
    new = torch.arange(1.0, 17).reshape(2, 2, 4)

    def several(x: Tensor, r: Tensor, c: Tensor, new: Tensor) -> list[Tensor]:
        flat = x.reshape(3, 8)
        return [
            *torch.sort(x, dim=-1, stable=True), *torch.sort(x, 0, descending=True),
            torch.topk(flat, 3, largest=False)[0], *torch.frexp(x), torch.nextafter(x, c[0] - x),
            put(flat, [None, c], flat[:, :2] * 2),
            put(x, [r % 2, None, c], new[..., 0, None]),
            x[r, :, c % 2], flat.masked_fill(flat > 1, 0), torch.searchsorted(flat.sort()[0][0], x),
            torch.scatter_reduce(flat, 1, r, flat[:, :2], "amax", include_self=False),
            torch.scatter_reduce(flat, 1, r, flat[:, :2], "mean"), torch.index_fill(flat, 1, c, 9),
        ]  # fmt: skip

    compiled_as_eager(several, ROWS.reshape(3, 2, 4), rows, columns, new, level="none")
