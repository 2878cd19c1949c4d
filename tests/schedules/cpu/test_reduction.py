"""schedules.cpu.reduction: softmax, normalization, pooling, means, as the lowering makes them."""

from typing import Any

import pytest
from tvm import tirx
from tvm.relax import op as R

from tvmfuse.schedules.cpu.reduction import reduction
from tvmfuse.schedules.plans import FusedPaddingPlan, RowsPlan
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.schedules.schedule import schedule
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.target.machine import AVX2, AVX512, SSE2, Machine

N, M = tirx.Var("n", "int64"), tirx.Var("m", "int64")


def f32(*shape: Any) -> Any:
    return shape, "float32"


def of(dtype: Any, *shape: Any) -> Any:
    return shape, dtype


SUMS = {
    "sum": (lambda a: R.sum(a, -1), f32(7, 197)),
    "sum short": (lambda a: R.sum(a, -1), f32(7, 5)),
    "sum all": (lambda a: R.sum(a), f32(7, 19)),
    "sum outer": (lambda a: R.sum(a, 0), f32(19, 37)),
    "sum middle": (lambda a: R.sum(a, 1), f32(3, 19, 37)),
    "sum two": (lambda a: R.sum(a, [0, 2]), f32(3, 19, 37)),
    "sum squares": (lambda a: R.sum(a * a, -1), f32(7, 197)),
    "sum nothing": (lambda a: R.sum(a, -1), f32(7, 0)),
    "no sums": (lambda a: R.sum(a, -1), f32(0, 7)),
    "sum int": (lambda a: R.sum(a, -1), of("int64", 7, 197)),
    "sum double": (lambda a: R.sum(a, -1), of("float64", 7, 197)),
    "sum half": (lambda a: R.sum(R.astype(a, "float32"), -1), of("float16", 7, 50)),
    "sum dynamic": (lambda a: R.sum(a, -1), f32(N, M)),
    "mean": (lambda a: R.mean(a, [2, 3]), f32(2, 6, 7, 7)),
    "mean keep": (lambda a: R.mean(a, -1, keepdims=True), f32(3, 40)),
    "variance": (lambda a: R.variance(a, -1), f32(3, 40)),
    "max": (lambda a: R.max(a, -1), f32(7, 197)),
    "max int": (lambda a: R.max(a, -1), of("int32", 7, 197)),
    "min": (lambda a: R.min(a, 1), f32(3, 19, 37)),
    "product": (lambda a: R.prod(a, -1), f32(7, 40)),
    "argmax": (lambda a: R.argmax(a, -1), f32(7, 40)),
    "dot": (R.matmul, f32(100), f32(100)),
    "argmin": (lambda a: R.argmin(a, 1), f32(3, 19, 37)),
}

NORMS = {
    "softmax": (lambda a: R.nn.softmax(a, -1), f32(4, 5, 197)),
    "softmax long": (lambda a: R.nn.softmax(a, -1), f32(5, 1000)),
    "softmax channels": (lambda a: R.nn.softmax(a, 1), f32(2, 19, 5, 5)),
    "softmax dynamic": (lambda a: R.nn.softmax(a, -1), f32(N, 3, M)),
    "softmax row": (lambda a: R.nn.softmax(a, -1), f32(1, 1000)),
    "log softmax": (lambda a: R.nn.log_softmax(a, -1), f32(4, 50)),
    "layer norm": (lambda a, g, b: R.nn.layer_norm(a, g, b, [-1]), f32(5, 197), f32(197), f32(197)),
    "layer norm dynamic": (
        lambda a, g, b: R.nn.layer_norm(a, g, b, [-1]),
        f32(N, M, 48),
        f32(48),
        f32(48),
    ),
    "rms norm": (lambda a, g: R.nn.rms_norm(a, g, [-1]), f32(5, 100), f32(100)),
    "group norm": (
        lambda a, g, b: R.nn.group_norm(a, g, b, 3, 1, [2, 3]),
        f32(2, 6, 5, 5),
        f32(6),
        f32(6),
    ),
    "instance norm": (
        lambda a, g, b: R.nn.instance_norm(a, g, b, 1, [2, 3]),
        f32(2, 6, 5, 5),
        f32(6),
        f32(6),
    ),
}


def _on_blocks(pool: Any) -> Any:
    return lambda a: pool(a, (3, 3), (2, 2), (1, 1), layout="NCHW16c")


