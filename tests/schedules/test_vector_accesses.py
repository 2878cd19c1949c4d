"""schedules.vector_accesses: shuffled vectors of elements that lie apart, and masks."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tvm import te, tirx
from tvm.relax import op as R

from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, Machine


@pytest.fixture
def masks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let AVX2 take masks, which it has, so that they can be run without AVX-512."""
    of: Callable[..., Machine] = Machine.of

    def masking(target: Any) -> Machine:
        machine = of(target)
        return replace(machine, isa=replace(machine.isa, masks=True))

    monkeypatch.setattr(Machine, "of", masking)


def sizes(*widths: int) -> list[dict[str, int]]:
    return [{"n": n, "w": w} for w in widths for n in (1, 3)] + [{"n": 0, "w": 9}]


@pytest.mark.parametrize("step", [2, 3, 4, 5])
@pytest.mark.parametrize("width", [8, 7, 37])
def test_reads_elements_that_lie_apart(lab: Any, step: int, width: int) -> None:
    """And nothing behind the last of them: the window ends with the rows."""

    def pooled(x: Any) -> Any:
        return R.nn.max_pool1d(x, step, step)

    lab.assert_same_numbers(lab.lowered(pooled, ((2, 3, step * width), "float32")))


@pytest.mark.parametrize("dtype", ["float64", "float16", "int32"])
def test_other_types(lab: Any, dtype: str) -> None:
    module = lab.lowered(lambda x: R.nn.max_pool1d(x, 3, 2, padding=1), ((2, 3, 40), dtype))
    lab.assert_same_numbers(module)


def test_loads_whole_vectors_and_shuffles_them(lab: Any) -> None:
    module = lab.lowered(lambda x: R.nn.max_pool1d(x, 3, 2), ((64, 3, 257), "float32"))
    (function,) = lab.kernels(schedule(module, AVX512.target).module).values()
    code = lab.assembly(function, AVX512)
    assert "vpermt2ps" in code or "vpermi2ps" in code
    assert code.count("vinsertps") == 0


@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("padding", [0, 1])
@pytest.mark.usefixtures("masks")
def test_the_last_vector_of_a_row_is_cut_by_a_mask(lab: Any, stride: int, padding: int) -> None:
    n, w = tirx.Var("n", "int64"), tirx.Var("w", "int64")

    def pooled(x: Any) -> Any:
        return R.nn.relu(R.nn.max_pool1d(x, 3, stride, padding=padding))

    module = lab.lowered(pooled, ((n, 3, w), "float32"))
    scheduled = lab.assert_same_numbers(module, each=sizes(*range(3, 40)))
    assert "masked_store" in scheduled.module.script()


@pytest.mark.usefixtures("masks")
def test_no_lane_that_is_not_there_divides_integers(lab: Any) -> None:
    w = te.var("w", "int64")
    a, b = (te.placeholder((5, w), "int32", name) for name in "ab")
    k = te.reduce_axis((0, 5))
    divided = te.compute((w,), lambda i: te.sum(tirx.floordiv(a[k, i], b[k, i]), axis=k))
    module = lab.lowered(lambda x: x, ((1,), "float32"))
    module["divided"] = lab.function_of(a, b, divided).with_attr("global_symbol", "divided")
    scheduled = schedule(module, AVX2.target).module["divided"].script()
    assert "masked_store" not in scheduled
