"""schedules.cpu.conv.depthwise_nest: images are padded under masks, and not copied."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import tvm
from guarded import guarded
from tvm import tirx
from tvm.relax import op as R

from tvmfuse.errors import ConfigurationError
from tvmfuse.ops import conv_blocked
from tvmfuse.schedules.plans import DepthwisePlan, NestPlan
from tvmfuse.schedules.schedule import schedule
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.target.machine import AVX2, AVX512, Machine

N, H, W = (tirx.Var(name, "int64") for name in "nhw")

#: Of lines: shorter than half a vector, than one, several; of images: heights of no tile and some.
SIZES = [
    {"n": 2, "h": h, "w": w}
    for h, w in ((1, 1), (2, 3), (7, 7), (3, 4), (15, 5), (6, 8), (5, 9), (8, 12), (3, 13), (4, 29))
]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return AVX2 as if it stored quickly under masks, as AVX-512 does."""
    of: Callable[..., Machine] = Machine.of

    def changed(target: Any) -> Machine:
        machine = of(target)
        return replace(machine, isa=replace(machine.isa, masks=True))

    monkeypatch.setattr(Machine, "of", changed)
    return AVX2


def depthwise(
    lab: Any, window: tuple[int, int] = (3, 3), size: Any = (N, 2, H, W), **how: Any
) -> Any:
    """Return a convolution of each of two channels."""

    def compute(x: Any, w: Any) -> Any:
        return R.nn.conv2d(x, w, **{"padding": 1, "groups": 2, **how})

    weights = (2, size[1] // how.get("groups", 2), *window)
    return lab.lowered(compute, (size, "float32"), (weights, "float32"))


def blocked(
    lab: Any,
    size: Any,
    window: int = 3,
    lanes: int = 16,
    batch: Any = 2,
    dtype: str = "float32",
    **how: Any,
) -> Any:
    """Return a convolution of each channel of two blocks, with a bias; sums are of float32."""

    def compute(x: Any, w: Any, b: Any) -> Any:
        options = {"strides": [1, 1], "dilation": [1, 1], "padding": [1] * 4, **how}
        return conv_blocked(x, w, b, groups=2 * lanes, wide=dtype != "float32", **options)

    shapes = (batch, 2, *size, lanes), (2, 1, window, window, 1, lanes)
    return lab.lowered(compute, *((shape, dtype) for shape in shapes), ((2, lanes), "float32"))


def plan_of(module: Any, machine: Machine, settings: ScheduleSettings | None = None) -> NestPlan:
    (decision,) = schedule(module, machine.target, settings).report.decisions.values()
    return decision.plan.nests[0]


def following(lab: Any, module: Any, machine: Machine, **changes: Any) -> ScheduleSettings:
    """Return the settings of another plan than its own."""
    (name,) = lab.kernels(module)
    whole = schedule(module, machine.target).report.plan_of(name)
    (nest,) = whole.nests
    assert isinstance(nest, DepthwisePlan)
    return ScheduleSettings(plans={name: replace(whole, nests=(replace(nest, **changes),))})


def in_low_tiles(lab: Any, module: Any, machine: Machine) -> Any:
    """Return the code of a module's kernel, in tiles of two lines."""
    module = tvm.IRModule({"main": next(iter(lab.kernels(module).values()))})
    return schedule(module, machine.target, following(lab, module, machine, mr=2)).module["main"]


@pytest.mark.parametrize(
    ("window", "how"),
    [
        ((3, 3), {}),
        ((3, 3), {"padding": 2, "dilation": 2}),
        ((3, 3), {"strides": (2, 1)}),
        ((2, 3), {"padding": (0, 2, 1, 0)}),
        ((3, 1), {"padding": (1, 1, 1, 0)}),
        ((3, 3), {"strides": 2}),
        ((3, 3), {"strides": (1, 3), "padding": 2, "dilation": 2}),
        ((2, 5), {"strides": 4, "padding": (0, 3, 1, 2)}),
    ],
    ids=str,
)
@pytest.mark.sampled(4)
def test_numbers_of_any_size(
    lab: Any, machine: Machine, window: tuple[int, int], how: dict[str, Any]
) -> None:
    """In tiles of few lines here and below, which are compiled sooner."""
    module = depthwise(lab, window, **how)
    settings = following(lab, module, machine, mr=3)
    scheduled = lab.assert_same_numbers(module, machine, settings=settings, each=SIZES)
    (function,) = lab.kernels(scheduled.module).values()
    assert "pad_temp" not in function.script()


def test_an_epilogue_that_reads_another_image(lab: Any, machine: Machine) -> None:
    def compute(x: Any, w: Any, b: Any, y: Any) -> Any:
        return R.nn.relu(R.nn.conv2d(x, w, padding=1, groups=2) + b) + y

    shapes = (image := (N, 2, H, W)), (2, 1, 3, 3), (1, 2, 1, 1), image
    module = lab.lowered(compute, *((shape, "float32") for shape in shapes))
    settings = following(lab, module, machine, mr=2)
    lab.assert_same_numbers(module, machine, settings=settings, each=SIZES)


def test_what_does_not_fit(lab: Any) -> None:
    module = depthwise(lab)
    for changes, words in (
        ({"mr": 0}, "mr: expected 1 to 9, found 0"),
        ({"lanes": 4}, "lanes: expected 16, found 4"),
    ):
        with pytest.raises(ConfigurationError, match=words):
            schedule(module, AVX512.target, following(lab, module, AVX512, **changes))


@pytest.mark.parametrize(
    ("size", "how"),
    [
        ((7, 7), {}),
        ((8, 5), {"strides": [2, 1]}),
        ((15, 9), {"strides": [2, 2], "lanes": 24}),
        ((13, 6), {"dilation": [2, 2], "padding": [2, 1, 2, 1], "lanes": 4}),
        ((1, 1), {"padding": [2] * 4, "lanes": 8}),
        ((8, 4), {"batch": N}),
    ],
    ids=str,
)
def test_blocks_of_channels(lab: Any, size: tuple[int, int], how: dict[str, Any]) -> None:
    module = blocked(lab, size, **how)
    assert isinstance(plan_of(module, AVX2), DepthwisePlan)
    lab.assert_same_numbers(module, AVX2, n=3)


@pytest.mark.parametrize("stride", [1, 2])
def test_blocks_of_channels_of_any_size(lab: Any, stride: int) -> None:
    module = blocked(lab, (H, W), strides=[stride] * 2)
    settings = following(lab, module, AVX2, mr=2)
    lab.assert_same_numbers(module, AVX2, settings=settings, each=SIZES)


@pytest.mark.parametrize(
    ("size", "how"),
    [
        ((7, 7), {}),
        ((15, 9), {"strides": [2, 2], "lanes": 24}),
        ((13, 6), {"dilation": [2, 2], "padding": [2, 1, 2, 1], "lanes": 4}),
        ((1, 1), {"padding": [2] * 4, "lanes": 8}),
    ],
    ids=str,
)
def test_bfloat16_in_blocks(
    lab: Any, machine: Machine, size: tuple[int, int], how: dict[str, Any]
) -> None:
    """Products and sums are of float32: there is nothing to round."""
    module = blocked(lab, size, dtype="bfloat16", **how)
    assert isinstance(plan_of(module, machine), DepthwisePlan)
    scheduled = lab.assert_same_numbers(module, machine)
    (function,) = lab.kernels(scheduled.module).values()
    assert "pad_temp" not in function.script()


def test_bfloat16_in_blocks_of_any_size(lab: Any, machine: Machine) -> None:
    module = blocked(lab, (H, W), dtype="bfloat16")
    settings = following(lab, module, machine, mr=2)
    lab.assert_same_numbers(module, machine, settings=settings, each=SIZES)


@pytest.mark.parametrize("at_end", [False, True], ids=["at the begin", "at the end"])
def test_nothing_beside_an_image_of_bfloat16_is_read(
    lab: Any, machine: Machine, *, at_end: bool
) -> None:
    """What is padded is 0, and an infinite weight times that is no number."""
    (function,) = lab.kernels(blocked(lab, (8, 8), lanes=8, batch=1, dtype="bfloat16")).values()
    code = schedule(tvm.IRModule({"main": function}), machine.target).module["main"]
    rng = np.random.default_rng(0)
    shapes = (1, 2, 8, 8, 8), (2, 1, 3, 3, 1, 8), (2, 8)
    x, w = (rng.standard_normal(shape).astype("bfloat16") for shape in shapes[:2])
    w[0, 0, 0, 0, 0, 1] = np.inf
    x[0, 1, 1, 1, 2] = np.nan
    found = tvm.runtime.tensor(np.zeros(shapes[0], "float32"))
    bits = tvm.runtime.from_dlpack(guarded(x.view("uint16"), at_end=at_end))
    image = bits._create_view(shapes[0], "bfloat16")
    weights, bias = tvm.runtime.tensor(w), tvm.runtime.tensor(np.zeros(shapes[2], "float32"))
    lab.runnable(code, machine)(image, weights, bias, found)
    first, second = np.isnan(found.numpy()[0])
    assert first[0, :, 1].all()
    assert first[:, 0, 1].all()
    assert not first[1:, 1:].any()
    assert not first[..., [0, *range(2, 8)]].any()
    assert second[:3, :3, 2].all()
    assert second.sum() == 9


def test_others_of_bfloat16_have_a_copy(lab: Any) -> None:
    others: dict[str, dict[str, Any]] = {
        "what is padded is no 0": {"pad_value": 1},
        "more weights than registers": {"window": 7, "padding": [3] * 4},
    }
    for why, how in others.items():
        module = blocked(lab, (8, 8), dtype="bfloat16", **how)
        assert not isinstance(plan_of(module, AVX512), DepthwisePlan), why


def test_known_sizes_of_lines(lab: Any, machine: Machine) -> None:
    """Shorter than half a vector, of whole vectors, and of some and a half."""
    for size in ((5, 3), (14, 16), (6, 20), (7, 13)):
        module = depthwise(lab, size=(N, 2, *size))
        assert isinstance(plan_of(module, machine), DepthwisePlan)
        lab.assert_same_numbers(module, machine, n=2)


@pytest.mark.parametrize("size", [(5, 3), (14, 16), (7, 31), (6, 33)], ids=str)
def test_known_sizes_of_lines_with_a_stride(lab: Any, machine: Machine, size: Any) -> None:
    module = depthwise(lab, size=(N, 2, *size), strides=2)
    assert isinstance(plan_of(module, machine), DepthwisePlan)
    lab.assert_same_numbers(module, machine, n=2)


def test_images_without_columns_or_lines(lab: Any, machine: Machine) -> None:
    module = depthwise(lab, strides=2)
    settings = following(lab, module, machine, mr=2)
    empty = [{"n": 1, "h": 3, "w": 0}, {"n": 1, "h": 0, "w": 9}, {"n": 0, "h": 5, "w": 9}]
    lab.assert_same_numbers(module, machine, settings=settings, each=empty)


@pytest.mark.parametrize("at_end", [False, True], ids=["at the begin", "at the end"])
@pytest.mark.parametrize("known", [False, True], ids=["any size", "known size"])
@pytest.mark.sampled(6)
def test_nothing_beside_an_image_is_read_with_a_stride(
    lab: Any, machine: Machine, *, known: bool, at_end: bool
) -> None:
    """What is padded is 0, and NaN is in the sums of windows that have it, and in no others."""
    size = (8, 16) if known else (H, W)
    code = in_low_tiles(lab, depthwise(lab, size=(1, 2, *size), strides=2), machine)
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(s, "float32") for s in ((1, 2, 8, 16), (2, 1, 3, 3)))
    w[0, 0, 0, 0] = np.inf
    x[0, 1, 1, 1] = np.nan
    found = tvm.runtime.tensor(np.zeros((1, 2, 4, 8), "float32"))
    image = tvm.runtime.from_dlpack(guarded(x, at_end=at_end))
    lab.runnable(code, machine)(image, tvm.runtime.tensor(w), found)
    first, second = np.isnan(found.numpy()[0])
    assert first[0].all()
    assert first[:, 0].all()
    assert not first[1:, 1:].any()
    assert second[:2, :2].all()
    assert second.sum() == 4


