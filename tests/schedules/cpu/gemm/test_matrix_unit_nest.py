"""schedules.cpu.gemm.matrix_unit_nest: sums of products on a CPU's matrix unit."""

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import matrix_unit
import numpy as np
import pytest
import tvm
from tvm import IRModule, tirx
from tvm.relax import op as R

from tvmfuse import ops
from tvmfuse.errors import ConfigurationError
from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.schedules.kernel_plan import KernelPlan
from tvmfuse.schedules.plans import ContractionPlan, MatrixUnitPlan
from tvmfuse.schedules.schedule import plan_kernel, schedule
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.target.machine import GRANITE_RAPIDS, SAPPHIRE_RAPIDS, ZEN4, Machine
from tvmfuse.target.resolve import resolve

BYTES, HALF = ("uint8", "int8", 4), (BFLOAT16, BFLOAT16, 2)
N = tirx.Var("n", "int64")
HERE = Machine.of(resolve("llvm"))


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return how often each instruction ran: they are functions that do the same here."""
    return matrix_unit.installed(monkeypatch)


def gemm(
    lab: Any, stored: Any, rows: Any, columns: int = 64, *, terms: int = 64, width: int = 32
) -> IRModule:
    """Return the kernel of a product with panels, and of what ends it."""
    a, b, group = stored
    shapes = ((rows, terms), a), ((-(-columns // width), terms // group, width, group), b)
    wide = stored is HALF
    module: IRModule = lab.lowered(
        lambda x, w, c: R.nn.relu(R.add(ops.gemm(x, w, columns=columns, wide=wide), c)),
        *shapes,
        ((columns,), "float32" if wide else "int32"),
    )
    return module


def conv(
    lab: Any, stored: Any, blocks: int, taps: int = 3, *, step: int = 1, channels: int = 16,
    width: Any = 21, padding: int = 1,
) -> IRModule:  # fmt: skip
    """Return the kernel of a convolution of two blocks of channels."""
    a, b, group = stored
    window: dict[str, Any] = {"strides": [step] * 2, "padding": [padding] * 4, "dilation": [1, 1]}
    module: IRModule = lab.lowered(
        lambda x, w: ops.conv_blocked(x, w, wide=True, **window),
        ((1, 2, 9, width, channels), a),
        ((blocks, 2, taps, taps, channels // group, 16, group), b),
    )
    return module


def plan_of(lab: Any, module: IRModule, machine: Machine = SAPPHIRE_RAPIDS) -> Any:
    (function,) = lab.kernels(module).values()
    nests = plan_kernel("kernel", function, machine.target).plan.nests
    found = [plan for nest in nests for plan in getattr(nest, "nests", (nest,))]
    return next(p for p in found if isinstance(p, MatrixUnitPlan | ContractionPlan))


@pytest.mark.parametrize("stored", [BYTES, HALF], ids=["bytes", "half"])
@pytest.mark.parametrize("rows", [2, 15, 16, 17, 31, 32, 33, 48, 129, 290])
def test_numbers_of_any_rows_stay(lab: Any, ran: Counter[str], stored: Any, rows: int) -> None:
    lab.assert_same_numbers(gemm(lab, stored, rows), SAPPHIRE_RAPIDS, runs_on=HERE)
    assert (
        ran["tdpbusd" if stored is BYTES else "tdpbf16ps"]
        == 2 * -(-rows // 16) * (1 if stored is BYTES else 2) * 2
    )


@pytest.mark.parametrize("stored", [BYTES, HALF], ids=["bytes", "half"])
def test_numbers_of_rows_that_are_known_later_stay(
    lab: Any, ran: Counter[str], stored: Any
) -> None:
    sizes = [{"n": n} for n in (0, 1, 7, 16, 31, 32, 50, 128, 131)]
    lab.assert_same_numbers(gemm(lab, stored, N), SAPPHIRE_RAPIDS, runs_on=HERE, each=sizes)
    assert ran["ldtilecfg"] > len(sizes)


@pytest.mark.parametrize(("columns", "width"), [(157, 32), (161, 32), (24, 32), (48, 16), (80, 64)])
@pytest.mark.usefixtures("ran")
def test_numbers_of_any_columns_stay(lab: Any, columns: int, width: int) -> None:
    """Panels are filled up to whole tiles; what is not there is not stored."""
    for stored in (BYTES, HALF):
        module = gemm(lab, stored, 37, columns, width=width)
        assert isinstance(plan_of(lab, module), MatrixUnitPlan)
        lab.assert_same_numbers(module, SAPPHIRE_RAPIDS, runs_on=HERE)


@pytest.mark.parametrize(("terms", "words"), [(64, 16), (36, 9), (80, 10), (272, 4), (24, 6)])
def test_a_product_takes_as_many_words_as_divide_the_sum(
    lab: Any, ran: Counter[str], terms: int, words: int
) -> None:
    lab.assert_same_numbers(gemm(lab, BYTES, 16, 32, terms=terms), SAPPHIRE_RAPIDS, runs_on=HERE)
    assert ran["tdpbusd"] == 2 * terms // 4 // words


@pytest.mark.parametrize("stored", [BYTES, HALF], ids=["bytes", "half"])
@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        (2, {}),
        (3, {"taps": 1, "padding": 0}),
        (4, {"step": 2}),
        (1, {"taps": 1, "padding": 0, "width": 64}),
        (2, {"channels": 32, "taps": 2}),
        (2, {"width": N}),
    ],
    ids=str,
)
@pytest.mark.usefixtures("ran")
def test_numbers_of_convolutions_stay(
    lab: Any, stored: Any, blocks: int, said: dict[str, Any]
) -> None:
    module = conv(lab, stored, blocks, **said)
    plan = plan_of(lab, module)
    assert isinstance(plan, MatrixUnitPlan)
    assert plan.blocks == (2 if blocks % 2 == 0 else 1)
    lab.assert_same_numbers(module, SAPPHIRE_RAPIDS, runs_on=HERE, n=23)


@pytest.mark.parametrize(("height", "width"), [(28, 28), (7, 7), (9, N)], ids=str)
@pytest.mark.usefixtures("ran")
def test_bytes_that_end_as_bytes_stay(lab: Any, height: int, width: Any) -> None:
    """Strips of 128 pixels leave 16 of 784, and 49 are one; a block's epilogue reads another's."""

    def product(x: Any, w: Any, addend: Any, scale: Any, other: Any) -> Any:
        sums = ops.conv_blocked(x, w, strides=[1] * 2, padding=[0] * 4, dilation=[1] * 2)
        made = ops.requantize(sums, addend, scale, zero_point=7, low=0, high=255, dtype="uint8")
        return R.add(R.astype(made, "float32"), R.astype(other, "float32"))

    module = lab.lowered(
        product,
        ((1, 3, height, width, 16), "uint8"),
        ((4, 3, 1, 1, 4, 16, 4), "int8"),
        ((4, 1, 1, 16), "int32"),
        ((4, 1, 1, 16), "float32"),
        ((1, 4, height, width, 16), "uint8"),
    )
    assert isinstance(plan_of(lab, module), MatrixUnitPlan)
    lab.assert_same_numbers(module, SAPPHIRE_RAPIDS, runs_on=HERE, n=43)


@pytest.mark.usefixtures("ran")
def test_numbers_in_threads_stay(lab: Any) -> None:
    """Registers are a thread's own: each piece of a loop gives them their sizes."""
    module = gemm(lab, BYTES, 512, 256, terms=256)
    assert plan_of(lab, module).parallel
    lab.assert_same_numbers(module, SAPPHIRE_RAPIDS, runs_on=HERE)


