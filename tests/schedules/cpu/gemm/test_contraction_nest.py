"""schedules.cpu.gemm.contraction_nest: the axes of the register tile."""

from typing import Any

import pytest
from tvm import tirx
from tvm.relax import op as R

from tvmfuse.ops import conv_blocked, gemm


def test_batches_that_share_the_second_matrix_are_more_rows(lab: Any) -> None:
    found = lab.planned(R.matmul, (4, 32, 16), (16, 48))
    assert found.order == ("i2", "i0*i1")


def convolution(lab: Any, channels: Any, filters: Any, size: Any) -> Any:
    shapes = (1, channels, size, size), (filters, channels, 3, 3)
    return lab.planned(lambda x, w: R.nn.conv2d(x, w, padding=1), *shapes)


def test_a_convolution_s_rows_are_output_channels(lab: Any) -> None:
    found = convolution(lab, 8, 16, 20)
    assert (found.row, found.column) == ("ff", "xx")


def test_a_batch_known_later_gives_no_rows_where_the_image_does(lab: Any) -> None:
    """It may be 1: then each row would be a tile of its own."""
    n = tirx.Var("n", "int64")
    shapes = (n, 4, 20, 20, 16), (8, 4, 3, 3, 16, 16)
    ones: dict[str, Any] = {"strides": [1, 1], "dilation": [1, 1], "padding": [0] * 4}
    found = lab.planned(lambda x, w: conv_blocked(x, w, **ones), *shapes)
    assert found.row == "i1"
    assert found.mr == 6


def test_constant_panels_are_asked_for_ahead(lab: Any) -> None:
    """Those of a blocked matrix, whose panels follow each other; rows of a plain one do not."""
    found = lab.planned(lambda a, p: gemm(a, p), (24, 64), (8, 64, 16))
    assert found.prefetch == ("panels",)
    assert found.order[-1] == "i0"
    assert lab.planned(R.matmul, (24, 64), (64, 128)).prefetch == ()


def test_a_depthwise_convolution_s_rows_are_image_rows(lab: Any) -> None:
    found = lab.planned(
        lambda x, w: R.nn.conv2d(x, w, padding=1, groups=8), (1, 8, 20, 20), (8, 1, 3, 3)
    )
    assert (found.row, found.column) == ("yy", "xx")
    assert found.mr > 1


def test_a_grouped_convolution_s_rows_stay_in_their_group(lab: Any) -> None:
    found = lab.planned(
        lambda x, w: R.nn.conv2d(x, w, padding=1, groups=4), (1, 8, 20, 20), (12, 2, 3, 3)
    )
    assert found.row == "ff_rest"
    assert found.mr == 3


@pytest.mark.parametrize(
    ("operator", "shapes", "words"),
    [
        (lambda a: R.sum(a, -1), [(9, 16)], "its reduction is no sum of products"),
        (R.matmul, [(9, 16), (16,)], "an operand is not contiguous along the output's last axis"),
        (R.matmul, [(16,), (16,)], "its output has no axis for vectors"),
    ],
    ids=["sum", "matrix by vector", "dot"],
)
def test_says_why_there_is_no_tile(
    lab: Any, operator: Any, shapes: list[tuple[int, ...]], words: str
) -> None:
    assert lab.planned(operator, *shapes) == words
