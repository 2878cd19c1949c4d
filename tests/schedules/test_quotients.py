"""schedules.quotients: bounds of sizes that are divided."""

import pytest
from tvm import tirx

from tvmfuse.schedules.quotients import Quotients

H, W = (tirx.Var(name, "int64") for name in "hw")


@pytest.mark.parametrize(
    ("results", "true", "false"),
    [
        (tirx.floordiv(H - 1, 2) + 1, lambda n: 2 * (n - 1) < H, lambda n: 2 * (n - 1) + 1 < H),
        (tirx.floordiv(H + 1, 2), lambda n: 2 * (n - 1) < H, lambda n: 2 * n < H),
        (tirx.floordiv(H - 5, 3) + 1, lambda n: 3 * (n - 1) + 4 < H, lambda n: 3 * n + 2 < H),
        (tirx.floordiv(H, 2), lambda n: 2 * n <= H, lambda n: 2 * n == H),
        (H, lambda n: n - 1 < H, lambda n: n < H),
    ],
    ids=["odd", "even", "by three", "whole", "not divided"],
)  # fmt: skip
def test_bounds(results: tirx.Expr, true: object, false: object) -> None:
    assert Quotients.of(results).can_prove(true(results))  # type: ignore[operator]
    assert not Quotients.of(results).can_prove(false(results))  # type: ignore[operator]


@pytest.mark.parametrize(
    "size", [tirx.floordiv(2 * H - 1, 2), tirx.floordiv(H + W, 2), tirx.floordiv(H, W)], ids=str
)
def test_others_stay_as_they_are(size: tirx.Expr) -> None:
    assert not Quotients.of(size).can_prove(2 * size < H)
