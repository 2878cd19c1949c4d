"""schedules.schedule: every kernel takes a schedule, and the report says which and why."""

from typing import Any, Never

import pytest
import tvm
from tvm.relax import op as R

from tvmfuse.errors import CompilationError
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
