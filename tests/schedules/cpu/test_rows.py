"""schedules.cpu.rows: what is interpolated twice is kept, a row of the outer axes at a time."""

from typing import Any

from tvm.relax import Expr, op as R

from tvmfuse.ops import resample
from tvmfuse.ops.resample import Taps
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512


def resized(x: Expr, across: Expr, wide: Expr, down: Expr, high: Expr) -> Expr:
    return resample(x, [Taps(3, across, wide), Taps(2, down, high)], skips_zeros=False)


def shapes(batch: int, height: int, width: int, taps: int) -> Any:
    tables = [((taps, n), dtype) for n in (width, height) for dtype in ("int32", "float32")]
    return ((batch, 4, 9, 7), "float32"), *tables


def test_computes_the_same(lab: Any) -> None:
    for given in (shapes(2, 11, 37, 2), shapes(1, 5, 3, 4), shapes(1, 1, 1, 1)):
        scheduled = lab.assert_same_numbers(lab.lowered(resized, *given))
        assert {d.schedule for d in scheduled.report.decisions.values()} == {"elementwise"}


def test_rows_that_lie_side_by_side_are_computed_side_by_side(lab: Any) -> None:
    """The variance of each channel of a block of pixels: vectors lie along the channels."""

    def variance(x: Expr) -> Expr:
        return R.variance(x, [2, 3], keepdims=True)

    module = lab.lowered(variance, ((3, 4, 9, 7, 16), "float32"))
    scheduled = lab.assert_same_numbers(module)
    (function,) = lab.kernels(scheduled.module).values()
    assert "T.vectorized(T.int64(8))" in function.script()


def test_one_row_is_kept(lab: Any) -> None:
    """The first axis is resampled once for each place, and not once for each tap of the second."""
    for machine, register in ((AVX2, "ymm"), (AVX512, "zmm")):
        module = schedule(lab.lowered(resized, *shapes(2, 11, 64, 2)), machine.target).module
        (function,) = lab.kernels(module).values()
        assert "alloc_buffer((T.int64(576),))" in function.script()
        code = lab.assembly(function, machine)
        assert all(
            register in line for line in lab.hottest_block(code, "vfmadd") if "vfmadd" in line
        )