def test_columns_apart_are_shuffled_and_nothing_is_copied(lab: Any) -> None:
    """Two taps of three share the two vectors that hold the columns of both, of each of 15 lines."""
    (function,) = lab.kernels(depthwise(lab, size=(1, 2, 14, 64), strides=2)).values()
    code = schedule(tvm.IRModule({"main": function}), AVX512.target).module["main"]
    assembly = lab.assembly(code, AVX512)
    assert "gather" not in assembly
    assert "TVMBackendAllocWorkspace" not in assembly
    script = code.script()
    assert len(re.findall(r"columns\w*: T\.let.*Shuffle", script)) == 3 * 15
    assert len(re.findall(r"vector\w*: T\.let", script)) == 2 * 2 * 15


def test_lines_that_are_known(lab: Any, machine: Machine) -> None:
    for lines in (2, 9):
        module = depthwise(lab, size=(N, 2, lines, W))
        settings = following(lab, module, machine, mr=3)
        lab.assert_same_numbers(module, machine, settings=settings, n=2, w=13)


@pytest.mark.parametrize("at_end", [False, True], ids=["at the begin", "at the end"])
@pytest.mark.parametrize("size", [(8, 8), (4, 12)], ids=str)
@pytest.mark.parametrize("known", [False, True], ids=["any size", "known size"])
@pytest.mark.sampled(3)
def test_nothing_beside_the_image_is_read_and_padding_is_multiplied(
    lab: Any, machine: Machine, size: tuple[int, int], *, known: bool, at_end: bool
) -> None:
    """What is padded is 0, and an infinite weight times that is no number."""
    height, width = size if known else (H, W)
    code = in_low_tiles(lab, depthwise(lab, size=(1, 2, height, width)), machine)
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(s, "float32") for s in ((1, 2, *size), (2, 1, 3, 3)))
    w[0, 0, 0, 0] = np.inf
    x[0, 1, 1, 1] = np.nan
    found = tvm.runtime.tensor(np.zeros((1, 2, *size), "float32"))
    image = tvm.runtime.from_dlpack(guarded(x, at_end=at_end))
    lab.runnable(code, machine)(image, tvm.runtime.tensor(w), found)
    first, second = np.isnan(found.numpy()[0])
    assert first[0].all()
    assert first[:, 0].all()
    assert not first[1:, 1:].any()
    assert second[:3, :3].all()
    assert second.sum() == 9


