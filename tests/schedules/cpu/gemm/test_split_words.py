"""schedules.cpu.gemm.split_words: words that a dot product would clip, in two parts."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tvm

from tvmfuse import ops
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2

RNG = np.random.default_rng(0)
WIDTH = 24

#: Rows by numbers, less the least of their type: what is split everywhere, nowhere, here and there.
READ: dict[str, Callable[[tuple[int, int]], np.ndarray]] = {
    "least": lambda shape: np.zeros(shape, "int64"),
    "most": lambda shape: np.full(shape, 255),
    "any": lambda shape: RNG.integers(0, 256, shape),
    "near the middle": lambda shape: np.clip(RNG.normal(128, 28, shape), 0, 255),
    "near zero": lambda shape: np.clip(abs(RNG.normal(0, 50, shape)), 0, 255),
    "bounds in pairs": lambda shape: RNG.permutation(
        np.resize([64, 64, 63, 64, 192, 191, 192, 192, 191, 192, 127, 128, 128, 128], shape)
    ),
    "one pair of the last row": lambda shape: np.pad(
        np.full((1, 2), 255), [(shape[0] - 1, 0), (shape[1] - 2, 0)], constant_values=128
    ),
}


def panels(weights: np.ndarray) -> np.ndarray:
    """Return a matrix in panels of words."""
    k, columns = weights.shape
    whole = np.pad(weights, [(0, 0), (0, -columns % WIDTH)])
    return whole.reshape(k // 4, 4, -1, WIDTH).transpose(2, 0, 3, 1)


def kernel_of(lab: Any, a: Any, b: Any, columns: int) -> Any:
    module = lab.lowered(lambda x, w: ops.gemm(x, w, columns=columns), a, b)
    (function,) = lab.kernels(schedule(module, AVX2.target).module).values()
    return function


@pytest.mark.parametrize(("a", "b"), [("uint8", "int8"), ("int8", "uint8")])
@pytest.mark.parametrize(
    ("rows", "k", "columns"), [(13, 36, 61), (2, 4, 24), (7, 32, 48), (9, 200, 24)], ids=str
)
def test_products_are_exact(lab: Any, a: str, b: str, rows: int, k: int, columns: int) -> None:
    shape = (-(-columns // WIDTH), k // 4, WIDTH, 4)
    run = lab.runnable(kernel_of(lab, ((rows, k), a), (shape, b), columns), AVX2)
    limits = np.iinfo(b)
    for weights in (
        np.full((k, columns), limits.min, b),
        np.full((k, columns), limits.max, b),
        RNG.integers(limits.min, limits.max + 1, (k, columns)).astype(b),
    ):
        for read in READ.values():
            x = (read((rows, k)) + np.iinfo(a).min).astype(a)
            found = tvm.runtime.tensor(np.full((rows, columns), -7, "int32"))
            given = (tvm.runtime.tensor(np.ascontiguousarray(y)) for y in (x, panels(weights)))
            run(*given, found)
            np.testing.assert_array_equal(
                found.numpy(), x.astype("int64") @ weights.astype("int64")
            )


def test_words_are_split_once_and_multiplied_as_bytes(lab: Any) -> None:
    text = str(kernel_of(lab, ((7, 32), "int8"), ((2, 8, WIDTH, 4), "uint8"), 48))
    assert {"main", "rest", "places", "counts"} <= set(re.findall(r"\w+", text))


@pytest.mark.parametrize("rows", [1, tvm.tirx.Var("n", "int64")], ids=str)
def test_what_is_no_known_matrix_is_not_split(lab: Any, rows: Any) -> None:
    text = str(kernel_of(lab, ((rows, 32), "int8"), ((2, 8, WIDTH, 4), "uint8"), 48))
    assert "places" not in text
