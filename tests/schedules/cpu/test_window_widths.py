"""schedules.cpu.window_widths: pools of unknown width have a nest for each class of widths."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import tvm
from tvm import IRModule, tirx
from tvm.relax import op as R

from tvmfuse.schedules.cpu.window import Window, window
from tvmfuse.schedules.cpu.window_widths import has_classes
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, Machine

N, H, W = (tirx.Var(name, "int64") for name in "nhw")

POOLS: dict[str, Any] = {
    "3x3 / 2": lambda a: R.nn.max_pool2d(a, (3, 3), (2, 2), (1, 1)),
    "2x2 / 2": lambda a: R.nn.avg_pool2d(a, (2, 2), (2, 2)),
    "dilated": lambda a: R.nn.max_pool2d(a, (3, 3), (1, 1), (2, 2), (2, 2)),
    "ceil": lambda a: R.nn.max_pool2d(a, (3, 3), (2, 2), (0, 1, 1, 1), ceil_mode=True),
    "padding counts": lambda a: R.nn.avg_pool2d(
        a, (3, 3), (2, 2), (1, 1), count_include_pad=True, ceil_mode=True
    ),
    "far apart": lambda a: R.nn.avg_pool2d(a, (2, 2), (3, 3), (0, 1)),
    "padded far": lambda a: R.nn.max_pool2d(a, (1, 7), (1, 1), (0, 6)),
    "padded by more than a step": lambda a: R.nn.max_pool2d(a, (1, 31), (1, 1), (0, 30, 0, 0)),
}


def as_if(monkeypatch: pytest.MonkeyPatch, *, masks: bool = True, l1_bytes: int = 0) -> None:
    """Let each machine store quickly under masks, and have so large a cache."""
    of: Callable[..., Machine] = Machine.of

    def changed(target: Any) -> Machine:
        machine = of(target)
        isa, core = replace(machine.isa, masks=masks), replace(machine.core, l1_bytes=l1_bytes)
        return replace(machine, isa=isa, core=core)

    monkeypatch.setattr(Machine, "of", changed)


def found(lab: Any, operator: Any, *shape: Any) -> Window:
    (function,) = lab.kernels(lab.lowered(operator, (shape, "float32"))).values()
    pool = window(groups(inline(read(function))))
    assert pool is not None
    return pool


def scheduled(lab: Any, operator: Any, *shape: Any) -> str:
    """Return the loops for a CPU with AVX-512."""
    (function,) = lab.kernels(lab.lowered(operator, (shape, "float32"))).values()
    module = schedule(IRModule({"main": function}), AVX512.target).module
    return str(module["main"].script())


def test_lines_without_masks_of_their_own_have_classes(lab: Any) -> None:
    assert has_classes(found(lab, POOLS["3x3 / 2"], N, 3, H, W))
    assert has_classes(found(lab, POOLS["2x2 / 2"], N, 3, H, W))
    assert has_classes(found(lab, POOLS["3x3 / 2"], N, 3, H, 9))
    assert not has_classes(found(lab, lambda a: R.nn.max_pool1d(a, (3,), (2,)), 1, 1, W))


def each_width() -> Iterator[dict[str, int]]:
    """Yield widths that one step covers, two, and more; each by how much is left of the last."""
    yield from ({"n": 1, "h": 5, "w": w} for w in range(1, 50))
    yield from ({"n": 2, "h": 3, "w": w} for w in (63, 64, 65, 97, 128, 130))


@pytest.mark.parametrize(
    "how",
    [{"l1_bytes": 0}, {"l1_bytes": 700}, {"masks": False}],
    ids=["all are large", "some are", "overlapping"],
)
@pytest.mark.parametrize("name", POOLS)
@pytest.mark.sampled(6)
def test_numbers_of_each_width(
    lab: Any, monkeypatch: pytest.MonkeyPatch, name: str, how: dict[str, Any]
) -> None:
    as_if(monkeypatch, **how)
    module = lab.lowered(POOLS[name], ((N, 2, H, W), "float32"))
    least = 3 if name == "far apart" else 1
    lab.assert_same_numbers(module, AVX2, each=[s for s in each_width() if s["w"] >= least])


def test_images_without_columns_lines_or_number(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    as_if(monkeypatch)
    module = lab.lowered(POOLS["3x3 / 2"], ((N, 2, H, W), "float32"))
    empty = [{"n": n, "h": h, "w": w} for n, h, w in ((1, 3, 0), (1, 0, 20), (0, 5, 40))]
    lab.assert_same_numbers(module, AVX2, each=empty)


def test_one_line_is_no_image(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    as_if(monkeypatch)
    module = lab.lowered(lambda a: R.nn.avg_pool1d(a, (3,), (2,), (1, 1)), ((1, 1, W), "float32"))
    lab.assert_same_numbers(module, AVX2, each=[{"w": w} for w in (1, 5, 17, 60)])


def test_signals_are_lines_of_one_image(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    as_if(monkeypatch)
    for pool in (
        lambda a: R.nn.max_pool1d(a, (3,), (2,), (1, 1)),
        lambda a: R.nn.avg_pool1d(a, (4,), (1,), (3, 0), count_include_pad=False),
    ):
        module = lab.lowered(pool, ((N, 3, W), "float32"))
        lab.assert_same_numbers(module, AVX2, each=[{"n": 2, "w": w} for w in (1, 5, 17, 60)])


def test_epilogues_join_and_other_operands_are_read(
    lab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_if(monkeypatch)

    def pooled(a: Any, b: Any) -> Any:
        return R.nn.relu(R.add(R.nn.avg_pool2d(a, (3, 3), (1, 1), (1, 1)), b))

    module = lab.lowered(pooled, ((N, 2, H, W), "float32"), ((N, 2, H, W), "float32"))
    lab.assert_same_numbers(module, AVX2, each=[{"n": 2, "h": 3, "w": w} for w in (4, 9, 40)])


def test_nan_and_infinity_stay_in_their_windows(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of sums; steps overlap, and a column that one of them leaves out does not reach it."""
    as_if(monkeypatch)
    module = lab.lowered(POOLS["padding counts"], ((N, 1, H, W), "float32"))
    (function,) = lab.kernels(module).values()
    code = schedule(IRModule({"main": function}), AVX2.target).module["main"]
    for place, value in ((0, np.nan), (15, np.inf), (33, -np.inf), (59, np.nan)):
        x = np.ones((1, 1, 1, 60), "float32")
        x[..., place] = value
        y = tvm.runtime.tensor(np.zeros((1, 1, 1, 31), "float32"))
        lab.runnable(code, AVX2)(tvm.runtime.tensor(x), y)
        other = [not -1 <= place - 2 * n <= 1 for n in range(31)]
        finite = np.isfinite(y.numpy()[0, 0, 0])
        np.testing.assert_array_equal(finite, other)


def test_each_class_is_one_nest(lab: Any) -> None:
    """Lines of half a vector, one or two of them, of whole ones, of large images, and others."""
    assert scheduled(lab, POOLS["3x3 / 2"], N, 3, H, W).count("T.parallel") == 5
    assert scheduled(lab, POOLS["2x2 / 2"], N, 3, H, W).count("T.parallel") == 2
    assert scheduled(lab, POOLS["3x3 / 2"], N, 3, 9, 9).count("T.parallel") == 1


def test_only_what_the_cache_does_not_hold_goes_line_by_line(lab: Any) -> None:
    """An image has two lines for each of results, of 4 bytes a number."""
    code = scheduled(lab, POOLS["3x3 / 2"], N, 3, H, W)
    assert re.search(r"T\.int64\(4096\) < w \* \(\(h -", code), "32 KiB"


def test_masks_of_a_class_are_found_before_its_loops(lab: Any) -> None:
    code = scheduled(lab, POOLS["3x3 / 2"], N, 3, H, W)
    first, *_ = code.split("T.parallel")
    assert len(re.findall("results.* = T.alloc_buffer", first)) == 1
    _, nest = code.split("T.parallel")[:2]
    assert "T.min" not in nest.split("else:")[0]
