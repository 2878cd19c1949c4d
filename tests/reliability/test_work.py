"""A kernel does no more than its work: of each, at most four times what its operators have to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from counted_work import UncountableError, counted_work
from encoders import ENCODERS
from graphs import graph, tensor
from operator_cases import CASES
from operator_models import REFUSED, model_of
from random_models import RandomModel
from random_transformers import SYMBOL, drawn
from tvm import relax, te, tirx
from weighed import MOST, Weighed, weighed, weighed_operators
from zoo import EXPORTS, KINDS

from bench.light_models import LIGHT, light_model
from tvmfuse.passes.selection import Selection
from tvmfuse.schedules.schedule import schedule_kernel
from tvmfuse.target.machine import AVX2, AVX512

TARGETS = {"avx2": AVX2.target, "avx512": AVX512.target}

#: Operators whose sizes are known only when they have run.
UNSIZED = {"Slice fed": "where it ends", "Compress axis=0": "how many are kept"}


def too_much(launches: Iterable[Weighed]) -> list[str]:
    """Return the kernels that do more than they may, in words."""
    return [
        f"{w.kernel} ({', '.join(w.operators)}): {w.counted} operations for {w.useful}, {w.ratio:.1f} times"
        for w in launches
        if w.ratio > MOST
    ]


def assert_no_more(model: Any, target: str, level: str = "all", dims: Any = None) -> None:
    launches = weighed(model, TARGETS[target], level, dims)
    assert launches
    assert all(launch.counted is not None for launch in launches)
    assert not too_much(launches)


def by_hand(size: int, taps: int) -> tirx.PrimFunc:
    """Return the maximum over one window that is larger than its image, guarded tap by tap."""
    x = te.placeholder((3, size, size), name="x")
    i, j = (te.reduce_axis((0, taps), name=name) for name in "ij")
    inside = tirx.all(i < size, j < size)
    outside = tirx.const(-1e30, "float32")
    y = te.compute(
        (3,), lambda c: te.max(tirx.if_then_else(inside, x(c, i, j), outside), axis=[i, j])
    )
    return te.create_prim_func([x, y])


@pytest.mark.parametrize("target", TARGETS)
def test_a_window_larger_than_its_image_is_found(target: str) -> None:
    scheduled, _ = schedule_kernel("pool", by_hand(7, 1280), TARGETS[target])
    assert counted_work(scheduled) >= 3 * 1280**2
    assert too_much([Weighed("pool", ("max_pool",), counted_work(scheduled), 3 * 7**2)])


@pytest.mark.parametrize("target", TARGETS)
def test_a_window_as_large_as_its_image_is_not(target: str) -> None:
    scheduled, _ = schedule_kernel("pool", by_hand(7, 7), TARGETS[target])
    assert not too_much([Weighed("pool", ("max_pool",), counted_work(scheduled), 3 * 7**2)])


def test_a_pool_whose_window_nobody_clipped_is_found() -> None:
    """Relax's own operator, whose useful work is that of its image."""
    module = graph(
        lambda x, _: relax.op.nn.avg_pool2d(x, (64, 64), (64, 64), (60, 60, 60, 60)),
        tensor(1, 3, 7, 7),
    )
    [found] = weighed_operators(module, AVX2.target, Selection.of("all"))
    assert found.operators == ("relax.nn.avg_pool2d",)
    assert found.ratio > MOST


def test_products_by_hand() -> None:
    module = graph(lambda a, b, _: relax.op.matmul(a, b), tensor(8, 64), tensor(64, 32))
    [found] = weighed_operators(module, AVX2.target, Selection.of("all"))
    assert found.useful == 2 * 8 * 64 * 32
    assert found.counted is not None
    assert found.useful <= found.counted <= 1.2 * found.useful


def test_a_loop_that_runs_for_nothing_is_counted() -> None:
    i, x = tirx.Var("i", "int64"), tirx.decl_buffer((10,), "float32", "x")
    store = tirx.BufferStore(x, tirx.const(1, "float32"), [i])
    zero, extent = tirx.const(0, "int64"), tirx.const(1000, "int64")
    guarded = tirx.IfThenElse(i < 10, store, None)
    loop = tirx.For(i, zero, extent, tirx.ForKind.SERIAL, guarded)
    assert counted_work(tirx.PrimFunc([x], loop)) == 1000


def test_what_calls_a_library_is_not_counted() -> None:
    call = tirx.Evaluate(tirx.call_packed("a.library.s.sort"))
    with pytest.raises(UncountableError, match=r"sort"):
        counted_work(tirx.PrimFunc([], call))


@pytest.mark.parametrize(("place", "name"), [*enumerate(KINDS)])
def test_bench_models(exported: Any, place: int, name: str) -> None:
    """Their reduced sizes, in turns for each target."""
    assert_no_more(exported(name), [*TARGETS][place % 2])


#: Its loops end where the numbers are in order.
SORT = ("relax.topk",)


@pytest.mark.reliability
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("name", "exporter"), EXPORTS)
def test_bench_models_of_both_exporters(
    exported: Any, name: str, exporter: str, target: str
) -> None:
    for level in ("none", "all"):
        assert_no_more(exported(name, exporter), target, level)


@pytest.mark.reliability
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", LIGHT)
def test_light_models(name: str, target: str) -> None:
    assert_no_more(light_model(name), target)


@pytest.mark.reliability
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ENCODERS)
def test_encoders(name: str, target: str, tmp_path: Any) -> None:
    for exporter in ENCODERS[name].exporters:
        assert_no_more(ENCODERS[name].export(exporter, tmp_path), target)


@pytest.mark.reliability
@pytest.mark.parametrize("name", [name for name in CASES if name not in REFUSED | UNSIZED])
def test_operators(name: str) -> None:
    """Each in tiny: their loops have no room for what does not count in large ones."""
    model, _, _ = model_of([CASES[name]])
    for target in TARGETS:
        launches = weighed(model, TARGETS[target])
        uncounted = [launch.operators for launch in launches if launch.counted is None]
        assert uncounted in ([], [SORT])
        assert not too_much(launches)


@pytest.mark.reliability
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", range(50))
def test_random_graphs_and_transformers(seed: int, target: str) -> None:
    assert_no_more(RandomModel(seed).onnx(), target)
    transformer = drawn(seed, length=5)
    dims = {SYMBOL: transformer.length} if transformer.symbolic else None
    assert_no_more(transformer.model(), target, dims=dims)
