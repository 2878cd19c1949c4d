"""Products with matrices of few bits: made floats in registers, scales before the loop over them."""

from typing import Any

import pytest
from tvm import tirx

from tvmfuse import ops
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, Machine

N = tirx.Var("n", "int64")
BLOCKS, BLOCK, COLUMNS = 4, 32, 96


def lowered(lab: Any, rows: Any, bits: int) -> Any:
    size = BLOCK * bits // 8
    return lab.lowered(
        lambda a, b, s, z: ops.matmul_nbits(a, b, s, z, bits=bits, block_size=BLOCK),
        ((rows, BLOCKS * BLOCK), "float32"),
        ((BLOCKS, size, COLUMNS), "uint8"),
        ((BLOCKS, COLUMNS), "float32"),
        ((-(-BLOCKS * bits // 8), COLUMNS), "uint8"),
    )


@pytest.mark.parametrize(("rows", "bits"), [(13, 2), (7, 8), (N, 4)])
def test_numbers_stay(lab: Any, rows: Any, bits: int) -> None:
    lab.assert_same_numbers(lowered(lab, rows, bits), n=5)


@pytest.mark.parametrize(
    ("machine", "register"), [(AVX2, "ymm"), (AVX512, "zmm")], ids=["avx2", "avx512"]
)
@pytest.mark.parametrize("rows", [1, 64])
def test_no_matrix_of_floats_and_no_gathers(
    lab: Any, machine: Machine, register: str, rows: int
) -> None:
    (function,) = lab.kernels(schedule(lowered(lab, rows, 4), machine.target).module).values()
    code = lab.assembly(function, machine)
    assert "gather" not in code
    assert "TVMBackendAllocWorkspace" not in code
    loop = lab.hottest_block(code, "vfmadd")
    multiplied = [line for line in loop if "vfmadd" in line]
    assert multiplied
    assert all(register in line for line in multiplied)
    # One conversion for each vector of weights: not for each row, and none of zero points.
    converted = sum("vcvtdq2ps" in line for line in loop)
    assert converted * (1 if rows == 1 else 2) <= len(multiplied)
