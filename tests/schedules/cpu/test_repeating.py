"""schedules.cpu.repeating: recurrent cells, a step at a time."""

from collections.abc import Sequence
from typing import Any

import pytest
from tvm import IRModule, te, tirx
from tvm.ir import Expr
from tvm.relax import op as R

from tvmfuse.ops import recurrence
from tvmfuse.ops.recurrence import Applied
from tvmfuse.schedules.cpu.repeating import repeating
from tvmfuse.schedules.plan_json import from_json, to_json
from tvmfuse.schedules.plans import ContractionPlan, RepeatingPlan
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.schedules.schedule import plan_kernel
from tvmfuse.target.machine import AVX2, AVX512, Machine
from tvmfuse.target.register_tile import best_size

F32, SIGMOID, TANH = "float32", Applied("sigmoid"), Applied("tanh")
ACTIVATIONS = {
    "lstm": (SIGMOID, TANH, TANH),
    "gru": (SIGMOID, TANH),
    "gru_linear": (SIGMOID, TANH),
    "rnn": (TANH,),
}
COLUMNS = {"lstm": (4, 4), "gru": (3, 2), "gru_linear": (3, 3), "rnn": (1, 1)}


def step(lab: Any, cell: str, steps: Any, batch: Any, size: int, panel: int = 0) -> IRModule:
    """Return the kernel of a cell; its weights in panels of so many columns, or by rows."""
    of_sequence, of_state = (gates * size for gates in COLUMNS[cell])

    def matrix(columns: int) -> Sequence[int]:
        return (columns // panel, size, panel) if panel else (size, columns)

    def call(x: Expr, lengths: Expr, weights: Expr, *candidate: Expr) -> Expr:
        return recurrence(
            x,
            weights,
            cell=cell,
            activations=ACTIVATIONS[cell],
            candidate_weights=candidate[0] if candidate else None,
            lengths=lengths,
            reverse=True,
        )

    inputs = [((steps, batch, of_sequence), F32), ((batch,), "int32"), (matrix(of_state), F32)]
    inputs += [(matrix(size), F32)] if cell == "gru" else []
    module: IRModule = lab.lowered(call, *inputs)
    return module


@pytest.mark.parametrize("cell", COLUMNS)
@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=lambda machine: machine.name)
def test_numbers(lab: Any, cell: str, machine: Machine) -> None:
    """A product's epilogue would overwrite the state that its other tiles still read."""
    scheduled = lab.assert_same_numbers(step(lab, cell, 3, 2, 21), machine)
    assert scheduled.report.schedule_of(cell) == "repeating"


def test_symbolic_numbers(lab: Any) -> None:
    module = step(lab, "lstm", tirx.Var("t", "int64"), tirx.Var("b", "int64"), 16, panel=16)
    for steps, batch in ((4, 7), (1, 1), (0, 2)):
        lab.assert_same_numbers(module, t=steps, b=batch)


@pytest.mark.parametrize(("machine", "register"), [(AVX2, "ymm"), (AVX512, "zmm")])
@pytest.mark.parametrize("batch", [1, 8])
def test_a_step_is_vectors(lab: Any, machine: Machine, register: str, batch: int) -> None:
    module = step(lab, "lstm", 3, batch, 64, panel=32)
    code = lab.assembly(lab.assert_same_numbers(module, machine).module["lstm"], machine)
    assert "vgather" not in code
    assert "expf" not in code
    assert "tanhf" not in code
    products = [line for line in code.splitlines() if "vfmadd" in line]
    assert all(register in line for line in products)
    block = lab.hottest_block(code, "vfmadd231ps")
    assert sum("vfmadd231ps" in line for line in block) >= 4


@pytest.mark.parametrize(
    ("machine", "panel", "panels"), [(AVX512, 128, 1), (AVX512, 64, 2), (AVX2, 32, 2)]
)
def test_a_vector_reads_whole_panels(lab: Any, machine: Machine, panel: int, panels: int) -> None:
    """As many as keep the multiply-adds busy: each panel is read from its begin to its end."""
    module = step(lab, "lstm", 3, 1, 64, panel=panel)
    plan = plan_kernel("lstm", module["lstm"], machine.target).plan.nests[-1]
    assert isinstance(plan, RepeatingPlan)
    product = plan.nests[0]
    assert isinstance(product, ContractionPlan)
    assert (product.mr, product.nr) == (panels, panel)


def test_threads_only_where_a_step_is_long(lab: Any) -> None:
    def parallel(batch: Any, size: int) -> bool:
        module = step(lab, "rnn", 2, batch, size)
        plan = plan_kernel("rnn", module["rnn"], AVX2.target).plan.nests[-1]
        assert isinstance(plan, RepeatingPlan)
        return any(nest.parallel for nest in plan.nests)

    assert parallel(1, 1024)
    assert not parallel(1, 64)
    # A batch that is known only later may be 1, and threads would be called in each step.
    assert not parallel(tirx.Var("b", "int64"), 64)


def test_its_plan_comes_back(lab: Any) -> None:
    scheduled = lab.assert_same_numbers(step(lab, "rnn", 2, 2, 16))
    plan = scheduled.report.plan_of("rnn")
    assert from_json(to_json(plan)) == plan
    assert "step by step: " in plan.words


def test_what_repeats_nothing(lab: Any) -> None:
    x = te.placeholder((4,), name="x")
    subject = Subject(lab.function_of(x, te.compute((4,), lambda i: x[i] * 2)), AVX2.target)
    assert repeating(subject) == Declined("it repeats nothing")


def test_only_a_vector_reads_panels_so(lab: Any) -> None:
    """The rows of a depthwise convolution also have their own vectors, and numbers of their own."""

    def depthwise(x: Expr, w: Expr) -> Expr:
        return R.nn.conv2d(x, w, groups=8)

    plan = lab.planned(depthwise, (1, 8, 34, 34), (8, 1, 3, 3), machine=AVX2)
    tile = best_size(AVX2, 32, 32, 8, shared=False)
    assert (plan.mr, plan.vectors) == (tile.rows, tile.vectors)