@pytest.mark.parametrize("least", [-128, 127])
@pytest.mark.usefixtures("ran")
def test_sums_of_bytes_are_exact_at_their_ends(lab: Any, least: int) -> None:
    module = lab.lowered(
        lambda x, w: ops.gemm(x, w), ((33, 512), "uint8"), ((1, 128, 32, 4), "int8")
    )
    scheduled = schedule(module, SAPPHIRE_RAPIDS.target).module
    (function,) = lab.kernels(scheduled).values()
    a, b = np.full((33, 512), 255, "uint8"), np.full((1, 128, 32, 4), least, "int8")
    found = tvm.runtime.tensor(np.zeros((33, 32), "int32"))
    lab.runnable(function, HERE)(tvm.runtime.tensor(a), tvm.runtime.tensor(b), found)
    assert (found.numpy() == 255 * least * 512).all()


@pytest.mark.usefixtures("ran")
def test_what_is_not_finite_stays_in_its_row(lab: Any) -> None:
    module = lab.lowered(
        lambda x, w: ops.gemm(x, w, wide=True), ((20, 64), BFLOAT16), ((1, 32, 32, 2), BFLOAT16)
    )
    scheduled = schedule(module, SAPPHIRE_RAPIDS.target).module
    (function,) = lab.kernels(scheduled).values()
    a = np.ones((20, 64), BFLOAT16)
    a[3, 5], a[17, 0], a[18, 63] = np.nan, np.inf, -np.inf
    found = tvm.runtime.tensor(np.zeros((20, 32), "float32"))
    ones = tvm.runtime.tensor(np.ones((1, 32, 32, 2), BFLOAT16))
    lab.runnable(function, HERE)(tvm.runtime.tensor(a), ones, found)
    expected = np.full((20, 32), 64, "float32")
    expected[3], expected[17], expected[18] = np.nan, np.inf, -np.inf
    np.testing.assert_array_equal(found.numpy(), expected)


