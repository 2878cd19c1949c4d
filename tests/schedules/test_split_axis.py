"""schedules.split_axis: the channels of a grouped convolution become groups and channels in a group."""

from typing import Any

from tvm.relax import op as R

from tvmfuse.schedules.expressions import static
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.split_axis import split_axis


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
