"""schedules.cpu.gemm.row_pairs: what of AArch64 multiplies two rows by two columns.

Numbers are tested under an emulator: `tests/aarch64/test_row_pairs.py`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
import row_pairs
from tvm import IRModule, tirx
from tvm.relax import op as R

from tvmfuse import ops
from tvmfuse.errors import ConfigurationError
from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.plans import ContractionPlan
from tvmfuse.schedules.schedule import plan_kernel, schedule
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.target.machine import Machine
from tvmfuse.target.resolve import resolve

V1 = resolve("neoverse-v1")
BYTES, HALF = ("uint8", "int8", 8), (BFLOAT16, BFLOAT16, 4)
N = tirx.Var("n", "int64")
HERE = Machine.of(resolve("llvm"))

#: Instruction, that of one row, and the types of its operands.
INSTRUCTIONS = [("usmmla", "usdot", BYTES), ("bfmmla", "bfdot", HALF)]

WITHOUT = ScheduleSettings(disabled_steps=frozenset({"RowPairs"}))


def gemm(
    lab: Any, stored: Any, rows: Any = 66, columns: int = 48, *, terms: int = 768, width: int = 12
) -> IRModule:
    a, b, group = stored
    shapes = ((rows, terms), a), ((-(-columns // width), terms // group, width, group), b)
    module: IRModule = lab.lowered(lambda x, w: ops.gemm(x, w, columns=columns, wide=True), *shapes)
    return module


def conv(lab: Any, stored: Any, taps: int, step: int = 1) -> IRModule:
    a, b, group = stored
    window: dict[str, Any] = {"strides": [step] * 2, "padding": [taps // 2] * 4}
    module: IRModule = lab.lowered(
        lambda x, w: ops.conv_blocked(x, w, wide=True, dilation=[1, 1], **window),
        ((1, 16, 14, 14, 16), a),
        ((2, 16, taps, taps, 16 // group, 16, group), b),
    )
    return module


def planned(lab: Any, module: IRModule, settings: Any = None, target: Any = V1) -> ContractionPlan:
    (function,) = lab.kernels(module).values()
    nests = plan_kernel("kernel", function, target, settings).plan.nests
    found = [plan for nest in nests for plan in getattr(nest, "nests", (nest,))]
    return next(plan for plan in found if isinstance(plan, ContractionPlan))


def inner_loop(lab: Any, module: IRModule, name: str, settings: Any = None) -> list[list[str]]:
    """Return the instructions of the basic block with the most of one."""
    (function,) = lab.kernels(schedule(module, V1, settings).module).values()
    code = lab.assembly(function, Machine.of(V1))
    lines = [line.split("\t")[1:] for line in lab.hottest_block(code, f"\t{name}\t")]
    return [line for line in lines if line and not line[0].startswith(".")]


@pytest.mark.parametrize(("name", "half", "stored"), INSTRUCTIONS)
@pytest.mark.parametrize("width", [8, 12, 16])
def test_products_of_matrices_stay_in_registers(
    lab: Any, name: str, half: str, stored: Any, width: int
) -> None:
    assert_lean(inner_loop(lab, gemm(lab, stored, 60, width=width), name), name, half)


@pytest.mark.parametrize(("name", "half", "stored"), INSTRUCTIONS)
@pytest.mark.parametrize(("taps", "step"), [(1, 1), (3, 2)])
def test_products_of_pixels_stay_in_registers(
    lab: Any, name: str, half: str, stored: Any, taps: int, step: int
) -> None:
    assert_lean(inner_loop(lab, conv(lab, stored, taps, step), name), name, half)


def assert_lean(lines: list[list[str]], name: str, half: str) -> None:
    """Nothing is spilled, and a product takes two instructions: two of dot products take more."""
    end = next(place for place, line in enumerate(lines) if line[0].startswith("b."))
    found = Counter(line[0] for line in lines[: end + 1])
    assert found[name] >= 32
    assert not found[half]
    assert not [line for line in lines[:end] if "sp" in "".join(line[1:])]
    assert sum(count for one, count in found.items() if one.startswith("ld")) < found[name]
    assert end < 2 * found[name]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return how often instructions are written: they are arithmetic of this machine's here."""
    return row_pairs.installed(monkeypatch)


@pytest.mark.parametrize(("name", "half", "stored"), INSTRUCTIONS)
@pytest.mark.parametrize("rows", [1, 2, 3, 5, 12, 13, 31])
@pytest.mark.parametrize(("columns", "width"), [(48, 12), (41, 16), (10, 8)])
def test_numbers_of_any_size_stay(
    lab: Any, written: Counter[str], name: str, half: str, stored: Any, rows: int, columns: int,
    width: int,
) -> None:  # fmt: skip
    module = gemm(lab, stored, rows, columns, terms=40, width=width)
    lab.assert_same_numbers(module, Machine.of(V1), runs_on=HERE)
    assert set(written) == {name if rows > 1 else half}


