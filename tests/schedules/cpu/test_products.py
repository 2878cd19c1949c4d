"""schedules.cpu.products: the axes of the tile and the order of the loops."""

import pytest
from tvm import tirx
from tvm.relax import op as R

from tvmfuse.ops import conv_blocked, gemm
from tvmfuse.schedules.cpu.isa import AVX2
from tvmfuse.schedules.cpu.pack import pack
from tvmfuse.schedules.cpu.products import plan
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import read


def planned(lab, operator, *shapes):
    (function,) = lab.kernels(lab.lowered(operator, *[(s, "float32") for s in shapes])).values()
    parts = groups(pack(inline(read(function))))
    return plan(next(g for g in parts if g.head.reduces), AVX2)


def names(axes):
    return [axis.var.name.removeprefix("v_") for axis in axes]


def test_a_product_s_rows_pass_over_a_few_columns(lab) -> None:
    found = planned(lab, R.matmul, (2, 32, 16), (2, 16, 48))
    assert names(found.order) == ["i0", "i2", "i1"]
    assert names([found.tile.row_axis, found.tile.column_axis]) == ["i1", "i2"]


def test_batches_that_share_the_second_matrix_are_more_rows(lab) -> None:
    found = planned(lab, R.matmul, (4, 32, 16), (16, 48))
    assert names(found.order) == ["i2", "i0_v_i1"]


def test_rows_known_later_pass_over_a_few_columns(lab) -> None:
    """All weights would come from far away again for each few of them."""
    batch, length = tirx.Var("b", "int64"), tirx.Var("s", "int64")
    found = planned(lab, lambda a, p: gemm(a, p), (batch, length, 768), (32, 768, 24))
    assert names(found.order)[-1] == "i0_v_i1"
    assert found.panel is not None
    assert names(found.panel.inside) == ["i0_v_i1"]


def convolution(lab, channels, filters, size):
    shapes = (1, channels, size, size), (filters, channels, 3, 3)
    return planned(lab, lambda x, w: R.nn.conv2d(x, w, padding=1), *shapes)


def test_a_convolution_s_rows_are_output_channels(lab) -> None:
    found = convolution(lab, 8, 16, 20)
    assert names([found.tile.row_axis, found.tile.column_axis]) == ["ff", "xx"]


def test_a_batch_known_later_gives_no_rows_where_the_image_does(lab) -> None:
    """It may be 1: then each row would be a tile of its own."""
    n = tirx.Var("n", "int64")
    shapes = (n, 4, 20, 20, 16), (8, 4, 3, 3, 16, 16)
    ones = {"strides": [1, 1], "dilation": [1, 1], "padding": [0] * 4}
    found = planned(lab, lambda x, w: conv_blocked(x, w, **ones), *shapes)
    assert names([found.tile.row_axis]) == ["i1"]
    assert found.tile.rows == 6


def test_what_is_larger_passes_fewer_times(lab) -> None:
    """A large image, and small weights that pass for each of its parts; and the other way round."""
    assert names(convolution(lab, 8, 16, 100).order) == ["yy", "xx", "ff"]
    assert names(convolution(lab, 128, 256, 8).order) == ["ff", "yy", "xx"]


def test_a_large_batch_goes_image_by_image(lab) -> None:
    """All images would come from main memory again for each block of the output's channels."""
    ones = {"strides": [1, 1], "dilation": [1, 1], "padding": [0] * 4}
    shapes = (8, 64, 14, 14, 16), (16, 64, 1, 1, 16, 16)
    found = planned(lab, lambda x, w: conv_blocked(x, w, **ones), *shapes)
    assert names(found.order)[:2] == ["n", "o"]
    assert found.panel is not None


def test_constant_panels_are_asked_for_ahead(lab) -> None:
    """Those of a blocked matrix, whose panels follow each other; rows of a plain one do not."""
    panels = planned(lab, lambda a, p: gemm(a, p), (24, 64), (8, 64, 16)).panel
    assert panels is not None
    assert names(panels.inside) == ["i0"]
    assert planned(lab, R.matmul, (24, 64), (64, 128)).panel is None


def test_a_depthwise_convolution_s_rows_are_image_rows(lab) -> None:
    found = planned(lab, lambda x, w: R.nn.conv2d(x, w, padding=1, groups=8), (1, 8, 20, 20), (8, 1, 3, 3))
    assert names([found.tile.row_axis, found.tile.column_axis]) == ["yy", "xx"]
    assert found.tile.rows > 1


def test_a_grouped_convolution_s_rows_stay_in_their_group(lab) -> None:
    found = planned(lab, lambda x, w: R.nn.conv2d(x, w, padding=1, groups=4), (1, 8, 20, 20), (12, 2, 3, 3))
    assert names([found.tile.row_axis]) == ["ff_rest"]
    assert found.tile.rows == 3


@pytest.mark.parametrize(
    ("operator", "shapes", "words"),
    [
        (lambda a: R.sum(a, -1), [(9, 16)], "its reduction is no sum of products"),
        (R.matmul, [(9, 16), (16,)], "an operand is not contiguous along the output's last axis"),
        (R.matmul, [(16,), (16,)], "its output has no axis for vectors"),
    ],
    ids=["sum", "matrix by vector", "dot"],
)
def test_says_why_there_is_no_tile(lab, operator, shapes, words) -> None:
    assert planned(lab, operator, *shapes) == words