@pytest.mark.parametrize(
    "changes",
    [
        {"mr": 16, "nr": 64},
        {"mr": 16, "nr": 16, "strip_tiles": 1},
        {"mr": 48, "nr": 16, "strip_tiles": 2},
        {"parallel": False},
    ],
    ids=str,
)
@pytest.mark.usefixtures("ran")
def test_any_plan_that_fits_has_the_same_numbers(lab: Any, changes: dict[str, Any]) -> None:
    module = gemm(lab, BYTES, 77, 128, width=64)
    (name,) = lab.kernels(module)
    plan = KernelPlan("matmul", (), (replace(plan_of(lab, module), **changes),))
    settings = ScheduleSettings(plans={name: plan})
    lab.assert_same_numbers(module, SAPPHIRE_RAPIDS, runs_on=HERE, settings=settings)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"mr": 24}, "mr: expected a multiple of 16, found 24"),
        ({"mr": 32, "nr": 64}, "registers of 16 x 16, found 32 x 64"),
        ({"blocks": 3}, "blocks: expected a divisor of 2"),
        ({"strip_tiles": 0}, "strip_tiles: expected 1 to 1024, found 0"),
        ({"row": "k"}, "row: expected i0, found k"),
    ],
    ids=str,
)
def test_a_plan_that_does_not_fit_is_refused(lab: Any, changes: dict[str, Any], words: str) -> None:
    module = gemm(lab, BYTES, 77, 128, width=64)
    (name,) = lab.kernels(module)
    plan = KernelPlan("matmul", (), (replace(plan_of(lab, module), **changes),))
    with pytest.raises(ConfigurationError, match=re.escape(words)):
        schedule(module, SAPPHIRE_RAPIDS.target, ScheduleSettings(plans={name: plan}))


@pytest.mark.parametrize(
    ("machine", "rows", "terms", "width"),
    [
        pytest.param(ZEN4, 77, 64, 32, id="no unit"),
        pytest.param(SAPPHIRE_RAPIDS, 1, 64, 32, id="one row"),
        pytest.param(SAPPHIRE_RAPIDS, 77, 68, 32, id="17 words, which 1 divides alone"),
        pytest.param(SAPPHIRE_RAPIDS, 77, 64, 24, id="panels that are no whole tiles"),
    ],
)
def test_other_products_are_of_vectors(
    lab: Any, machine: Machine, rows: int, terms: int, width: int
) -> None:
    module = gemm(lab, BYTES, rows, 2 * width, terms=terms, width=width)
    assert isinstance(plan_of(lab, module, machine), ContractionPlan)


def test_the_step_can_be_left_out(lab: Any) -> None:
    module = gemm(lab, BYTES, 77)
    settings = ScheduleSettings(disabled_steps=frozenset({"MatrixUnit"}))
    decision, *_ = schedule(module, SAPPHIRE_RAPIDS.target, settings).report.decisions.values()
    assert "MatrixUnit" not in decision.plan.steps
    assert isinstance(decision.plan.nests[0], ContractionPlan)


@pytest.mark.parametrize("machine", [SAPPHIRE_RAPIDS, GRANITE_RAPIDS], ids=lambda m: m.name)
@pytest.mark.parametrize(
    ("stored", "instruction"), [(BYTES, "tdpbusd"), (HALF, "tdpbf16ps")], ids=str
)
def test_the_innermost_loop_is_of_tiles(
    lab: Any, machine: Machine, stored: Any, instruction: str
) -> None:
    """Each tile that is loaded is used twice, and no sum leaves its register in between."""
    module = schedule(gemm(lab, stored, 128, 768, terms=768), machine.target).module
    (function,) = lab.kernels(module).values()
    loop = lab.hottest_block(lab.assembly(function, machine), instruction)
    assert _count(loop, instruction) == _count(loop, "tileload") >= 4
    assert _count(loop, "tilestore") <= 4
    *_, last = (n for n, line in enumerate(loop) if instruction in line)
    assert not _count(loop[:last], "tilestore")


def test_a_convolution_s_innermost_loop_is_of_tiles(lab: Any) -> None:
    """Of 56 pixels 32 are two tiles, and what is left is one and a half: 24."""
    module = schedule(conv(lab, BYTES, 4, width=56), SAPPHIRE_RAPIDS.target).module
    (function,) = lab.kernels(module).values()
    code = lab.assembly(function, SAPPHIRE_RAPIDS)
    loop = lab.hottest_block(code, "tdpbusd")
    assert _count(loop, "tdpbusd") >= 4
    assert _count(loop, "tileload") <= 1.5 * _count(loop, "tdpbusd")
    assert "vpdpbusd" not in code


def _count(code: list[str], instruction: str) -> int:
    return sum(instruction in line for line in code)
