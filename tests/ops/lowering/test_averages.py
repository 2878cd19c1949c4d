"""ops.lowering.averages: what an average is divided by is a product of floats."""

from typing import Any

import numpy as np
import pytest
import tvm
import tvm_ffi
from tvm import relax
from tvm.relax import op as R
from tvm.tirx import Cast, PrimFunc

from tvmfuse.ops.lowering.averages import AVERAGE_POOLS

X = np.arange(1, 16, dtype="float32").reshape(1, 1, 3, 5)
POOLS = {1: R.nn.avg_pool1d, 2: R.nn.avg_pool2d, 3: R.nn.avg_pool3d}


def lowered(dimensions: int, **options: Any) -> tvm.IRModule:
    """Return a pool of three elements along each of so many axes, one of padding on each side."""
    builder = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((1, 1, 3, 5, 7)[: 2 + dimensions], "float32"))
    with builder.function("main", [x]):
        pool = builder.normalize(POOLS[dimensions](x, 3, 2, 1, **options))
        legalize = AVERAGE_POOLS[f"relax.nn.avg_pool{dimensions}d"]
        builder.emit_func_output(builder.emit(legalize(builder, pool)))
    return builder.get()


def counts(module: tvm.IRModule) -> list[Cast]:
    found: list[Cast] = []
    for _, function in module.functions_items():
        if isinstance(function, PrimFunc):
            tvm_ffi.structural_walk(function.body, (Cast, found.append))
    return found


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_each_axis_is_counted_on_its_own(dimensions: int) -> None:
    found = counts(lowered(dimensions, count_include_pad=False))
    assert len(found) == dimensions


@pytest.mark.parametrize("dimensions", [2, 3])
def test_each_axis_is_counted_on_its_own_with_its_padding(dimensions: int) -> None:
    found = counts(lowered(dimensions, count_include_pad=True, ceil_mode=True))
    assert len(found) == dimensions


def test_numbers_of_windows_whose_padding_counts() -> None:
    """What is behind the padding, where a last window is not whole, does not."""
    module = lowered(2, ceil_mode=True, count_include_pad=True)
    run = relax.VirtualMachine(tvm.compile(module, "llvm"), tvm.cpu())["main"]
    found = run(tvm.runtime.tensor(X)).numpy()
    padded = np.pad(X, ((0, 0), (0, 0), (1, 1), (1, 1)))
    for i, j in np.ndindex(*found.shape[2:]):
        window = padded[0, 0, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3]
        np.testing.assert_allclose(found[0, 0, i, j], np.mean(window), rtol=1e-6)


def test_numbers_of_windows_that_are_partly_padding() -> None:
    module = lowered(2, ceil_mode=True, count_include_pad=False)
    run = relax.VirtualMachine(tvm.compile(module, "llvm"), tvm.cpu())["main"]
    found = run(tvm.runtime.tensor(X)).numpy()
    padded = np.pad(X, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=np.nan)
    for i, j in np.ndindex(*found.shape[2:]):
        window = padded[0, 0, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3]
        np.testing.assert_allclose(found[0, 0, i, j], np.nanmean(window), rtol=1e-6)
