"""schedules.cpu.words: planes of bytes that are interleaved are written word by word."""

from typing import Any

import numpy as np
import pytest
from tvm import IRModule, te, tirx
from tvm.target import Target

from tvmfuse.schedules.plans import PointwisePlan
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, SSE2, Machine
from tvmfuse.target.resolve import resolve

HERE = Machine.of(resolve("llvm"))
W = te.var("w", "int64")

#: The loops of words: there is none over their bytes.
WORDS = ("i*j",)


def interleaved(
    lab: Any,
    height: int,
    width: Any,
    planes: int = 3,
    dtype: str = "uint8",
    *,
    size: int = 4,
    there: int | None = None,
) -> Any:
    """Return a kernel that quantizes planes and interleaves them, with zeros where there is none."""
    x, limits = te.placeholder((planes, height, width), name="x"), np.iinfo(dtype)

    def byte(*at: Any) -> Any:
        low, high = (tirx.const(float(bound), "float32") for bound in (limits.min, limits.max))
        steps = tirx.round(x(*at) / tirx.const(0.0467, "float32")) + tirx.const(-7.0, "float32")
        return tirx.max(tirx.min(steps, high), low).astype(dtype)

    bytes_ = te.compute(x.shape, byte, name="bytes")

    def pixel(i: Any, j: Any, c: Any) -> Any:
        found = bytes_(c if there is None else tirx.const(0, "int64"), i, j)
        if planes == size:
            return found
        return tirx.if_then_else(c < (there or planes), found, tirx.const(0, dtype))

    pixels = te.compute((height, width, size), pixel, name="pixels")
    return IRModule({"main": lab.function_of(x, pixels)})


@pytest.mark.sampled(4)
@pytest.mark.parametrize("machine", [HERE, AVX2, SSE2], ids=["here", "avx2", "sse2"])
@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_numbers_stay(lab: Any, machine: Machine, dtype: str) -> None:
    for height, width in ((1, 1), (3, 3), (3, 5), (7, 16), (4, 33), (1, 100)):
        for planes in (1, 3, 4):
            module = interleaved(lab, height, width, planes, dtype)
            lab.assert_same_numbers(module, machine)


def nests(lab: Any, module: Any) -> Any:
    target = Target({"kind": "llvm", "mcpu": "znver4"})
    (decision,) = schedule(module, target).report.decisions.values()
    return decision.plan.nests


def test_a_vector_of_pixels_is_one_store(lab: Any) -> None:
    """Their bytes are computed where they are written, each once."""
    module = interleaved(lab, 224, 224)
    (nest,) = nests(lab, module)
    assert isinstance(nest, PointwisePlan)
    assert (nest.lanes, nest.order) == (16, WORDS)
    target = Target({"kind": "llvm", "mcpu": "znver4"})
    function = schedule(module, target).module["main"]
    code = lab.hottest_block(lab.assembly(function, Machine.of(target)), "vcvtps2dq")
    stores = sum(line.lstrip().startswith("vmov") and line.endswith(")") for line in code)
    assert sum("vcvtps2dq" in line for line in code) == 3 * stores > 0
    assert not any("vpextr" in line or "movb" in line for line in code)


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("three bytes are no word", {"size": 3}),
        ("a plane is read twice", {"planes": 1, "there": 3}),
        ("a size is known later", {"width": W}),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_others_are_written_byte_by_byte(lab: Any, case: str, said: Any) -> None:
    given = {"height": 9, "width": 20, **said}
    module = interleaved(lab, **given)
    lab.assert_same_numbers(module, HERE, w=20)
    assert [nest.order for nest in nests(lab, module)] != [WORDS]


def test_booleans_are_no_bytes_of_a_word(lab: Any) -> None:
    """Rows of a mask that are four wide: LLVM does not take four words for sixteen booleans."""
    a, b = te.placeholder((9, 1), name="a"), te.placeholder((4,), name="b")
    below = te.compute((9, 4), lambda i, j: a[i, 0] < b[j], name="below")
    module = IRModule({"main": lab.function_of(a, b, below)})
    lab.assert_same_numbers(module, HERE)
    assert [nest.order for nest in nests(lab, module)] != [WORDS]