@pytest.mark.parametrize("at_end", [False, True], ids=["at the begin", "at the end"])
@pytest.mark.parametrize("size", [(8, 8), (H, W)], ids=str)
def test_nothing_beside_an_image_in_blocks_is_read(
    lab: Any, size: tuple[Any, Any], *, at_end: bool
) -> None:
    (function,) = lab.kernels(blocked(lab, size, lanes=8, batch=1)).values()
    code = schedule(tvm.IRModule({"main": function}), AVX2.target).module["main"]
    rng = np.random.default_rng(0)
    shapes = (1, 2, 8, 8, 8), (2, 1, 3, 3, 1, 8), (2, 8)
    x, w, b = (rng.standard_normal(s, "float32") for s in shapes)
    w[0, 0, 0, 0, 0, 1] = np.inf
    x[0, 1, 1, 1, 2] = np.nan
    found = tvm.runtime.tensor(np.zeros(shapes[0], "float32"))
    image, weights = (tvm.runtime.from_dlpack(guarded(a, at_end=at_end)) for a in (x, w))
    lab.runnable(code, AVX2)(image, weights, tvm.runtime.tensor(b), found)
    first, second = np.isnan(found.numpy()[0])
    assert first[0, :, 1].all()
    assert first[:, 0, 1].all()
    assert not first[1:, 1:].any()
    assert not first[..., [0, *range(2, 8)]].any()
    assert second[:3, :3, 2].all()
    assert second.sum() == 9