@pytest.mark.parametrize(("name", "half", "stored"), INSTRUCTIONS)
@pytest.mark.usefixtures("written")
def test_numbers_of_rows_known_later_stay(lab: Any, name: str, half: str, stored: Any) -> None:
    module, each = gemm(lab, stored, N, 40, terms=48), [{"n": n} for n in (0, 1, 2, 7, 8, 30)]
    lab.assert_same_numbers(module, Machine.of(V1), runs_on=HERE, each=each)


@pytest.mark.parametrize(("taps", "step"), [(1, 1), (1, 2), (3, 1), (3, 2)])
@pytest.mark.parametrize(("name", "half", "stored"), INSTRUCTIONS)
def test_numbers_of_pixels_stay(
    lab: Any, written: Counter[str], name: str, half: str, stored: Any, taps: int, step: int
) -> None:
    lab.assert_same_numbers(conv(lab, stored, taps, step), Machine.of(V1), runs_on=HERE)
    assert set(written) == {name}


@pytest.mark.parametrize(
    "change",
    [
        {"mr": 1}, {"mr": 7, "nr": 4}, {"mr": 4, "nr": 16}, {"lanes": 2}, {"lanes": 1, "nr": 3},
        {"k_blocks": 3}, {"row_strip": 18}, {"row_pairs": False}, {"k_unroll": 8, "max_fmas": 999},
        {"mr": 30, "nr": 24},
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("stored", [BYTES, HALF], ids=["bytes", "half"])
@pytest.mark.usefixtures("written")
def test_whatever_plan_fits_the_numbers_are_right(lab: Any, stored: Any, change: Any) -> None:
    module = gemm(lab, stored, 31, terms=96)
    ((name, function),) = lab.kernels(module).items()
    plan: Any = plan_kernel(name, function, V1).plan
    (nest,) = plan.nests
    nest = replace(nest, prefetch=(), **change)
    changed = KernelPlan.of(plan.schedule, frozenset(), (nest,))
    settings = ScheduleSettings.of(plans={name: changed})
    lab.assert_same_numbers(module, Machine.of(V1), runs_on=HERE, settings=settings)


@pytest.mark.usefixtures("written")
@pytest.mark.parametrize("stored", [BYTES, HALF], ids=["bytes", "half"])
def test_an_epilogue_and_begun_sums_stay(lab: Any, stored: Any) -> None:
    a, b, group = stored
    module = lab.lowered(
        lambda x, w, c, d: R.add(R.nn.relu(R.add(ops.gemm(x, w, wide=True), c)), d),
        ((13, 32), a),
        ((2, 32 // group, 12, group), b),
        *[((24,), "int32" if stored is BYTES else "float32")] * 2,
    )
    assert planned(lab, module).row_pairs
    lab.assert_same_numbers(module, Machine.of(V1), runs_on=HERE)


@pytest.mark.usefixtures("written")
def test_the_step_can_be_left_out(lab: Any) -> None:
    """Rows are multiplied one by one then, by what takes half of a word."""
    module = gemm(lab, BYTES)
    (decision,) = schedule(module, V1).report.decisions.values()
    assert "RowPairs" in decision.plan.steps
    assert "two rows at a time" in decision.plan.nests[0].words
    (decision,) = schedule(module, V1, WITHOUT).report.decisions.values()
    assert "RowPairs" not in decision.plan.steps
    lab.assert_same_numbers(module, Machine.of(V1), runs_on=HERE, settings=WITHOUT)


@pytest.mark.parametrize(("name", "stored"), [("sudot", BYTES), ("bfdot", HALF)])
def test_without_it_there_are_dot_products(lab: Any, name: str, stored: Any) -> None:
    """LLVM turns `usdot` round, so that a lane of the rows is an operand."""
    found = Counter(line[0] for line in inner_loop(lab, gemm(lab, stored), name, WITHOUT))
    assert found[name] >= 24


def test_one_row_is_multiplied_by_dot_products(lab: Any) -> None:
    assert not planned(lab, gemm(lab, BYTES, 1)).row_pairs
    assert planned(lab, gemm(lab, BYTES, 2)).row_pairs
    assert planned(lab, gemm(lab, BYTES, N)).row_pairs


def test_a_plan_for_other_words_is_an_error(lab: Any) -> None:
    a, b, _ = BYTES
    module = lab.lowered(lambda x, w: ops.gemm(x, w), ((8, 32), a), ((2, 8, 12, 4), b))
    ((name, function),) = lab.kernels(module).items()
    plan: Any = plan_kernel(name, function, V1).plan
    given = replace(plan, nests=(replace(plan.nests[0], row_pairs=True),))
    words = "row_pairs: expected false, as no instruction multiplies two such rows, found true"
    with pytest.raises(ConfigurationError, match=words):
        schedule(module, V1, ScheduleSettings.of(plans={name: given}))
