"""schedules.cpu.elementwise: operators without reduction, as they come out of the lowering."""

from typing import Any

import pytest
from tvm import relax, tirx
from tvm.relax import op as R

from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SSE2, Machine

N, M = tirx.Var("n", "int64"), tirx.Var("m", "int64")


def f32(*shape: Any) -> Any:
    return shape, "float32"


def of(dtype: Any, *shape: Any) -> Any:
    return shape, dtype


def const(value: Any) -> Any:
    return relax.const(value, "float32")


def gated(a: Any, times: Any) -> Any:
    # Each value is read twice, so inlining everything would double the kernel at every step.
    for _ in range(times):
        a = a * R.sigmoid(a)
    return a


UNARY = {
    name: (getattr(R, name), f32(3, 5, 37))
    for name in (
        "abs acos asin atan ceil cos erf exp floor isfinite isinf isnan log negative round rsqrt"
        " sigmoid sign sin sinh sqrt square tan tanh"
    ).split()
}

BINARY = {
    name: (getattr(R, name), f32(4, 1, 37), f32(6, 37))
    for name in "add divide equal greater less maximum minimum multiply not_equal power subtract".split()
}

CHAINS = {
    "scalar": (lambda a: R.add(a, const(1.0)), f32()),
    "one element": (lambda a: R.exp(a), f32(1, 1)),
    "empty": (lambda a: R.exp(a), f32(3, 0)),
    "chain": (lambda a, b: R.nn.relu(R.tanh(a + b) * a), f32(7, 129), f32(129)),
    "channel bias": (lambda a, b: R.nn.relu(a + b), f32(2, 6, 7, 9), f32(6, 1, 1)),
    "gelu": (lambda a, b: R.nn.gelu(a + b), f32(32, 197), f32(197)),
    "hard swish": (lambda a: a * R.clip(a + const(3.0), 0, 6) / const(6.0), f32(2, 24, 7, 7)),
    "where": (R.where, of("bool", 4, 37), f32(4, 37), f32(4, 37)),
    "cast to int": (lambda a: R.astype(a, "int32"), f32(3, 50)),
    "cast to half": (lambda a: R.astype(a, "float16"), f32(3, 50)),
    "half": (lambda a, b: R.nn.relu(a * b), of("float16", 3, 50), of("float16", 50)),
    "double": (lambda a, b: R.exp(a) + b, of("float64", 3, 50), of("float64", 3, 50)),
    "int8": (lambda a, b: a * b + a, of("int8", 3, 70), of("int8", 3, 70)),
    "int64": (lambda a, b: a * b + a, of("int64", 3, 70), of("int64", 3, 70)),
    "floor divide": (R.floor_divide, of("int32", 70), of("int32", 70)),
    "uint8": (lambda a: R.astype(a, "float32"), of("uint8", 3, 70)),
    "logical": (R.logical_and, of("bool", 3, 70), of("bool", 3, 70)),
    "bitwise": (R.bitwise_xor, of("int32", 3, 70), of("int32", 3, 70)),
    "batch norm": (
        lambda x, g, b, m, v: R.nn.batch_norm(x, g, b, m, R.abs(v), axis=1, training=False)[0],
        f32(2, 6, 7, 9),
        *[f32(6)] * 4,
    ),
    "deep chain": (lambda a: gated(a, 9), f32(5, 33)),
    "dynamic": (lambda a, b: R.nn.relu(a + b), f32(N, M), f32(M)),
    "dynamic batch": (lambda a, b: R.nn.relu(a + b), f32(N, 6, 35), f32(6, 1)),
}

