"""schedules.cpu.transposition: squares are shuffled; what they leave is gathered."""

from typing import Any

import pytest
from tvm import IRModule, te, tirx
from tvm.relax import const, op as R
from tvm.tirx import PrimFunc

from tvmfuse.schedules.cpu.transposition import Transposition
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SSE2

N, M = tirx.Var("n", "int64"), tirx.Var("m", "int64")
MACHINES = [SSE2, AVX2, AVX512]
SIZES = [{"n": n, "m": m} for n, m in ((1, 1), (3, 17), (16, 15), (33, 16), (50, 77))]


def transposed(*shape: Any, dtype: str = "float32") -> PrimFunc:
    """Return the kernel of a transposed matrix."""
    a = te.placeholder(shape, dtype, name="a")
    rows, columns = shape
    return te.create_prim_func([a, te.compute((columns, rows), lambda i, j: a[j, i])])


def shuffles(function: PrimFunc) -> bool:
    scheduled = schedule(IRModule({"main": function}), AVX2.target).module["main"]
    return "T.Shuffle" in scheduled.script()


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_computes_the_same(lab: Any, machine: Any, dtype: str) -> None:
    for shape in ((64, 48), (17, 33), (16, 200)):
        lab.assert_same_numbers(IRModule({"main": transposed(*shape, dtype=dtype)}), machine)
    lab.assert_same_numbers(IRModule({"main": transposed(N, M, dtype=dtype)}), machine, each=SIZES)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
@pytest.mark.parametrize("channels", [64, 20, 3])
def test_an_image_with_channels_last_and_back(lab: Any, machine: Any, channels: int) -> None:
    for order, shape in (([0, 2, 3, 1], (2, channels, N, M)), ([0, 3, 1, 2], (2, N, M, channels))):
        module = lab.lowered(
            lambda a, order=order: R.nn.relu(R.permute_dims(a, order)) + const(1.0, "float32"),
            (shape, "float32"),
        )
        lab.assert_same_numbers(module, machine, each=SIZES[:4])


def test_no_element_of_a_square_is_gathered(lab: Any) -> None:
    for machine, register in ((AVX2, "ymm"), (AVX512, "zmm")):
        module = IRModule({"main": transposed(64, 96)})
        code = lab.assembly(schedule(module, machine.target).module["main"], machine)
        assert "vinsertps" not in code
        assert any("vunpck" in line and register in line for line in code.splitlines())


def test_squares_are_of_32_bits_and_have_all_their_elements() -> None:
    assert shuffles(transposed(64, 96))
    assert shuffles(transposed(N, M))
    assert not shuffles(transposed(64, 96, dtype="float16"))
    assert not shuffles(transposed(64, 7))  # no square
    assert not shuffles(transposed(7, 64))

    a = te.placeholder((5, 64, 96), name="a")
    before = te.compute(
        (5, 96, 64),
        lambda b, i, j: tirx.if_then_else(b > 0, a[b - 1, j, i], tirx.const(0, "float32")),
    )
    assert not shuffles(te.create_prim_func([a, before]))  # it may not be there
    m = te.placeholder((64, 64), name="m")
    symmetric = te.compute((64, 64), lambda i, j: m[j, i] + m[i, j])
    assert not shuffles(te.create_prim_func([m, symmetric]))  # two places of one tensor


def test_a_stage_that_reads_as_it_stores_is_none(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(R.exp, ((64, 96), "float32"))).values()
    (stage,) = read(function).stages
    assert Transposition.of(stage, stage.axes[0], 8) is None
    assert Transposition.of(stage, stage.axes[-1], 8) is None
