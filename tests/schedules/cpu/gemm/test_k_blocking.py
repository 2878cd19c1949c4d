"""schedules.cpu.gemm.k_blocking: sums in blocks of k give the same numbers."""

import re
from dataclasses import replace
from typing import Any

import pytest
from tvm import IRModule, te, tirx
from tvm.relax import op as R

from tvmfuse.ops import conv_blocked, gemm
from tvmfuse.schedules.cpu.gemm.k_blocking import partial_sums
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, EMERALD_RAPIDS, ZEN4, Machine

ONES: dict[str, Any] = {"strides": [1, 1], "dilation": [1, 1], "padding": [0] * 4}

#: 2048 channels at 7 x 7 to 32: panels of 128 KiB.
BLOCKED = (1, 128, 7, 7, 16), (2, 128, 1, 1, 16, 16)

#: Panels of 16 columns and 4096 steps: 256 KiB.
PLAIN = (37, 4096), (2, 4096, 16)


def scheduled(lab: Any, operator: Any, *shapes: Any, **sizes: Any) -> Any:
    """The script of the kernel, after a comparison of its numbers."""
    module = lab.lowered(operator, *((s, "float32") for s in shapes))
    (function,) = lab.kernels(lab.assert_same_numbers(module, **sizes).module).values()
    return function.script()


def test_a_convolution_of_many_channels(lab: Any) -> None:
    assert "for k_block in" in scheduled(lab, lambda x, w: conv_blocked(x, w, **ONES), *BLOCKED)


def test_windows_slide_in_each_part(lab: Any) -> None:
    shapes = (1, 16, 9, 9, 16), (2, 16, 3, 3, 16, 16)
    two: dict[str, Any] = {**ONES, "strides": [2, 2], "padding": [1] * 4}
    assert "k_block" in scheduled(lab, lambda x, w: conv_blocked(x, w, **two), *shapes)


@pytest.mark.parametrize("machine", [AVX2, ZEN4, EMERALD_RAPIDS], ids=lambda m: m.name)
def test_threads_wait_for_each_other_after_each_block_where_what_it_reads_is_far(
    lab: Any, machine: Machine
) -> None:
    """All blocks of one panel come before the next one where all pixels are near, and there is one."""
    for height, blocks, near in ((7, 32, True), (280, 32, False), (7, 1, False)):
        shapes = [((1, 32, height, 7, 16), "float32"), ((blocks, 32, 3, 3, 16, 16), "float32")]
        module = lab.lowered(lambda x, w: conv_blocked(x, w, **ONES), *shapes)
        (function,) = lab.kernels(schedule(module, machine.target).module).values()
        script = function.script()
        assert (script.index("T.parallel") < script.index("k_block")) == near


def test_the_epilogue_comes_after_the_last_part(lab: Any) -> None:
    """Applied to a part of the sum, GELU and the sum with z would give other numbers."""
    script = scheduled(lab, lambda a, p, z: R.add(R.nn.gelu(gemm(a, p)), z), *PLAIN, (37, 32))
    assert "for k_block in" in script


@pytest.mark.parametrize("n", [1, 3, 37, 128])
def test_rows_known_later(lab: Any, n: int) -> None:
    rows = tirx.Var("n", "int64")
    assert "for k_block in" in scheduled(lab, lambda a, p: gemm(a, p), (rows, 4096), PLAIN[1], n=n)


def product(lab: Any, dtype: str = "float32", out: str = "float32") -> Any:
    """A sum and what follows it, both of them results, in TE."""
    (rows, depth), (panels, _, width) = PLAIN
    a, p = (te.placeholder(shape, dtype) for shape in PLAIN)
    k = te.reduce_axis((0, depth))

    def term(j: Any, i: Any, c: Any) -> Any:
        return te.sum(a[i, k].astype("float32") * p[j, k, c].astype("float32"), axis=k)

    total = te.compute((panels, rows, width), term)
    half = te.compute(total.shape, lambda *i: (total(*i) * 0.5).astype(out))
    return lab.function_of(a, p, total, half) if out == "float32" else lab.function_of(a, p, half)


def test_two_results_of_one_sum(lab: Any) -> None:
    module = lab.assert_same_numbers(IRModule({"main": product(lab)})).module
    assert "for k_block in" in module["main"].script()


def test_sums_cannot_wait_where_they_are_added_to_something(lab: Any) -> None:
    """As an attention's are to what the keys before have made."""
    y = tirx.decl_buffer((37, 32), "float32", "y")
    function = lab.function_of(*_added())
    (group,) = groups(inline(read(function)))
    assert partial_sums(group) is not None
    (stage,) = group.epilogue
    (store,) = stage.stores
    more = replace(store, buffer=y, value=store.value + tirx.BufferLoad(y, list(store.indices)))
    again = replace(group, epilogue=(replace(stage, stores=(more,)),), stored=frozenset([y]))
    assert partial_sums(again) is None


def _added() -> Any:
    a, b = te.placeholder((37, 8)), te.placeholder((8, 32))
    k = te.reduce_axis((0, 8))
    c = te.compute((37, 32), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k))
    return a, b, te.compute((37, 32), lambda i, j: c[i, j] * 2.0)


def test_sums_cannot_wait_in_results_of_another_type(lab: Any) -> None:
    """Sixteen bits would round them after each part."""
    function = product(lab, "float16", "float16")
    (group,) = groups(inline(read(function)))
    assert partial_sums(group) is None
    module = lab.assert_same_numbers(IRModule({"main": function}), tolerance=1e-3).module
    assert "for k_block in" not in module["main"].script()


def test_the_panel_asked_for_is_the_next_one_of_the_same_part(lab: Any) -> None:
    """Behind the whole panel: 65536 elements further, and not behind the part."""
    script = scheduled(lab, lambda a, p: gemm(a, p), *PLAIN)
    assert re.search(r"llvm.prefetch.*k_block \* .*65536", script)
