"""Products with matrices of few bits: made floats in registers, scales before the loop over them."""

from typing import Any

import pytest
from tvm import tirx

from tvmfuse import ops
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, Machine

N = tirx.Var("n", "int64")
BLOCKS, BLOCK, COLUMNS = 4, 32, 96


def lowered(
    lab: Any, rows: Any, bits: int, panel: int = COLUMNS, depth: int = 128, missing: int = 0
) -> Any:
    size, columns = BLOCK * bits // 32, COLUMNS - missing if missing else 0
    panels = [] if panel == COLUMNS else [COLUMNS // panel]
    return lab.lowered(
        lambda *x: ops.matmul_nbits(*x, bits=bits, block_size=BLOCK, columns=columns),
        ((rows, depth), "float32"),
        ((*panels, BLOCKS, size, panel), "uint32"),
        ((*panels, BLOCKS, panel), "float32"),
        ((*panels, -(-BLOCKS * bits // 8), panel), "uint8"),
    )


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("rows", "bits", "panel", "depth", "missing", "n"),
    [
        (13, 2, COLUMNS, 128, 0, 1),
        (7, 8, 16, 128, 0, 1),
        (1, 4, 48, 128, 0, 1),
        (1, 4, 32, 128, 7, 1),
        (N, 4, 48, 128, 0, 1),
        (N, 4, 16, 128, 3, 29),
        (20, 4, 32, 116, 0, 1),
    ],
)
def test_numbers_stay(
    lab: Any, rows: Any, bits: int, panel: int, depth: int, missing: int, n: int
) -> None:
    lab.assert_same_numbers(lowered(lab, rows, bits, panel, depth, missing), n=n)


def assembly(lab: Any, machine: Machine, rows: int, panel: int = 48) -> str:
    module = schedule(lowered(lab, rows, 4, panel), machine.target).module
    (function,) = lab.kernels(module).values()
    return str(lab.assembly(function, machine))


@pytest.mark.parametrize(
    ("machine", "register", "panel"),
    [(AVX2, "ymm", 16), (AVX512, "zmm", 48)],
    ids=["avx2", "avx512"],
)
def test_one_row_has_no_matrix_of_floats_and_no_gathers(
    lab: Any, machine: Machine, register: str, panel: int
) -> None:
    code = assembly(lab, machine, 1, panel)
    assert "gather" not in code
    assert "TVMBackendAllocWorkspace" not in code
    multiplied = [line for line in code.splitlines() if "vfmadd" in line]
    assert multiplied
    assert all(register in line for line in multiplied)
    # A number of few bits is masked and subtracted from, and shifted with half a word.
    assert code.count("vcvtdq2ps") * 8 <= len(multiplied)
    assert code.count("vpsrld") * 8 <= len(multiplied)
    # Scales multiply sums over blocks.
    assert "vmulps" not in code


@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=["avx2", "avx512"])
def test_many_rows_have_a_panel_of_floats(lab: Any, machine: Machine) -> None:
    code = assembly(lab, machine, 64)
    loop = lab.hottest_block(code, "vfmadd")
    assert any("vpsr" in line for line in code.splitlines())
    assert not any("vpsr" in line or "vsub" in line or "vadd" in line for line in loop)
