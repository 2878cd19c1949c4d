"""schedules.cpu.conv.column_steps, and masks that are words: depthwise convolutions with AVX2."""

import re
from typing import Any

import numpy as np
import pytest
import tvm
from guarded import guarded
from tvm import tirx
from tvm.relax import op as R

from tvmfuse.schedules.plans import DepthwisePlan
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512

N, H, W = (tirx.Var(name, "int64") for name in "nhw")

#: Of lines: shorter than half a vector, than one, of two that overlap, with inner steps that do.
SIZES = [
    {"n": 2, "h": h, "w": w}
    for h, w in ((1, 1), (3, 3), (2, 4), (7, 7), (4, 8), (5, 9), (6, 16), (3, 17), (4, 29), (9, 41))
]


def depthwise(
    lab: Any, window: tuple[int, int] = (3, 3), dtype: str = "float32", **how: Any
) -> Any:
    """Return a convolution of each of two channels."""

    def compute(x: Any, w: Any, b: Any) -> Any:
        return R.nn.relu(R.nn.conv2d(x, w, **{"padding": 1, "groups": 2, **how}) + b)

    shapes = ((N, 2, H, W), (2, 1, *window), (1, 2, 1, 1))
    return lab.lowered(compute, *((shape, dtype) for shape in shapes))


def code_of(lab: Any, module: Any) -> Any:
    (function,) = lab.kernels(module).values()
    return schedule(tvm.IRModule({"main": function}), AVX2.target).module["main"]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("window", "how"),
    [
        ((3, 3), {}),
        ((3, 3), {"strides": 2}),
        ((3, 3), {"padding": 2, "dilation": 2}),
        ((2, 3), {"padding": (0, 2, 1, 0)}),
        ((3, 1), {"padding": (1, 1, 1, 0)}),
        ((3, 3), {"strides": (1, 3), "padding": 2, "dilation": 2}),
        ((2, 5), {"strides": 4, "padding": (0, 3, 1, 2)}),
        ((1, 3), {"padding": (0, 20, 0, 20)}),
    ],
    ids=str,
)
def test_numbers(lab: Any, window: tuple[int, int], how: dict[str, Any]) -> None:
    """What is padded by more than two vectors has steps that are neither first nor last."""
    module = depthwise(lab, window, **how)
    scheduled = lab.assert_same_numbers(module, AVX2, each=SIZES)
    (decision,) = scheduled.report.decisions.values()
    assert isinstance(decision.plan.nests[0], DepthwisePlan)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("at_end", [False, True], ids=["at the begin", "at the end"])
@pytest.mark.parametrize("width", [1, 3, 6, 8, 13, 17, 40])
@pytest.mark.parametrize("stride", [1, 2])
def test_nothing_beside_an_image_is_read(
    lab: Any, stride: int, width: int, *, at_end: bool
) -> None:
    code = code_of(lab, depthwise(lab, strides=stride))
    rng = np.random.default_rng(0)
    x = rng.standard_normal((1, 2, 8, width), "float32")
    w, b = np.ones((2, 1, 3, 3), "float32"), np.zeros((1, 2, 1, 1), "float32")
    shape = (1, 2, 8 // stride, (width - 1 + stride) // stride)
    found = tvm.runtime.tensor(np.zeros(shape, "float32"))
    image = tvm.runtime.from_dlpack(guarded(x, at_end=at_end))
    lab.runnable(code, AVX2)(image, tvm.runtime.tensor(w), tvm.runtime.tensor(b), found)
    wide = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(wide, (3, 3), axis=(2, 3))
    right = np.maximum(windows[:, :, ::stride, ::stride].sum((-2, -1)), 0)
    np.testing.assert_allclose(found.numpy(), right, rtol=1e-5, atol=1e-5)


def test_inner_columns_are_operands_of_multiplications(lab: Any) -> None:
    """Under masks LLVM would load first; of kept comparisons it would widen the halves."""
    assembly = lab.assembly(code_of(lab, depthwise(lab)), AVX2)
    assert re.search(r"vfmadd\w+\t[^%\n]*\(%r(?!sp)\w+(,%r\w+)*\), %ymm", assembly)
    assert "vmaskmovps" in assembly
    assert "vpmovsx" not in assembly
    stores = re.findall(r"vmaskmovps\t%[xy]mm\d+, %([xy])mm", assembly)
    assert stores
    assert set(stores) == {"x"}, "lines of less than four columns alone are stored under masks"


def test_others_have_a_copy(lab: Any) -> None:
    """AVX-512 has quick masks; words of float64 have twice the bits, 25 weights no registers."""
    (decision,) = schedule(depthwise(lab), AVX512.target).report.decisions.values()
    assert decision.plan.nests[0] == DepthwisePlan(lanes=16, mr=7, parallel=True)
    wide = depthwise(lab, dtype="float64")
    large = depthwise(lab, (5, 5), padding=2)
    for module in (wide, large):
        (decision,) = schedule(module, AVX2.target).report.decisions.values()
        assert not isinstance(decision.plan.nests[0], DepthwisePlan)
    apart = depthwise(lab, (5, 5), padding=2, strides=2)
    (decision,) = schedule(apart, AVX2.target).report.decisions.values()
    assert isinstance(decision.plan.nests[0], DepthwisePlan), "shuffles take more than weights"


@pytest.mark.parametrize("stride", [1, 2])
def test_only_the_first_and_the_last_line_of_a_tile_may_be_padded(lab: Any, stride: int) -> None:
    """Of each height in the code of each kind of step."""
    module = depthwise(lab, strides=stride)
    (function,) = lab.kernels(module).values()
    code = schedule(tvm.IRModule({"main": function}), AVX512.target).module["main"]
    heights, kinds = 7, 2
    assert len(re.findall(r"inside\w*: T\.let", code.script())) == 2 * heights * kinds
