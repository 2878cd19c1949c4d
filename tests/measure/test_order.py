"""Tensors are compared in the order that their numbers turn out to have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tvmfuse.measure.order import AS_IT_IS, placed
from tvmfuse.passes.nchwc.arrays import blocked


def numbers(*shape: Any) -> Any:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


ORDERS: dict[str, tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]] = {
    AS_IT_IS: (numbers(2, 3, 5), lambda x: x),
    "axes (2, 0, 1)": (numbers(2, 3, 5), lambda x: x.transpose(1, 2, 0)),
    "axes (0, 2, 1)": (numbers(2, 4, 4), lambda x: x.transpose(0, 2, 1)),
    "reshaped": (numbers(2, 3, 4, 5), lambda x: x.reshape(2, 3, 20)),
    "channels in blocks of 16": (numbers(2, 48, 3, 3), lambda x: blocked(x, 16)),
    "4 to 8 of axis 1": (numbers(3, 4), lambda x: np.concatenate([x + 9, x, x - 9], 1)),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("error", [0, 1e-3])
def test_an_order_is_found_and_the_error_in_it(order: Any, error: float) -> None:
    expected, change = ORDERS[order]
    found: Any = placed(expected, np.ascontiguousarray(change(expected * np.float32(1 + error))))
    assert found.order == order
    assert found.distance.max_rel == pytest.approx(error, rel=1e-3)


def test_a_wrong_tensor_of_the_right_shape_is_wrong_as_it_is() -> None:
    found: Any = placed(numbers(4, 4), -numbers(4, 4))
    assert (found.order, found.distance.max_rel) == (AS_IT_IS, 2)


def test_a_wrong_tensor_in_blocks_is_wrong_in_blocks() -> None:
    expected = numbers(1, 32, 2, 2)
    found: Any = placed(expected, blocked(-expected, 16))
    assert (found.order, found.distance.max_rel) == ("channels in blocks of 16", 2)


@pytest.mark.parametrize("shape", [(3, 5), (5, 4), (4, 5, 2)])
def test_what_fits_in_no_order_is_not_compared(shape: tuple[int, ...]) -> None:
    words = f"its shape is {[*shape]} here and [4, 5] there, and no order of it fits"
    assert placed(numbers(4, 5), np.ones(shape, np.float32) * 7) == words


def test_another_dtype_is_not_compared() -> None:
    words = "it is float16 here and float32 there"
    assert placed(numbers(2), numbers(2).astype(np.float16)) == words