POOLS = {
    "max pool": (lambda a: R.nn.max_pool2d(a, (3, 3), (2, 2), (1, 1)), f32(2, 6, 15, 15)),
    "max pool 1d": (lambda a: R.nn.max_pool1d(a, 3, 1, 1), f32(2, 6, 33)),
    "max pool 3d": (lambda a: R.nn.max_pool3d(a, (2, 2, 2), (2, 2, 2)), f32(1, 3, 6, 6, 6)),
    "avg pool": (lambda a: R.nn.avg_pool2d(a, (3, 3), (1, 1), (1, 1)), f32(2, 6, 15, 15)),
    "max pool on blocks": (_on_blocks(R.nn.max_pool2d), f32(2, 3, 15, 17, 16)),
    "max pool on blocks, dynamic": (_on_blocks(R.nn.max_pool2d), f32(2, 3, N, M, 16)),
    "avg pool on blocks": (_on_blocks(R.nn.avg_pool2d), f32(2, 3, 15, 17, 16)),
    "global pool": (lambda a: R.nn.adaptive_avg_pool2d(a, (1, 1)), f32(2, 6, 7, 7)),
}

CASES = SUMS | NORMS | POOLS


@pytest.mark.parametrize("name", CASES)
def test_computes_the_same(lab: Any, name: Any) -> None:
    operator, *inputs = CASES[name]
    scheduled = lab.assert_same_numbers(lab.lowered(operator, *inputs), n=3, m=37)
    assert {d.schedule for d in scheduled.report.decisions.values()} <= {"reduction", "elementwise"}


@pytest.mark.parametrize(
    "name", ["softmax", "softmax channels", "layer norm", "sum dynamic", "max pool", "argmax"]
)
@pytest.mark.parametrize("threads", [False, True], ids=["serial", "parallel"])
def test_computes_the_same_on_other_machines(
    lab: Any, monkeypatch: pytest.MonkeyPatch, name: str, threads: bool
) -> None:
    lab.tune(monkeypatch, parallel_operations=0 if threads else 1 << 60)
    operator, *inputs = CASES[name]
    lab.assert_same_numbers(lab.lowered(operator, *inputs), SSE2, n=3, m=37)


@pytest.mark.parametrize(
    ("machine", "register"), [(AVX2, "ymm"), (AVX512, "zmm")], ids=["avx2", "avx512"]
)
def test_softmax_is_made_of_whole_vectors(lab: Any, machine: Machine, register: str) -> None:
    module = lab.lowered(lambda a: R.nn.softmax(a, -1), f32(16, 256))
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    code = lab.assembly(function, machine)
    assert "expf" not in code
    for instruction in ("vmaxps", "vdivps", "vaddps"):
        assert any(instruction in line and register in line for line in code.splitlines())


def test_stages_of_a_row_stay_together(lab: Any) -> None:
    module = lab.lowered(lambda a: R.nn.softmax(a, -1), f32(64, 512))
    (function,) = lab.kernels(schedule(module, AVX2.target).module).values()
    assert function.script().count("T.parallel") == 1


def test_declines_matrix_products(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(R.matmul, f32(9, 16), f32(16, 8))).values()
    assert reduction(Subject(function, AVX2.target)) == Declined("it holds a product of matrices")


def test_declines_what_has_no_reduction(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(R.exp, f32(3, 4))).values()
    assert reduction(Subject(function, AVX2.target)) == Declined("it has no reduction")


def test_a_pool_on_blocks_of_channels_pads_strip_by_strip(lab: Any) -> None:
    """Of 4 blocks at 112 x 112 each strip's copy stays in the second-level cache."""
    module = lab.lowered(_on_blocks(R.nn.max_pool2d), f32(1, 4, 112, 112, 16))
    (decision,) = schedule(module, AVX2.target).report.decisions.values()
    (nest,) = decision.plan.nests
    assert isinstance(nest, FusedPaddingPlan)
    assert nest.lines
    line = 114 * 16 * 4
    assert (2 * nest.lines + 1) * line <= AVX2.tuning.l2_budget // 2
    off = ScheduleSettings(disabled_steps=frozenset({"FusedPadding"}))
    (decision,) = schedule(module, AVX2.target, off).report.decisions.values()
    assert isinstance(decision.plan.nests[0], RowsPlan)
