"""schedules.cpu.lookup: vectors of bytes are looked up, on ragged and symbolic sizes."""

from typing import Any

import numpy as np
import pytest
import tvm
from tvm import IRModule, te, tirx
from tvm.target import Target

from tvmfuse.ops import lookup
from tvmfuse.schedules.plans import PointwisePlan
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SSE2, ZEN4, Machine

N, M = tirx.Var("n", "int64"), tirx.Var("m", "int64")
MACHINES = [SSE2, AVX2, AVX512, ZEN4]
TABLE = np.random.default_rng(0).permutation(256).astype("uint8")


def kernel(lab: Any, *shape: Any, dtype: str = "uint8", to: str = "uint8") -> Any:
    """Return the kernel of a lookup of bytes."""
    module = lab.lowered(lambda x: lookup(x, TABLE.view(to)), (shape, dtype), fuse=False)
    (function,) = lab.kernels(module).values()
    return function


def scheduled(function: Any, machine: Machine) -> Any:
    return schedule(IRModule({"main": function}), machine.target)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
@pytest.mark.parametrize("to", ["uint8", "int8"])
@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_looks_each_byte_up(lab: Any, machine: Machine, dtype: str, to: str) -> None:
    every = np.arange(256, dtype="uint8")
    for size in (0, 1, 31, 32, 63, 64, 65, 256, 1000):
        run = lab.runnable(
            scheduled(kernel(lab, 1, size, dtype=dtype, to=to), machine).module["main"], machine
        )
        x, found = np.resize(every, (1, size)), np.zeros((1, size), to)
        out = tvm.runtime.tensor(found)
        run(tvm.runtime.tensor(x.view(dtype)), tvm.runtime.tensor(TABLE.view(to)), out)
        np.testing.assert_array_equal(out.numpy(), TABLE[x].view(to))


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_sizes_known_later(lab: Any, machine: Machine) -> None:
    sizes = [{"n": n, "m": m} for n, m in ((0, 1), (1, 1), (3, 21), (2, 32), (5, 13), (7, 100))]
    module = IRModule({"main": kernel(lab, N, 3, M)})
    lab.assert_same_numbers(module, machine, each=sizes)


@pytest.mark.parametrize(
    ("mcpu", "instruction", "times"),
    [("znver4", "vpermi2b", 2), ("skylake-avx512", "vpshufb", 16), ("haswell", "vpshufb", 16)],
)
def test_instructions(lab: Any, mcpu: str, instruction: str, times: int) -> None:
    machine = Machine.of(Target({"kind": "llvm", "mcpu": mcpu}))
    found = scheduled(kernel(lab, 4, 4096), machine)
    assert found.report.decisions["main"].plan.schedule == "lookup"
    code = lab.assembly(found.module["main"], machine).replace("vpermt2b", "vpermi2b")
    block = "\n".join(lab.hottest_block(code, instruction))
    assert block.count(instruction) % times == 0 < block.count(instruction)  # LLVM may unroll
    assert "vpinsrb" not in block


def test_a_vector_is_what_the_instruction_takes(lab: Any) -> None:
    (plan,) = scheduled(kernel(lab, 4, 4096), ZEN4).report.decisions["main"].plan.nests
    assert plan == PointwisePlan(lanes=64, order=plan.order, parallel=plan.parallel)
    assert len(plan.order) == 1


def bytes_at(
    place: Any, *shape: Any, size: int = 256, dtype: str = "uint8", to: str = "uint8"
) -> Any:
    """Return a kernel that reads a table at places."""
    x = te.placeholder(shape, dtype, name="x")
    table = te.placeholder((size,), to, name="table")
    return te.create_prim_func([x, table, te.compute(shape, lambda *i: place(x, table, *i))])


def entry(x: Any, table: Any, *i: Any) -> Any:
    return table[x(*i).astype("int32")]


REFUSED = {
    "a table of other numbers": bytes_at(entry, 4, 100, to="float32"),
    "a longer table": bytes_at(entry, 4, 100, size=300),
    "places in 16 bits": bytes_at(entry, 4, 100, dtype="uint16"),
    "something else as well": bytes_at(
        lambda x, t, *i: entry(x, t, *i) + tirx.const(1, "uint8"), 4, 100
    ),
    "a place that is reckoned": bytes_at(lambda x, t, i, j: t[x[i, j].astype("int32") + 1], 4, 100),
}


def refusal(function: Any, machine: Machine) -> str | None:
    """Return why the schedule declines, None where it does not."""
    decision = scheduled(function, machine).report.decisions["main"]
    said: str | None = decision.declined.get("lookup")
    return said


@pytest.mark.parametrize("what", REFUSED)
def test_declines_what_is_no_lookup_of_bytes(what: str) -> None:
    assert refusal(REFUSED[what], ZEN4) == "it does not only look bytes up in a table of 256"


def test_declines_without_an_instruction(lab: Any) -> None:
    function = kernel(lab, 4, 100)
    assert refusal(function, SSE2) == "the machine looks no vectors of bytes up"
    assert refusal(function, AVX2) is None


def test_declines_bytes_that_change_places() -> None:
    x, table = te.placeholder((100, 4), "uint8"), te.placeholder((256,), "uint8")
    turned = te.compute((4, 100), lambda i, j: table[x[j, i].astype("int32")])
    function = te.create_prim_func([x, table, turned])
    assert refusal(function, ZEN4) == "the bytes do not lie in one piece, as their results do"
