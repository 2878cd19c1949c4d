"""schedules.schedule: every kernel takes a schedule, and the report says which and why."""

from typing import Any, Never

import pytest
import tvm
from graphs import graph, tensor
from relax_models import model
from tvm import IRModule, relax, tirx
from tvm.error import InternalError
from tvm.relax import op as R
from tvm_ffi import structural_equal

from tvmfuse.errors import CompilationError
from tvmfuse.ir.kernels import is_reshape
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.schedules import schedule as driver
from tvmfuse.schedules.protocol import Declined
from tvmfuse.target.machine import AVX2


@pytest.fixture
def module(lab: Any) -> Any:
    return lab.lowered(
        lambda a, b: R.nn.softmax(R.matmul(a, b), -1), ((9, 16), "float32"), ((16, 12), "float32")
    )


def test_reports_who_took_each_kernel_and_what_the_others_said(module: Any) -> None:
    report = driver.schedule(module, AVX2.target).report
    assert report.schedule_of("matmul") == "matmul"
    assert report.schedule_of("softmax") == "reduction"
    assert report.decisions["softmax"].declined == {
        "winograd": "it is no Winograd convolution",
        "attention": "it is no attention in float32",
        "block_dots": "it is no product in blocks of integers",
        "lookup": "it does not only look bytes up in a table of 256",
        "elementwise": "it has a reduction",
        "conv": "it has 2 reductions, not one",
        "matmul": "it has 2 reductions, not one",
        "matvec": "it is not one sum of products",
    }


def test_leaves_the_callers_module_alone(module: Any) -> None:
    before = module.script()
    scheduled = driver.schedule(module, AVX2.target).module
    assert module.script() == before
    assert scheduled.script() != before
    tvm.ir.assert_structural_equal(scheduled["main"], module["main"])


def test_marks_kernels_and_takes_none_twice(lab: Any, module: Any) -> None:
    once = driver.schedule(module, AVX2.target)
    assert all(f.attrs["tirx.is_scheduled"] == 1 for f in lab.kernels(once.module).values())
    twice = driver.schedule(once.module, AVX2.target)
    tvm.ir.assert_structural_equal(twice.module, once.module)
    assert {d.schedule for d in twice.report.decisions.values()} == {"as_it_came"}


def test_keeps_the_function_s_interface(lab: Any, module: Any) -> None:
    scheduled = driver.schedule(module, AVX2.target).module
    for name, function in lab.kernels(module).items():
        assert list(scheduled[name].params) == list(function.params)
        assert scheduled[name].attrs["tirx.noalias"] == function.attrs["tirx.noalias"]


def test_a_schedule_that_fails_is_named_with_the_kernel(
    monkeypatch: pytest.MonkeyPatch, module: Any
) -> None:
    class Broken:
        name = "broken"

        def plan(self, subject: Any) -> Never:
            raise IndexError("tuple index out of range")

    monkeypatch.setattr(driver, "CATALOGUE", {"llvm": (Broken(),)})
    words = r"the schedule broken failed on the kernel (matmul|softmax).*IndexError: tuple index"
    with pytest.raises(CompilationError, match=words):
        driver.schedule(module, AVX2.target)


def test_a_kernel_that_nobody_takes_is_an_error(
    monkeypatch: pytest.MonkeyPatch, module: Any
) -> None:
    class Picky:
        name = "picky"

        def plan(self, subject: Any) -> Any:
            return Declined("not to its taste")

    monkeypatch.setattr(driver, "CATALOGUE", {"llvm": (Picky(),)})
    with pytest.raises(CompilationError, match=r"no schedule takes .*\(picky: not to its taste\)"):
        driver.schedule(module, AVX2.target)


def test_a_kind_of_target_without_schedules_is_an_error(module: Any) -> None:
    with pytest.raises(CompilationError, match="of kind rocm; known: llvm, cuda"):
        driver.schedule(module, tvm.target.Target({"kind": "rocm", "mcpu": "gfx90a"}))


def test_a_reshape_is_a_view_and_no_kernel() -> None:
    def compute(emit: Any, x: Any) -> Any:
        return [emit(R.exp(emit(R.reshape(emit(R.exp(x)), (4, 8)))))]

    lowered = model(compute, x=relax.TensorType((2, 16), "float32")).module
    scheduled = driver.schedule(lowered, AVX2.target)
    assert {*scheduled.report.decisions} == {"tir_exp", "tir_exp1"}
    assert "R.reshape" in scheduled.module["main"].script()


def test_an_output_that_is_a_reshape_is_a_kernel(lab: Any) -> None:
    scheduled = driver.schedule(
        lab.lowered(lambda a: R.reshape(a, (4, 8)), ((2, 16), "float32")), AVX2.target
    )
    assert [d.schedule for d in scheduled.report.decisions.values()] == ["elementwise"]


def test_kernels_that_tvm_cannot_tell_from_views(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pass fails on indices for which its analysis finds no answer: it sees none of theirs."""
    real = relax.transform.RewriteDataflowReshape()

    def fails(module: IRModule) -> IRModule:
        kernels = [f for f in module.functions.values() if isinstance(f, tirx.PrimFunc)]
        if any(not is_reshape(f) and not isinstance(f.body, tirx.Evaluate) for f in kernels):
            raise InternalError("no answer")
        return real(module)

    operators = graph(lambda x, emit: R.exp(emit(R.reshape(x, (6,)))), tensor(2, 3))
    module = lower(operators).module
    expected = driver.viewed(module)
    monkeypatch.setattr(relax.transform, "RewriteDataflowReshape", lambda: fails)
    assert structural_equal(driver.viewed(module), expected)
    assert sorted(name.name_hint for name in expected.get_global_vars()) == ["main", "tir_exp"]
