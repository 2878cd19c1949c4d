"""schedules.split_axis: the channels of a grouped convolution become groups and channels in a group."""

from typing import Any

from tvm.relax import op as R

from tvmfuse.ops import gemm
from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.split_axis import split_axis, whole_and_rest


def spatial(lab: Any, groups: Any, channels: Any) -> Any:
    module = lab.lowered(
        lambda x, w: R.nn.conv2d(x, w, groups=groups),
        ((1, 2 * groups, 5, 5), "float32"),
        ((channels, 2, 3, 3), "float32"),
    )
    (function,) = lab.kernels(module).values()
    (stage,) = split_axis([s for s in read(function).stages if s.reduces])
    return [static(a.extent) for a in stage.spatial], stage


def test_divides_output_channels_by_group(lab: Any) -> None:
    extents, stage = spatial(lab, 4, 12)
    assert extents == [4, 3, 3, 3]
    rest = stage.spatial[1]
    image = next(load for load in stage.loads if load.source.name == "pad_temp")
    assert rest.var.name not in str(image)


def test_leaves_a_convolution_without_groups(lab: Any) -> None:
    assert spatial(lab, 1, 12)[0] == [12, 3, 3]


def test_columns_that_fill_no_panel_are_a_part_of_their_own(lab: Any) -> None:
    module = lab.lowered(
        lambda a, b, c: gemm(a, b, c, columns=29),
        ((5, 6), "float32"),
        ((4, 6, 8), "float32"),
        ((29,), "float32"),
    )
    (function,) = lab.kernels(module).values()
    (group,) = groups(read(function))
    parts = whole_and_rest(group)
    assert [[static(a.extent) for a in part.head.spatial] for part in parts] == [[5, 24], [5, 5]]
    assert [len(part.epilogue) for part in parts] == [1, 1]
    panels = [load for load in parts[1].head.loads if len(load.indices) == 3]
    assert [static(load.indices[0]) for load in panels] == [3]
    lab.assert_same_numbers(module)