MOVEMENT = {
    "transpose": (lambda a: R.permute_dims(a, [0, 2, 1]), f32(3, 21, 37)),
    "heads": (lambda a: R.permute_dims(R.reshape(a, (1, 21, 4, 16)), [0, 2, 1, 3]), f32(1, 21, 64)),
    "reshape": (lambda a: R.reshape(a, (4, 3, 35)), f32(3, 4, 5, 7)),
    "flatten dynamic": (lambda a: R.reshape(a, (N, 35)), f32(N, 5, 7)),
    "concat channels": (lambda *a: R.concat(a, 1), f32(2, 3, 9), f32(2, 4, 9), f32(2, 1, 9)),
    "concat inner": (lambda *a: R.concat(a, 1), f32(5, 13), f32(5, 30)),
    "concat many": (lambda *a: R.concat(a, 1), *[f32(3, n) for n in range(1, 20)]),
    "concat dynamic": (lambda *a: R.concat(a, 1), f32(2, N, 9), f32(2, M, 9)),
    "split": (lambda a: R.split(a, [3, 10], 1), f32(2, 17, 5)),
    "slice": (lambda a: R.strided_slice(a, [1], [1], [30], [3]), f32(4, 37)),
    "flip": (lambda a: R.flip(a, 1), f32(4, 37)),
    "pad": (lambda a: R.nn.pad(a, [0, 0, 1, 2, 3, 1]), f32(2, 9, 14)),
    "pad dynamic": (lambda a: R.nn.pad(a, [0, 0, 2, 2]), f32(3, N)),
    "tile": (lambda a: R.tile(a, (2, 3)), f32(5, 7)),
    "repeat": (lambda a: R.repeat(a, 3, 1), f32(5, 7)),
    "broadcast": (lambda a: R.broadcast_to(a, (4, 5, 33)), f32(5, 1)),
    "embedding": (lambda a, i: R.take(a, i, 0, mode="clip"), f32(30, 20), of("int64", 2, 7)),
    "take inner": (lambda a, i: R.take(a, i, 1, mode="clip"), f32(6, 9), of("int64", 7)),
    "gather elements": (lambda a, i: R.gather_elements(a, i, 0), f32(30, 20), of("int64", 7, 20)),
    "gather nd": (R.gather_nd, f32(8, 9, 20), of("int64", 7, 2)),
    "one hot": (
        lambda i: R.one_hot(i, relax.prim_value(1.0), relax.prim_value(0.0), 9, -1),
        of("int64", 7),
    ),
    "tril": (lambda a: R.tril(a, 1), f32(3, 20, 20)),
    "arange": (lambda: R.arange(0, 50, 1, "float32"),),
    "full": (lambda: R.full((3, 50), const(2.5), "float32"),),
    "nearest": (
        lambda a: R.image.resize2d(a, (14, 14), method="nearest_neighbor"),
        f32(1, 3, 7, 7),
    ),
    "bilinear": (lambda a: R.image.resize2d(a, (11, 13)), f32(1, 3, 7, 7)),
    "depth to space": (
        lambda a: R.permute_dims(R.reshape(a, (1, 2, 2, 2, 5, 5)), [0, 3, 4, 1, 5, 2]),
        f32(1, 8, 5, 5),
    ),
}

CASES = UNARY | BINARY | CHAINS | MOVEMENT


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", CASES)
def test_computes_the_same(lab: Any, name: Any) -> None:
    operator, *inputs = CASES[name]
    scheduled = lab.assert_same_numbers(lab.lowered(operator, *inputs), n=3, m=37)
    assert {d.schedule for d in scheduled.report.decisions.values()} <= {"elementwise"}


@pytest.mark.parametrize("name", ["gelu", "concat inner", "transpose", "dynamic", "int8"])
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
def test_adds_whole_vectors(lab: Any, machine: Machine, register: str) -> None:
    (function,) = lab.kernels(_scheduled(lab, lambda a, b: R.nn.relu(a + b), machine)).values()
    loop = lab.hottest_block(lab.assembly(function, machine), "vaddps")
    assert all(register in line for line in loop if "vaddps" in line)


@pytest.mark.parametrize(
    ("dtype", "multiply"), [("int32", "vpmulld"), ("uint32", "vpmulld"), ("int64", "vpmuludq")]
)
def test_integers_that_wrap_are_whole_vectors(lab: Any, dtype: str, multiply: str) -> None:
    """They are computed in twice their width, of which nothing is left in the machine code."""
    shape = of(dtype, 64, 1280)
    module = schedule(lab.lowered(lambda a, b: a * b, shape, shape), AVX2.target).module
    (function,) = lab.kernels(module).values()
    loop = lab.hottest_block(lab.assembly(function, AVX2), multiply)
    assert all("ymm" in line for line in loop if multiply in line)
    assert not any(word in line for line in loop for word in ("imul", "vpmovsx", "vpmovzx"))


def test_calls_no_scalar_function_for_gelu(lab: Any) -> None:
    (function,) = lab.kernels(_scheduled(lab, lambda a, b: R.nn.gelu(a + b), AVX2)).values()
    assert "erff" not in lab.assembly(function, AVX2)


def _scheduled(lab: Any, operator: Any, machine: Any) -> Any:
    return schedule(lab.lowered(operator, f32(64, 1280), f32(64, 1280)), machine.target).module


def test_declines_reductions(lab: Any) -> None:
    scheduled = lab.assert_same_numbers(lab.lowered(lambda a: R.sum(a, -1), f32(3, 9)))
    (decision,) = scheduled.report.decisions.values()
    assert decision.declined["elementwise"] == "it has a reduction"
