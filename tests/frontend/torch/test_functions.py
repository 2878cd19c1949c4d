"""Operators of one or two numbers, at their edges: signs of zero, infinities, NaN, rounding."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch_modules import compiled_as_eager

from tvmfuse.errors import UnsupportedModelError

EDGES = torch.tensor(
    [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.5, 1e-30, -1e-8, 1e-4, 88.0, -104.0, 1e30,
     float("inf"), float("-inf"), float("nan")]
)  # fmt: skip
WHOLE = torch.tensor([0, 1, -1, 2, -7, 7, 100, -128])

#: torch's own fmod gives NaN where a quotient overflows.
ORDINARY = EDGES[EDGES != 1e-30]
MODERATE = EDGES[EDGES.abs() < 50]


def as_eager(*functions: Callable[..., Any], inputs: Any) -> None:
    """Compare several functions in one model."""
    compiled_as_eager(lambda *given: [f(*given) for f in functions], *inputs, level="none")


def test_functions_of_a_float() -> None:
    as_eager(
        torch.log1p, torch.expm1, torch.exp2, torch.signbit, torch.sign, torch.round, torch.trunc,
        torch.isnan, torch.isinf, torch.logical_not, torch.rsqrt, torch.reciprocal, torch.log2,
        inputs=[EDGES],
    )  # fmt: skip


def test_activations() -> None:
    act = torch.nn.functional
    as_eager(
        act.softplus, act.gelu, lambda x: act.gelu(x, approximate="tanh"), act.elu, act.selu,
        act.hardsigmoid, act.leaky_relu, act.hardswish, act.relu6, act.silu, act.mish,
        act.logsigmoid,
        inputs=[MODERATE],
    )  # fmt: skip


def test_functions_of_two_floats() -> None:
    as_eager(
        torch.atan2, torch.copysign, torch.fmax, torch.fmin, torch.maximum, torch.minimum,
        torch.remainder, torch.fmod, torch.floor_divide, torch.eq, torch.ne, torch.lt, torch.ge,
        lambda x, y: torch.div(x, y, rounding_mode="trunc"), lambda x, y: torch.add(x, y, alpha=3),
        lambda x, y: torch.rsub(x, y, alpha=2), lambda x, y: torch.clamp(x, min=y),
        lambda x, y: torch.where(x < y, x, 2.0),
        inputs=[ORDINARY[None], ORDINARY[:, None]],
    )  # fmt: skip


def test_functions_of_whole_numbers() -> None:
    other = WHOLE[:, None].where(WHOLE[:, None] != 0, 3)
    as_eager(
        torch.remainder, torch.fmod, torch.floor_divide, torch.div, torch.bitwise_and,
        torch.bitwise_xor, lambda x, _: ~x, torch.logical_xor, torch.maximum,
        lambda x, y: torch.div(x, y, rounding_mode="trunc"), lambda x, _: x << 3,
        lambda x, _: x >> 2, lambda x, _: x.to(torch.uint8), lambda x, y: x * 1.5 + y,
        inputs=[WHOLE[None], other],
    )  # fmt: skip


@pytest.mark.parametrize("op", [operator.and_, operator.or_, operator.add, operator.mul])
def test_truth_values(op: Callable[..., Any]) -> None:
    x, y = torch.tensor([[True, False]]), torch.tensor([[True], [False]])
    as_eager(op, lambda a, b: a.sum() + b.any(), inputs=[x, y])


def test_types_are_promoted() -> None:
    half, whole = torch.rand(3, dtype=torch.float64), torch.arange(3, dtype=torch.int32)
    as_eager(
        lambda x, n: x + n, lambda x, n: n / 2, lambda x, n: n * 2.5, lambda x, n: n > 1.5,
        lambda x, n: n + 1, lambda x, n: x.to(torch.float32) + x, lambda x, n: n.sum(),
        lambda x, n: n.float().mean(), lambda x, n: torch.cat([n, n.long()]),
        inputs=[half, whole],
    )  # fmt: skip


def test_truth_values_are_compared_and_added_up() -> None:
    truths = torch.tensor([[True, False, True], [False, False, True]])
    places = torch.tensor([1, 1])
    as_eager(
        torch.maximum, torch.minimum, torch.fmax, torch.fmin,
        lambda x, y: x.max(1).values, lambda x, y: x.min(0).indices,
        lambda x, y: torch.clamp_max(x, y),
        lambda x, y: x.index_add(0, places, y),
        lambda x, y: x.index_put((places,), y, accumulate=True),
        inputs=[truths, ~truths],
    )  # fmt: skip


def test_whole_numbers_in_a_row_start_and_step_by_whole_ones() -> None:
    as_eager(
        lambda x: x + torch.arange(0.5, 6.9, 2.0, dtype=torch.int64)[:3],
        lambda x: x + torch.arange(3, dtype=torch.float32),
        lambda x: x + torch.arange(5, -1, -2),
        inputs=[torch.tensor([1, 2, 3])],
    )


def test_powers_of_whole_numbers_wrap_around_and_end_at_zero() -> None:
    """As torch's do: by squares, where a negative power of what is neither 1 nor -1 is 0."""
    for dtype in (torch.int64, torch.int8, torch.uint8):
        least, most = torch.iinfo(dtype).min, torch.iinfo(dtype).max
        x = torch.tensor([0, 1, most, 2, 3, 10, most // 3, least, least + 1], dtype=dtype)
        n = torch.tensor([0, 1, 2, 3, 7, 39, 64, 101, most, least, most - 4], dtype=dtype)
        as_eager(
            torch.pow, lambda x, n: 3**n, lambda x, n: 0**n, lambda x, n: x**5, lambda x, n: x**0,
            inputs=[x[:, None], n],
        )  # fmt: skip


def test_whole_numbers_between_two_ends() -> None:
    """Torch drops their fractions, and counts from the nearer end."""
    as_eager(
        *(
            lambda x, ends=ends, dtype=dtype: x + torch.linspace(*ends, dtype=dtype)
            for ends in ((0, 9, 4), (-5, 7, 8), (1.7, 9.2, 5), (3, -4, 1), (3, -4, 9), (3, 4, 0))
            for dtype in (torch.int64, torch.int16)
        ),
        lambda x: torch.linspace(x, 9, 4),
        inputs=[torch.tensor(1)],
    )


def test_a_whole_float_is_a_whole_number() -> None:
    act = torch.nn.functional
    as_eager(act.hardtanh, lambda x: act.pad(x, (1, 2), value=2.0), inputs=[WHOLE])


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (lambda x: x[0, 0] + torch.linspace(x[0, 0], 5, 3, dtype=torch.int64),
         "an end of its whole numbers is computed"),
        (lambda x: torch.nn.functional.avg_pool2d(x[None], 2, divisor_override=3),
         "it divides sums of whole numbers by its divisor"),
        (lambda x: torch.nn.functional.hardtanh(x, -0.5, 0.5), "its number -0.5 does not fit int64"),
    ],
)  # fmt: skip
def test_what_rounds_another_way_is_refused(function: Callable[..., Any], why: str) -> None:
    with pytest.raises(UnsupportedModelError, match=why):
        as_eager(function, inputs=[torch.ones(4, 4, dtype=torch.int64)])
