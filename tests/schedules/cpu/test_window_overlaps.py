"""schedules.cpu.window_overlaps: with AVX2 a line is cut into steps that may overlap."""

import re
from typing import Any

import numpy as np
import pytest
import tvm
from guarded import guarded
from tvm import IRModule, tirx
from tvm.relax import op as R

from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2

pytestmark = pytest.mark.sampled(5)

N, H, W = (tirx.Var(name, "int64") for name in "nhw")


def code_of(lab: Any, operator: Any, *shape: Any) -> Any:
    (function,) = lab.kernels(lab.lowered(operator, (shape, "float32"))).values()
    return schedule(IRModule({"main": function}), AVX2.target).module["main"]


def padded(a: Any) -> Any:
    return R.nn.max_pool2d(a, (3, 3), (2, 2), (1, 1))


def unpadded(a: Any) -> Any:
    return R.nn.max_pool2d(a, (2, 2), (2, 2))


def wider(a: Any) -> Any:
    return R.nn.max_pool2d(a, (3, 3), (2, 2))


def test_a_store_has_a_mask_only_where_a_line_is_shorter_than_half_a_vector(lab: Any) -> None:
    """And what is in no class, such as a line padded by more than a step."""
    script = code_of(lab, padded, N, 3, H, W).script()
    (narrow, *_) = re.split("else:", script)
    assert len(re.findall("masked_store|masked.store", narrow)) == 1
    assert not re.search("masked.store", code_of(lab, padded, 2, 3, 9, 70).script())
    assert re.search("masked.store", code_of(lab, padded, 2, 3, 9, 6).script())


def test_what_nothing_is_padded_around_needs_no_mask(lab: Any) -> None:
    """All columns of a step are there wherever all of its results are."""
    script = code_of(lab, unpadded, 2, 3, 64, 64).script()
    assert "mask" not in script
    assert "mask" in code_of(lab, padded, 2, 3, 64, 64).script()


@pytest.mark.parametrize("width", [16, 32, 34, 66])
def test_of_a_known_width_there_is_one_class(lab: Any, width: int) -> None:
    script = code_of(lab, padded, 4, 64, 9, width).script()
    assert script.count("T.parallel") == 1


def test_masks_are_words(lab: Any) -> None:
    code = code_of(lab, padded, N, 3, H, W)
    assert "maskload" in code.script()
    assert "gather" not in lab.assembly(code, AVX2)


@pytest.mark.parametrize("dtype", ["float64", "int32"])
def test_other_types_have_masks_as_llvm_makes_them(lab: Any, dtype: str) -> None:
    module = lab.lowered(padded, ((N, 2, H, W), dtype))
    each = [{"n": 1, "h": 5, "w": w} for w in (1, 3, 7, 9, 17, 40)]
    lab.assert_same_numbers(module, AVX2, each=each)


@pytest.mark.parametrize("at_end", [False, True], ids=["at the begin", "at the end"])
@pytest.mark.parametrize("width", [2, 6, 9, 15, 17, 31, 64, 65])
def test_nothing_beside_the_image_is_read(lab: Any, width: int, *, at_end: bool) -> None:
    for pool, size, padding in ((padded, 3, 1), (unpadded, 2, 0), (wider, 3, 0)):
        height, columns = (2 * padding + n - size for n in (5, width))
        if columns < 0:
            continue
        code = code_of(lab, pool, N, 16, H, W)
        x = np.random.default_rng(0).standard_normal((1, 16, 5, width), "float32")
        shape = (1, 16, height // 2 + 1, columns // 2 + 1)
        found = [tvm.runtime.tensor(np.zeros(shape, "float32")) for _ in range(2)]
        lab.runnable(code, AVX2)(tvm.runtime.from_dlpack(guarded(x, at_end=at_end)), found[0])
        lab.runnable(code, AVX2)(tvm.runtime.tensor(x), found[1])
        np.testing.assert_array_equal(*(y.numpy() for y in found))
