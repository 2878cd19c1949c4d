"""schedules.cpu.narrow: sums of products are rounded to bfloat16 by one instruction."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tvm
import tvm_ffi
from tvm import IRModule, te, tirx
from tvm.tirx import AttrStmt

from tvmfuse.ir.bfloat16 import cast_to_bfloat16
from tvmfuse.schedules.cpu.narrow import narrowed, narrowed_lanes
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, ZEN4, Machine
from tvmfuse.target.resolve import this_machine

ROWS, COLUMNS = 5, 48
HERE = this_machine()
TINY = np.finfo("float32").tiny

#: Ties to even and to odd, what is rounded to an infinity, NaN with either sign and with digits in
#: the lower half alone, and denormals.
NUMBERS = np.linspace(-9, 9, ROWS * COLUMNS).astype("float32").reshape(ROWS, COLUMNS)
NUMBERS[0, :9] = [
    1 + 2**-8,
    1 + 3 * 2**-8,
    -1 - 2**-8,
    3.4e38,
    np.inf,
    -np.inf,
    np.nan,
    -0.0,
    1e-38,
]
NUMBERS[0, 9:12] = np.array([0xFF800001, 0x7FFFFFFF, 0x007FFFFF], "uint32").view("float32")


def product(
    *,
    joined: Any = te.sum,
    times: bool = True,
    cast: Any = cast_to_bfloat16,
    columns: int = COLUMNS,
) -> IRModule:
    """Return a matrix product, or another sum, that is rounded."""
    a, b = te.placeholder((ROWS, 2), name="a"), te.placeholder((2, columns), name="b")
    k = te.reduce_axis((0, 2))

    def term(i: Any, j: Any) -> Any:
        return a[i, k] * b[k, j] if times else a[i, k] + b[k, j]

    sums = te.compute((ROWS, columns), lambda i, j: joined(term(i, j), k), name="sums")
    half = te.compute((ROWS, columns), lambda i, j: cast(sums[i, j]), name="half")
    return IRModule({"main": te.create_prim_func([a, b, half])})


def code(lab: Any, module: IRModule, machine: Machine) -> str:
    assembly: str = lab.assembly(schedule(module, machine.target).module["main"], machine)
    return assembly


def plain(x: Any) -> Any:
    return x.astype("bfloat16")


@pytest.mark.parametrize("cast", [cast_to_bfloat16, plain])
def test_one_instruction_rounds_a_sum_of_products(lab: Any, cast: Any) -> None:
    assembly = code(lab, product(cast=cast), ZEN4)
    assert "vcvtneps2bf16" in assembly
    assert not any(name in assembly for name in ("vpmovdw", "vpsrld", "vcmpunord"))


@pytest.mark.parametrize("machine", [AVX2, AVX512])
def test_arithmetic_does_where_there_is_no_such_instruction(lab: Any, machine: Machine) -> None:
    assert narrowed_lanes(machine) == ()
    assert "vcvtneps2bf16" not in code(lab, product(), machine)
    assert narrowed_lanes(ZEN4) == (16, 8)


@pytest.mark.parametrize("how", [{"joined": te.max}, {"times": False}], ids=["maxima", "sums"])
def test_other_results_keep_denormals(lab: Any, how: dict[str, Any]) -> None:
    assert "vcvtneps2bf16" not in code(lab, product(**how), ZEN4)


def test_other_casts_stay() -> None:
    x = tirx.Var("x", "float32")
    assert narrowed(x).same_as(x)
    other = x.astype("float16")
    assert narrowed(other).same_as(other)
    of_integers = tirx.Var("n", "int32").astype("bfloat16")
    assert narrowed(of_integers).same_as(of_integers)


@pytest.mark.parametrize("machine", [HERE, AVX2], ids=["here", "avx2"])
@pytest.mark.parametrize("columns", [COLUMNS, 43])
def test_numbers(lab: Any, machine: Machine, columns: int) -> None:
    """Each result is a number, plus 0; those behind the last vector are rounded by arithmetic."""
    function = schedule(product(columns=columns), machine.target).module["main"]
    run, given = lab.runnable(function, machine), NUMBERS[:, :columns]
    with np.errstate(invalid="ignore"):
        expected = given.astype(ml_dtypes.bfloat16).astype("float32")
    if narrowed_lanes(machine):
        expected = np.where(np.abs(given) < TINY, np.float32(0), expected)
    for nth in range(ROWS):
        a = np.tile(np.array([1, 0], "float32"), (ROWS, 1))
        b = np.stack([given[nth], np.zeros(columns, "float32")])
        found = tvm.runtime.tensor(np.ones((ROWS, columns), "bfloat16"))
        run(tvm.runtime.tensor(a), tvm.runtime.tensor(b), found)
        numbers = found.numpy().astype("float32")
        np.testing.assert_array_equal(numbers, np.tile(expected[nth], (ROWS, 1)))


def test_a_kernel_may_have_the_functions_twice(lab: Any) -> None:
    function = schedule(product(), ZEN4.target).module["main"]
    texts = [n.value for n in attributes(function) if n.attr_key == "pragma_import_llvm"]
    assert len(texts) == 1
    twice = AttrStmt(tirx.const(0, "int64"), "pragma_import_llvm", texts[0], function.body)
    assert "vcvtneps2bf16" in lab.assembly(function.with_body(twice), ZEN4)


def attributes(function: tirx.PrimFunc) -> list[AttrStmt]:
    found: list[AttrStmt] = []
    tvm_ffi.structural_walk(function.body, (AttrStmt, found.append))
    return found
