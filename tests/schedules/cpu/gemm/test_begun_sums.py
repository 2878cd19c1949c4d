"""schedules.cpu.gemm.begun_sums: sums of integers begin with what would be added in the end."""

from typing import Any

import pytest
from tvm import relax
from tvm.target import Target

from tvmfuse.ops import gemm
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, Machine
from tvmfuse.target.resolve import resolve

HERE = Machine.of(resolve("llvm"))
BYTES = (((13, 36), "uint8"), ((5, 9, 32, 4), "int8"), ((160,), "int32"))
REALS = (((13, 36), "float32"), ((5, 36, 32), "float32"), ((160,), "float32"))


def once(x: Any, w: Any, b: Any) -> Any:
    return relax.op.multiply(relax.op.add(gemm(x, w), b), b)


def swapped(x: Any, w: Any, b: Any) -> Any:
    return relax.op.negative(relax.op.add(b, gemm(x, w)))


def read_twice(x: Any, w: Any, b: Any) -> Any:
    sums = gemm(x, w)
    return relax.op.multiply(relax.op.add(sums, b), sums)


def additions(lab: Any, operator: Any, operands: Any) -> int:
    """Return how many additions are not a dot product's, of the whole kernel's loops."""
    target = Target({"kind": "llvm", "mcpu": "znver4"})
    (function,) = lab.kernels(schedule(lab.lowered(operator, *operands), target).module).values()
    code = lab.assembly(function, Machine.of(target))
    return int(code.count("vpaddd") + code.count("vaddps"))


@pytest.mark.parametrize("machine", [HERE, AVX2], ids=["here", "avx2"])
@pytest.mark.parametrize("operator", [once, swapped, read_twice])
@pytest.mark.parametrize("operands", [BYTES, REALS], ids=["bytes", "reals"])
def test_numbers_stay(lab: Any, machine: Machine, operator: Any, operands: Any) -> None:
    lab.assert_same_numbers(lab.lowered(operator, *operands), machine)


@pytest.mark.parametrize("operator", [once, swapped])
def test_nothing_is_added_in_the_end(lab: Any, operator: Any) -> None:
    assert additions(lab, operator, BYTES) == 0


def test_not_where_sums_are_read_twice(lab: Any) -> None:
    assert additions(lab, read_twice, BYTES) > 0


def test_not_of_reals_which_would_be_rounded_otherwise(lab: Any) -> None:
    assert additions(lab, once, REALS) > 0
