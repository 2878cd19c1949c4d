"""schedules.cpu.gemm.blocking: what stays in a cache, and in how many blocks a sum comes."""

from dataclasses import replace
from typing import Any

import pytest
from tvm import tirx
from tvm.relax import op as R

from tvmfuse.ops import conv_blocked, gemm
from tvmfuse.schedules.schedule import schedule
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.target.machine import AVX2, AVX512, EMERALD_RAPIDS, ZEN4, Machine

ONES: dict[str, Any] = {"strides": [1, 1], "dilation": [1, 1], "padding": [0] * 4}
ROWS = tirx.Var("s", "int64")


def convolution(lab: Any, channels: Any, filters: Any, size: Any) -> Any:
    shapes = (1, channels, size, size), (filters, channels, 3, 3)
    return lab.planned(lambda x, w: R.nn.conv2d(x, w, padding=1), *shapes)


def test_a_product_s_rows_pass_over_a_few_columns(lab: Any) -> None:
    found = lab.planned(R.matmul, (2, 32, 16), (2, 16, 48))
    assert found.order == ("i0", "i2", "i1")
    assert (found.row, found.column) == ("i1", "i2")


def test_rows_known_later_pass_over_a_few_columns(lab: Any) -> None:
    """All weights would come from far away again for each few of them."""
    batch, length = tirx.Var("b", "int64"), tirx.Var("s", "int64")
    found = lab.planned(lambda a, p: gemm(a, p), (batch, length, 768), (32, 768, 24))
    assert found.order[-1] == "i0*i1"
    assert "panels" in found.prefetch


def test_small_weights_pass_over_pixels_whose_number_is_known_later(lab: Any) -> None:
    """However many there are, each is read once; of large weights, each of these."""

    def order(channels: int, panels: int) -> Any:
        shapes = (ROWS, channels), (panels, channels, 16)
        return lab.planned(lambda a, p: gemm(a, p), *shapes, machine=AVX512).order

    assert order(32, 12)[0] == "i0"
    assert order(768, 48)[-1] == "i0"


def test_what_is_larger_passes_fewer_times(lab: Any) -> None:
    """A large image, and small weights that pass for each of its parts; and the other way round."""
    assert convolution(lab, 8, 16, 100).order == ("yy", "xx", "ff")
    assert convolution(lab, 128, 256, 8).order == ("ff", "yy", "xx")


def test_a_large_batch_goes_image_by_image(lab: Any) -> None:
    """All images would come from main memory again for each block of the output's channels."""
    shapes = (8, 64, 14, 14, 16), (16, 64, 1, 1, 16, 16)
    found = lab.planned(lambda x, w: conv_blocked(x, w, **ONES), *shapes)
    assert found.order[:2] == ("n", "o")
    assert "panels" in found.prefetch


@pytest.mark.parametrize(
    ("rows", "depth", "panels", "strip"),
    [
        (1100, 512, 8, 64),
        (900, 512, 8, 0),  # they fit the last cache
        (1100, 512, 2, 0),  # and pass twice
        (8800, 64, 4, 0),  # small weights pass for each tile of rows
        (1100, 4096, 8, 0),  # sums come in blocks
        (ROWS, 512, 8, 0),  # few, more often than not
    ],
)
def test_rows_that_would_come_from_memory_again_and_again_come_in_strips(
    lab: Any, rows: Any, depth: int, panels: int, strip: int
) -> None:
    """Those of a strip stay in the second-level cache for all panels."""
    found = lab.planned(lambda a, p: gemm(a, p), (rows, depth), (panels, depth, 24))
    assert found.row_strip == strip
    assert not strip or strip * depth * 4 <= AVX2.tuning.l2_budget / 2


@pytest.mark.parametrize("batch", [1, 2, tirx.Var("b", "int64")], ids=str)
@pytest.mark.parametrize("samples", [3199, tirx.Var("t", "int64")], ids=str)
def test_long_signals_come_in_strips_one_after_the_other(
    lab: Any, batch: Any, samples: Any
) -> None:
    options: dict[str, Any] = {"strides": [2], "dilation": [1], "padding": [0] * 2}
    shapes = (batch, 32, 2 * samples, 16), (32, 32, 3, 16, 16)
    found = lab.planned(lambda x, w: conv_blocked(x, w, **options), *shapes, machine=ZEN4)
    assert found.row_strip % found.mr == 0 < found.row_strip
    assert [axis for axis in found.order if axis != "n"] == ["o", "i1", "i0"]
    assert found.order[0] == "n" or batch == 1


@pytest.mark.parametrize("batch", [1, 8, tirx.Var("b", "int64")], ids=str)
@pytest.mark.parametrize("size", [60, tirx.Var("h", "int64")], ids=str)
@pytest.mark.parametrize("window", [1, 3])
def test_an_image_comes_in_lines(lab: Any, batch: Any, size: Any, window: int) -> None:
    shapes = (batch, 32, size, size, 16), (32, 32, window, window, 16, 16)
    found = lab.planned(lambda x, w: conv_blocked(x, w, **ONES), *shapes, machine=ZEN4)
    assert found.row_strip == 0


