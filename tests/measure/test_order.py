"""A value of the ONNX graph is found where the passes put it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tvmfuse.manifest import StoredValue
from tvmfuse.measure.order import AS_IT_IS, order_in_words, restored, write_back
from tvmfuse.passes.nchwc.arrays import blocked


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def beside(x: np.ndarray) -> np.ndarray:
    return np.concatenate([x + 9, x, x - 9], 1)


Store = Callable[[np.ndarray], np.ndarray]
ORDERS: dict[str, tuple[StoredValue, np.ndarray, Store]] = {
    AS_IT_IS: (StoredValue("y"), numbers(2, 3, 5), lambda x: x),
    "axes (2, 0, 1)": (
        StoredValue("y", axes=(2, 0, 1)), numbers(2, 3, 5), lambda x: x.transpose(1, 2, 0),
    ),
    "channels in blocks of 16": (
        StoredValue("y", blocked=True), numbers(2, 48, 3, 3), lambda x: blocked(x, 16),
    ),
    "4 to 8 of axis 1": (StoredValue("y", part=(1, 4, 8)), numbers(3, 4), beside),
    "channels in blocks of 16, axes (0, 2, 3, 1)": (
        StoredValue("y", blocked=True, axes=(0, 2, 3, 1)), numbers(2, 3, 4, 16),
        lambda x: blocked(np.ascontiguousarray(x.transpose(0, 3, 1, 2)), 16),
    ),
}  # fmt: skip


@pytest.mark.parametrize("order", ORDERS)
def test_a_value_is_restored(order: str) -> None:
    stored, value, store = ORDERS[order]
    held = np.ascontiguousarray(store(value))
    np.testing.assert_array_equal(restored(stored, held), value)
    assert order_in_words(stored, held) == order


@pytest.mark.parametrize("order", ORDERS)
def test_a_value_is_written_back(order: str) -> None:
    stored, value, store = ORDERS[order]
    held = np.ascontiguousarray(store(value)).copy()
    write_back(stored, held, -value)
    np.testing.assert_array_equal(restored(stored, held), -value)
    unchanged: Any = np.ascontiguousarray(store(value)) == held
    assert unchanged.sum() == held.size - value.size  # what else is in the result stays


def test_a_reshaped_value() -> None:
    x = numbers(2, 3, 4)
    stored = StoredValue("y", axes=(1, 0, 2), reshaped=True)
    assert (restored(stored, x, (3, 8)) == x.transpose(1, 0, 2).reshape(3, 8)).all()
    assert order_in_words(stored, x) == "axes (1, 0, 2), reshaped"
    assert restored(StoredValue("y", reshaped=True), x, (5, 5)).shape == (2, 3, 4)  # refused later


def test_a_square_is_not_guessed_at() -> None:
    """Nearness decides nothing: the axes are what the rewrite says, whatever the numbers."""
    x = numbers(4, 4)
    assert (restored(StoredValue("y", axes=(1, 0)), x) == x.T).all()
    assert (restored(StoredValue("y"), x.T) == x.T).all()