def test_each_vector_is_read_once(lab: Any) -> None:
    """Of three lines of seven sums and a window of 3x3: nine lines are read, three times each.

    The first and the last of them may be padded; the others are those of the results.
    """
    (function,) = lab.kernels(depthwise(lab)).values()
    scheduled = schedule(tvm.IRModule({"main": function}), AVX512.target).module["main"]
    block = "\n".join(lab.hottest_block(lab.assembly(scheduled, AVX512), "vfmadd"))
    assert block.count("vfmadd") == 7 * 9
    loads = re.findall(r"vmovups\t[^%\n]*\([^\n]*\), %[yz]mm\d+ \{%k\d\} \{z\}", block)
    assert len(loads) == 9 * 3
    assert block.count("kand") == 2 * 3
    assert plan_of(depthwise(lab), AVX512) == DepthwisePlan(lanes=16, mr=7, parallel=True)


def test_each_height_has_its_own_loop_over_images(lab: Any) -> None:
    """Of one loop LLVM keeps the addresses of all heights, and moves them on with each image."""
    module = depthwise(lab)
    scheduled = schedule(module, AVX512.target).module
    (function,) = lab.kernels(scheduled).values()
    assert function.script().count("T.parallel") == 7


@pytest.mark.parametrize(
    ("why", "how"),
    [
        ("columns that are too far apart", {"strides": 5}),
        ("a large window of any height", {"window": (7, 7), "padding": 3}),
        ("channels that are summed up", {"groups": 1}),
        ("nothing that is padded", {"padding": 0}),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_others_are_no_such_nest(lab: Any, why: str, how: dict[str, Any]) -> None:
    assert not isinstance(plan_of(depthwise(lab, **how), AVX512), DepthwisePlan), why


def test_what_asks_for_a_copy_has_one(lab: Any) -> None:
    module = depthwise(lab)
    settings = ScheduleSettings(disabled_steps=frozenset({"FusedPadding"}))
    assert not isinstance(plan_of(module, AVX512, settings), DepthwisePlan)
    image = depthwise(lab, size=(1, 2, 8, 8))
    assert not isinstance(plan_of(image, AVX2), DepthwisePlan), "masked stores are slow"
    large = blocked(lab, (8, 8), window=5, padding=[2] * 4)
    assert isinstance(plan_of(large, AVX512), DepthwisePlan)
    assert not isinstance(plan_of(large, AVX2), DepthwisePlan), "weights need 25 registers"
    half = blocked(lab, (8, 8), dtype="bfloat16")
    assert not isinstance(plan_of(half, AVX2), DepthwisePlan), "it masks no 16 bits"
    short = blocked(lab, (8, 8), lanes=6)
    assert not isinstance(plan_of(short, AVX2), DepthwisePlan), "half of the weights is no vector"