@pytest.mark.parametrize("known", [False, True], ids=["any size", "known size"])
@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=str)
def test_strips_of_any_number_of_rows(lab: Any, machine: Machine, known: bool) -> None:
    """The last strip has fewer, of which the last tile has."""
    for rows in (31, 32, 33, 64, 95):
        shapes = (rows if known else ROWS, 24), (3, 24, 32)
        module = lab.lowered(lambda a, p: gemm(a, p), *((shape, "float32") for shape in shapes))
        (name,) = lab.kernels(module)
        plan: Any = schedule(module, machine.target).report.plan_of(name)
        strips = replace(plan, nests=(replace(plan.nests[0], mr=4, row_strip=32),))
        settings = ScheduleSettings.of(plans={name: strips})
        lab.assert_same_numbers(module, machine, settings=settings, s=rows)


def k_blocks(lab: Any, operator: Any, *shapes: Any, machine: Machine = AVX2) -> Any:
    return lab.planned(operator, *shapes, machine=machine).k_blocks


def blocked(channels: Any, size: Any, window: int = 1) -> Any:
    """The shapes of a convolution to 512 channels; its operator."""
    shapes = (1, channels // 16, size, size, 16), (32, channels // 16, window, window, 16, 16)
    return (lambda x, w: conv_blocked(x, w, **ONES)), *shapes


@pytest.mark.parametrize(
    ("channels", "size", "window", "expected"),
    [
        (1024, 14, 1, 1),
        (2048, 7, 1, 8),
        (64, 16, 3, 1),
        (128, 9, 3, 8),
        (512, 9, 3, 32),
        (16, 40, 9, 9),
    ],
)
def test_pixels_are_summed_in_blocks_whose_panels_fit_the_first_cache(
    lab: Any, channels: int, size: int, window: int, expected: int
) -> None:
    """Where a whole panel is more than a quarter of the second one."""
    assert k_blocks(lab, *blocked(channels, size, window)) == expected


@pytest.mark.parametrize(("depth", "expected"), [(768, 1), (1280, 1), (3072, 3), (4096, 4)])
@pytest.mark.parametrize("rows", [128, ROWS])
def test_rows_are_summed_in_blocks_whose_panels_fit_half_the_second_cache(
    lab: Any, rows: Any, depth: int, expected: int
) -> None:
    assert k_blocks(lab, lambda a, p: gemm(a, p), (rows, depth), (32, depth, 24)) == expected


def test_larger_caches_need_fewer_blocks(lab: Any) -> None:
    shapes = (128, 4096), (16, 4096, 48)
    assert k_blocks(lab, lambda a, p: gemm(a, p), *shapes, machine=ZEN4) == 2


@pytest.mark.parametrize(("depth", "expected"), [(768, 1), (1024, 2), (3072, 4)])
def test_where_panels_stream_slower_from_the_second_cache_they_are_smaller(
    lab: Any, depth: int, expected: int
) -> None:
    """On Intel's servers: bench/results/2026-11-30-emerald-rapids.md."""
    shapes = (128, depth), (16, depth, 48)
    assert k_blocks(lab, lambda a, p: gemm(a, p), *shapes, machine=EMERALD_RAPIDS) == expected


def test_a_block_is_a_whole_number_of_lines(lab: Any) -> None:
    """Of 3600 = 16 * 225 steps a third is 1200, of 4000 = 16 * 250 a fifth 800, 4001 is a prime."""
    found = [
        k_blocks(lab, lambda a, p: gemm(a, p), (128, n), (32, n, 24)) for n in (3600, 4000, 4001)
    ]
    assert found == [3, 5, 1]


def test_a_panel_that_few_tiles_read_is_not_kept(lab: Any) -> None:
    assert k_blocks(lab, lambda a, p: gemm(a, p), (12, 3072), (32, 3072, 24)) == 1


@pytest.mark.parametrize(
    ("shapes", "copied"),
    [
        (((128, 768), (768, 768)), True),
        (((12, 197, 197), (12, 197, 64)), True),
        (((24, 768), (768, 768)), False),  # six tiles read a panel
        (((12, 128, 64), (12, 64, 128)), False),  # a batch's matrix fits the first cache
        (((512, 512), (512, 48)), False),  # two panels, for how many threads?
    ],
)
def test_matrices_that_many_rows_read_are_copied(
    lab: Any, shapes: tuple[tuple[int, ...], ...], copied: bool
) -> None:
    assert lab.planned(R.matmul, *shapes).panel_copy == copied


def test_what_is_in_panels_is_not_copied_again(lab: Any) -> None:
    """Of a sum whose length is known only later, too, as an attention's is."""
    found = lab.planned(lambda a, p: gemm(a, p), (128, ROWS), (32, ROWS, 24))
    assert not found.panel_copy


def test_copied_panels_fit_the_second_cache_too(lab: Any) -> None:
    assert k_blocks(lab, R.matmul, (128, 4096), (4096, 768)) == 4


def test_what_a_window_slides_over_is_not_copied(lab: Any) -> None:
    assert not convolution(lab, 128, 256, 32).panel_copy
