"""Products in blocks of integers: exact dot products, floats once a block, no more columns stored."""

from typing import Any

import pytest
from tvm import relax, tirx
from tvm.relax.op import nn

from tvmfuse import ops
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SSE2, ZEN4, Machine

N = tirx.Var("n", "int64")
BLOCKS = 3


def lowered(
    lab: Any, rows: Any, columns: int, bits: int = 4, block: int = 32, panel: int = 16
) -> Any:
    """Return a product with zero points, a bias and an activation."""
    panels, words = -(-columns // panel), block * bits // 32

    def operator(*given: Any) -> Any:
        a, stored = relax.Tuple(given[:3]), given[3:]
        return nn.relu(ops.integer_matmul_nbits(a, *stored, bits=bits, columns=columns))

    rows = rows if isinstance(rows, tuple) else (rows,)
    return lab.lowered(
        operator,
        ((*rows, BLOCKS, block), "int8"),
        ((*rows, BLOCKS), "float32"),
        ((*rows, BLOCKS), "float32"),
        ((panels, BLOCKS, words, panel), "uint32"),
        ((panels, BLOCKS, panel), "float32"),
        ((panels, -(-BLOCKS * bits // 8), panel), "uint8"),
        ((columns,), "float32"),
    )


@pytest.mark.parametrize(
    ("rows", "columns", "bits", "block", "n"),
    [
        (1, 32, 4, 32, 1),
        (13, 45, 4, 16, 1),
        (7, 16, 2, 64, 1),
        (5, 35, 2, 16, 1),
        ((2, N), 29, 4, 32, 7),
        (N, 29, 4, 128, 1),
    ],
)
@pytest.mark.sampled(3)
def test_numbers_stay(lab: Any, rows: Any, columns: int, bits: int, block: int, n: int) -> None:
    scheduled = lab.assert_same_numbers(lowered(lab, rows, columns, bits, block), n=n)
    (decision,) = scheduled.report.decisions.values()
    assert decision.plan.schedule == "block_dots"


@pytest.mark.parametrize(
    ("machine", "multiplies", "widens"),
    [(AVX2, "vpmaddubsw", "vpmaddwd"), (AVX512, "vpmaddubsw", "vpmaddwd"), (ZEN4, "vpdpbusd", "")],
    ids=lambda value: getattr(value, "name", value),
)
@pytest.mark.parametrize("rows", [1, 64])
def test_instructions_multiply_whole_vectors(
    lab: Any, machine: Machine, multiplies: str, widens: str, rows: int
) -> None:
    panel = machine.isa.registers // 8 * machine.isa.float_lanes
    module = schedule(lowered(lab, rows, 4 * panel, panel=panel), machine.target).module
    (function,) = lab.kernels(module).values()
    code = str(lab.assembly(function, machine))
    register = {8: "ymm", 16: "zmm"}[machine.isa.float_lanes]
    lines = [line for line in code.splitlines() if multiplies in line]
    assert lines
    assert all(register in line for line in lines)
    assert "vpmulld" not in code
    assert "TVMBackendAllocWorkspace" not in code
    if widens:
        # Eight steps of four bits by bytes fit sixteen.
        assert 8 * code.count(widens) == len(lines)


@pytest.mark.parametrize(
    ("machine", "bits", "panel", "why"),
    [
        (SSE2, 4, 16, "the machine has no dot product of bytes that is exact for it"),
        (AVX2, 8, 16, "the machine has no dot product of bytes that is exact for it"),
        (AVX512, 4, 24, "its panels are no whole vectors"),
    ],
    ids=["no instruction", "it would be clipped", "half a vector"],
)
def test_it_declines(lab: Any, machine: Machine, bits: int, panel: int, why: str) -> None:
    report = schedule(lowered(lab, 7, 48, bits, panel=panel), machine.target).report
    (decision,) = report.decisions.values()
    assert decision.declined["block_dots"] == why
