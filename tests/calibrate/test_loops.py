"""calibrate.loops: the machine code has the instructions that are counted, on whole vectors."""

import re
from pathlib import Path

import pytest

from tvmfuse import _tvm
from tvmfuse.calibrate import loops
from tvmfuse.target.machine import Machine
from tvmfuse.target.resolve import resolve


@pytest.mark.parametrize(
    ("cpu", "fma", "load"),
    [
        ("skylake", r"vfmadd\w+ps\t.*%ymm", r"vmovups\t.*\(.*%ymm"),
        ("tigerlake", r"vfmadd\w+ps\t.*%zmm", r"vmovups\t.*\(.*%zmm"),
        ("x86-64", r"mulps\t.*%xmm", r"movups\t.*\(.*%xmm"),
        ("neoverse-n1", r"fmla\tv\d+\.4s", r"ldr\tq\d+|ldp\tq\d+"),
    ],
)
def test_nothing_is_hoisted_merged_or_left_out(
    tmp_path: Path, cpu: str, fma: str, load: str
) -> None:
    target = resolve(cpu)
    (file := tmp_path / "loops.ll").write_text(loops.text(target))
    code = _tvm.llvm_from_ir(file).inspect_source("s")
    many = loops.independent(Machine.of(target))
    assert len(re.findall(fma, code)) == 2 * many + loops.CHAINED + loops.GROUPS
    assert len(re.findall(load, code)) >= loops.READ + loops.GROUPS
