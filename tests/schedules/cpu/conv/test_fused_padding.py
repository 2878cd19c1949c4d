"""schedules.cpu.conv.fused_padding: a padded copy made strip by strip, right before it is read."""

from typing import Any

import pytest
import tvm_ffi
from tvm import tirx
from tvm.relax import op as R
from tvm.s_tir import SBlock

from tvmfuse.ops import conv_blocked, conv_transpose
from tvmfuse.schedules.plans import FusedPaddingPlan
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, Machine


def blocked(
    lab: Any,
    size: Any,
    blocks: int = 3,
    window: int = 7,
    stride: int = 1,
    pads: int = 3,
    dilation: int = 1,
    lanes: int = 16,
    batch: int = 1,
) -> Any:
    """Return a depthwise convolution in blocks, with a ReLU behind it.

    Windows have more weights than AVX2 has registers: those of smaller ones read no copy.
    """
    x = (batch, blocks, *size, lanes), "float32"
    w = (blocks, 1, window, window, 1, lanes), "float32"

    def compute(x: Any, w: Any) -> Any:
        steps: dict[str, Any] = {"strides": [stride] * 2, "dilation": [dilation] * 2}
        return R.nn.relu(conv_blocked(x, w, padding=[pads] * 4, groups=blocks * lanes, **steps))

    return lab.lowered(compute, x, w)


def allocated(lab: Any, module: Any, machine: Machine = AVX2) -> Any:
    """Return the largest number of elements that a buffer inside the kernel has."""
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    sizes = []
    tvm_ffi.structural_walk(
        function.body,
        [
            (tirx.AllocBuffer, lambda node: sizes.append(int(node.buffer.shape[0]))),
            (SBlock, lambda node: sizes.extend(int(b.shape[0]) for b in node.alloc_buffers)),
        ],
    )
    return max(sizes)


@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=lambda machine: machine.name)
def test_a_strip_fits_the_second_cache(lab: Any, machine: Machine) -> None:
    module = blocked(lab, (112, 112))
    assert allocated(lab, module, machine) * 4 <= machine.tuning.l2_budget // 2
    assert AVX2.tuning.l2_budget // 2 < 112 * 112 * 16 * 4, "the whole block would not"


@pytest.mark.parametrize("size", [(7, 7), (1, 5), (40, 112), (61, 120), (113, 90)])
@pytest.mark.parametrize(
    ("window", "stride", "pads", "dilation"),
    [(5, 1, 2, 1), (5, 2, 2, 1), (5, 1, 4, 2), (5, 3, 2, 1)],
)
@pytest.mark.sampled(4)
def test_any_size_and_window(
    lab: Any, size: tuple[int, ...], window: int, stride: int, pads: int, dilation: int
) -> None:
    module = blocked(lab, size, 2, window, stride, pads, dilation)
    lab.assert_same_numbers(module)


def test_batches_and_short_blocks(lab: Any) -> None:
    lab.assert_same_numbers(blocked(lab, (60, 61), window=5, pads=2, lanes=8, batch=2))
    lab.assert_same_numbers(blocked(lab, (60, 61), window=5, pads=2, lanes=24, batch=2))


def test_a_batch_that_is_known_later(lab: Any) -> None:
    module = blocked(lab, (60, 61), window=5, pads=2, batch=tirx.Var("n", "int64"))
    lab.assert_same_numbers(module, each=[{"n": 1}, {"n": 3}])


@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=lambda machine: machine.name)
def test_lines_that_are_known_later_are_as_many_as_fit(lab: Any, machine: Machine) -> None:
    module = sized_later(lab, window=7)
    (decision,) = schedule(module, machine.target).report.decisions.values()
    (plan,) = decision.plan.nests
    assert isinstance(plan, FusedPaddingPlan)
    assert plan.lines is None


@pytest.mark.parametrize(("stride", "dilation"), [(1, 1), (2, 1), (3, 2)])
@pytest.mark.sampled(4)
def test_sizes_that_are_known_later(lab: Any, stride: int, dilation: int) -> None:
    sizes = ((1, 1), (3, 3), (7, 7), (4, 29), (13, 17), (1, 64), (140, 2100), (3, 70_000))
    each = [{"n": 2 if w < 100 else 1, "h": h, "w": w} for h, w in sizes]
    lab.assert_same_numbers(sized_later(lab, stride, dilation), each=each)


def sized_later(lab: Any, stride: int = 1, dilation: int = 1, window: int = 3) -> Any:
    """Return a depthwise convolution of two channels with a ReLU, of any batch and size."""

    def depthwise(x: Any, w: Any) -> Any:
        steps: dict[str, Any] = {"strides": stride, "dilation": dilation}
        padding = dilation * (window // 2)
        return R.nn.relu(R.nn.conv2d(x, w, padding=padding, groups=2, **steps))

    n, h, w = (tirx.Var(name, "int64") for name in "nhw")
    return lab.lowered(depthwise, ((n, 2, h, w), "float32"), ((2, 1, window, window), "float32"))


def test_plain_channels(lab: Any) -> None:
    def depthwise(x: Any, w: Any) -> Any:
        return R.nn.conv2d(x, w, padding=1, groups=8)

    lab.assert_same_numbers(
        lab.lowered(depthwise, ((1, 8, 250, 240), "float32"), ((8, 1, 3, 3), "float32"))
    )


@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("padding", [0, 1])
@pytest.mark.parametrize("size", [(3, 3), (1, 5), (30, 41)])
@pytest.mark.sampled(4)
def test_a_window_that_is_read_backwards(
    lab: Any, size: tuple[int, ...], channels: int, padding: int, stride: int
) -> None:
    """A transposed convolution's, of one channel: the last tap reads the first line."""

    def transposed(x: Any, w: Any) -> Any:
        steps: dict[str, Any] = {
            "strides": [stride] * 2,
            "padding": [padding] * 4,
            "groups": channels,
        }
        return conv_transpose(x, w, output_padding=[0, 0], dilation=[1, 1], **steps)

    shapes = ((1, channels, *size), "float32"), ((channels, 2, 3, 4), "float32")
    lab.assert_same_numbers(lab.lowered(transposed, *shapes))


def test_where_all_channels_are_read_the_copy_is_made_once(lab: Any) -> None:
    def convolution(x: Any, w: Any) -> Any:
        return R.nn.conv2d(x, w, padding=1)

    module = lab.lowered(convolution, ((1, 8, 120, 120), "float32"), ((16, 8, 3, 3), "float32"))
    assert allocated(lab, module) == 8 * 122 * 122
