"""schedules.cpu.matmul: right on ragged shapes, and made of the instructions it promises."""

from typing import Any

import pytest
from tvm import IRModule, relax, te, tirx
from tvm.relax import op as R

from tvmfuse.ops import gemm
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SSE2, Machine

N, M = tirx.Var("n", "int64"), tirx.Var("m", "int64")


def f32(*shape: Any) -> Any:
    return shape, "float32"


def of(dtype: Any, *shape: Any) -> Any:
    return shape, dtype


CASES = {
    "plain": (R.matmul, f32(37, 29), f32(29, 53)),
    "one vector": (R.matmul, f32(5, 29), f32(29, 8)),
    "bias": (lambda a, b, c: R.nn.relu(R.matmul(a, b) + c), f32(37, 29), f32(29, 53), f32(53)),
    "gelu": (lambda a, b, c: R.nn.gelu(R.matmul(a, b) + c), f32(1, 12, 24), f32(24, 64), f32(64)),
    "residual": (
        lambda a, b, c, d: R.matmul(a, b) + c + d,
        f32(2, 9, 24),
        f32(24, 33),
        f32(33),
        f32(2, 9, 33),
    ),
    "row": (R.matmul, f32(1, 64), f32(64, 100)),
    "batched": (R.matmul, f32(3, 2, 17, 16), f32(3, 2, 16, 19)),
    "broadcast batch": (R.matmul, f32(3, 1, 17, 16), f32(4, 16, 19)),
    "transposed": (
        lambda q, k: R.matmul(q, R.permute_dims(k, [0, 1, 3, 2])) * relax.const(0.125),
        f32(1, 4, 33, 16),
        f32(1, 4, 33, 16),
    ),
    "transposed first": (
        lambda a, b: R.matmul(R.permute_dims(a, [1, 0]), b),
        f32(29, 37),
        f32(29, 21),
    ),
    "dynamic rows": (lambda a, b, c: R.matmul(a, b) + c, f32(N, M, 29), f32(29, 53), f32(53)),
    "all dynamic": (lambda a, b: R.nn.gelu(R.matmul(a, b)), f32(N, M), f32(M, N)),
    "double": (R.matmul, of("float64", 17, 29), of("float64", 29, 21)),
    "half": (R.matmul, of("float16", 9, 16), of("float16", 16, 21)),
    "weights in half": (gemm, f32(9, 16), of("float16", 16, 21), of("float16", 21)),
    "panels in half": (gemm, f32(13, 17), of("bfloat16", 3, 17, 16)),
    "a row and panels in half": (gemm, f32(1, 64), of("float16", 3, 64, 16)),
    "int": (R.matmul, of("int32", 17, 29), of("int32", 29, 21)),
    "einsum": (lambda a, b: R.einsum((a, b), "ijk,jkl->il"), f32(9, 5, 7), f32(5, 7, 18)),
    "1x1 convolution": (R.nn.conv2d, f32(1, 16, 7, 9), f32(12, 16, 1, 1)),
    "1x1 convolution apart": (
        lambda x, w: R.nn.conv2d(x, w, strides=2),
        f32(1, 16, 13, 13),
        f32(12, 16, 1, 1),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_computes_the_same(lab: Any, name: str) -> None:
    operator, *inputs = CASES[name]
    scheduled = lab.assert_same_numbers(lab.lowered(operator, *inputs), n=3, m=37)
    assert "matmul" in {d.schedule for d in scheduled.report.decisions.values()}


@pytest.mark.parametrize("inputs", [(f32(7, 0), f32(0, 9)), (f32(0, 7), f32(7, 9))], ids=str)
def test_sizes_of_zero(lab: Any, inputs: Any) -> None:
    scheduled = lab.assert_same_numbers(lab.lowered(R.matmul, *inputs))
    assert scheduled.report.schedule_of("matmul") == "elementwise"  # it stores zeros, or nothing


@pytest.mark.parametrize("name", ["plain", "gelu", "transposed", "all dynamic", "batched"])
@pytest.mark.parametrize("threads", [False, True], ids=["serial", "parallel"])
def test_computes_the_same_on_other_machines(
    lab: Any, monkeypatch: pytest.MonkeyPatch, name: str, threads: bool
) -> None:
    lab.tune(monkeypatch, parallel_operations=0 if threads else 1 << 60)
    operator, *inputs = CASES[name]
    lab.assert_same_numbers(lab.lowered(operator, *inputs), SSE2, n=5, m=41)


@pytest.mark.parametrize("sizes", [(1, 1), (1, 60), (60, 1), (7, 15), (13, 31), (61, 64)], ids=str)
def test_one_kernel_serves_every_size(lab: Any, sizes: tuple[int, ...]) -> None:
    n, m = sizes
    module = lab.lowered(
        lambda a, b, c: R.nn.relu(R.matmul(a, b) + c), f32(N, 24), f32(24, M), f32(M)
    )
    lab.assert_same_numbers(module, n=n, m=m)


@pytest.mark.parametrize(
    ("machine", "register"), [(AVX2, "ymm"), (AVX512, "zmm")], ids=["avx2", "avx512"]
)
def test_multiplies_whole_vectors_in_registers(lab: Any, machine: Machine, register: str) -> None:
    module = lab.lowered(
        lambda a, b, c: R.nn.relu(R.matmul(a, b) + c), f32(112, 96), f32(96, 192), f32(192)
    )
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    code = lab.assembly(function, machine)
    fma = [line for line in code.splitlines() if "vfmadd" in line]
    assert fma
    assert all(register in line for line in fma)
    assert register == "zmm" or "zmm" not in code
    loop = lab.hottest_block(code, "vfmadd")
    assert sum("vfmadd" in line for line in loop) >= 12
    stored = [line for line in loop if "vmov" in line and line.rstrip().endswith(")")]
    assert not stored, "an accumulator is spilled in the loop"


@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=lambda machine: machine.name)
def test_weights_in_half_are_converted_by_vectors_for_all_rows(lab: Any, machine: Machine) -> None:
    width = 2 * machine.isa.float_lanes
    module = lab.lowered(gemm, f32(48, 96), of("float16", 4, 96, width))
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    code = lab.assembly(function, machine)
    loop = lab.hottest_block(code, "vfmadd")
    converted, added = (sum(name in line for line in loop) for name in ("vcvtph2ps", "vfmadd"))
    assert 0 < 3 * converted <= added
    assert not [line for line in code.splitlines() if "call" in line and "extendhf" in line]


def test_declines_an_output_without_columns(lab: Any) -> None:
    scheduled = lab.assert_same_numbers(lab.lowered(R.matmul, f32(100, 64), f32(64)))
    decision = scheduled.report.decisions["matmul"]
    # The rows would be the vectors, and are a whole row of the matrix apart.
    assert (
        decision.declined["matmul"] == "an operand is not contiguous along the output's last axis"
    )


def test_declines_a_few_rows_by_a_transposed_matrix(lab: Any) -> None:
    """Dot products along k: a copy of the matrix would be read twice."""
    a, b = te.placeholder((2, 64)), te.placeholder((40, 64))
    k = te.reduce_axis((0, 64))
    function = lab.function_of(a, b, te.compute((2, 40), lambda i, j: te.sum(a[i, k] * b[j, k], k)))
    scheduled = lab.assert_same_numbers(IRModule({"main": function}))
    decision = scheduled.report.decisions["main"]
    assert (
        decision.declined["matmul"] == "an operand is not contiguous along the output's last axis"
    )
    assert "packed" not in scheduled.module["main"].script()


def test_declines_a_sum_of_squares(lab: Any) -> None:
    module = lab.lowered(lambda a: R.sum(R.multiply(a, a), -1), ((9, 33), "float32"))
    (decision,) = schedule(module, AVX2.target).report.decisions.values()
    assert decision.declined["matmul"] == "its reduction is a sum of squares"
