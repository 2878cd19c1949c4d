"""schedules.cpu.gemm.dot_product: what AArch64 multiplies bytes and bfloat16 with.

Numbers are tested under an emulator: `tests/aarch64/test_products.py`.
"""

from __future__ import annotations

from typing import Any

import pytest

from tvmfuse import ops
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import Machine
from tvmfuse.target.resolve import resolve

ROWS, TERMS, WIDTH, PANELS = 64, 96, 16, 4

#: Instruction, a CPU that has it, and the types of its operands.
INSTRUCTIONS = [
    ("sdot", "neoverse-n1", "int8", "int8", 4),
    ("usdot", "neoverse-v1", "uint8", "int8", 4),
    ("bfdot", "neoverse-v1", "bfloat16", "bfloat16", 2),
]


def code(lab: Any, cpu: str, a: str, b: str, group: int) -> str:
    module = lab.lowered(
        lambda x, w: ops.gemm(x, w, wide=True),
        ((ROWS, TERMS), a),
        ((PANELS, TERMS // group, WIDTH, group), b),
    )
    target = resolve(cpu)
    (function,) = lab.kernels(schedule(module, target).module).values()
    assembly: str = lab.assembly(function, Machine.of(target))
    return assembly


@pytest.mark.parametrize(("name", "cpu", "a", "b", "group"), INSTRUCTIONS)
def test_one_instruction_multiplies_and_adds_what_stays_in_registers(
    lab: Any, name: str, cpu: str, a: str, b: str, group: int
) -> None:
    block = lab.hottest_block(code(lab, cpu, a, b, group), f"\t{name}\t")
    lines = [line.split("\t")[1:] for line in block if line.startswith("\t")]
    products = [line for line in lines if line[0] == name]
    loads = [line for line in lines if line[0].startswith("ld")]
    assert len(products) >= 24
    assert len(loads) < len(products)
    assert not [line for line in lines if line[0].startswith("st") or "sp" in "".join(line[1:])]


def test_sums_of_bfloat16_are_rounded_by_one_instruction(lab: Any) -> None:
    module = lab.lowered(
        lambda x, w: ops.gemm(x, w),
        ((ROWS, TERMS), "bfloat16"),
        ((PANELS, TERMS // 2, WIDTH, 2), "bfloat16"),
    )
    target = resolve("neoverse-v1")
    (function,) = lab.kernels(schedule(module, target).module).values()
    assert "\tbfcvtn\t" in lab.assembly(function, Machine.of(target))
