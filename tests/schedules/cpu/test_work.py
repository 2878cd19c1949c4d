"""schedules.cpu.work: a kernel is read and prepared once; what is no list of stages is declined."""

from typing import Any

import pytest
from tvm.relax import op as R

from tvmfuse.schedules import protocol
from tvmfuse.schedules.catalogue import CATALOGUE
from tvmfuse.schedules.cpu import work
from tvmfuse.schedules.cpu.work import NestSchedule, Work, prepared, scope_of
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.schedules.schedule import schedule_kernel
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.target.machine import AVX512


def test_a_schedule_sees_arithmetic_for_functions_and_the_machine(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(R.exp, ((3, 4), "float32"))).values()
    subject = Subject(function, AVX512.target)
    found: Any = prepared(subject)
    assert scope_of(subject).machine == AVX512
    assert "exp(" not in str(found.kernel.stages[0].store.value), "exp is arithmetic here"
    assert found.steps == {"VectorMath"}


def test_without_vector_math_functions_stay_calls(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(R.exp, ((3, 4), "float32"))).values()
    subject = Subject(function, AVX512.target, ScheduleSettings.of("VectorMath"))
    found: Any = prepared(subject)
    assert "exp(" in str(found.kernel.stages[0].store.value)
    assert found.steps == frozenset()


def test_nothing_is_read_or_prepared_twice(lab: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the eight schedules that a softmax is given to, and by planning and emission."""
    counts = {"read": 0, "inline": 0, "in_vectors": 0}

    def counting(name: Any, module: Any) -> None:
        function = getattr(module, name)

        def counted(*args: Any) -> Any:
            counts[name] += 1
            return function(*args)

        monkeypatch.setattr(module, name, counted)

    counting("read", protocol)
    counting("inline", protocol)
    counting("in_vectors", work)
    (function,) = lab.kernels(lab.lowered(R.nn.softmax, ((9, 40), "float32"))).values()
    _, decision = schedule_kernel("softmax", function, AVX512.target)
    assert decision.schedule == "reduction"
    assert len(decision.declined) == 8
    assert counts == {"read": 1, "inline": 1, "in_vectors": 1}


def test_says_what_cannot_be_read(lab: Any) -> None:
    module = lab.lowered(
        lambda a, i, u: R.scatter_elements(a, i, u, 0),
        ((9, 4), "float32"),
        ((3, 4), "int64"),
        ((3, 4), "float32"),
    )
    (function,) = lab.kernels(module).values()
    subject = Subject(function, AVX512.target)
    for entry in CATALOGUE["llvm"][:-1]:
        answer = entry.plan(subject)
        assert isinstance(answer, Declined)
        unread = "AttrStmt" if entry.name == "repeating" else "strided or starts at an offset"
        assert unread in answer.reason


def test_finds_the_nests_once(lab: Any) -> None:
    found = []
    (function,) = lab.kernels(lab.lowered(R.exp, ((3, 4), "float32"))).values()

    def one(subject: Subject) -> Work:
        found.append(subject)
        found_kernel: Any = prepared(subject)
        work: Work = found_kernel.by_groups(scope_of(subject))
        return work

    subject, entry = Subject(function, AVX512.target), NestSchedule("one", one)
    plan = entry.plan(subject)
    assert not isinstance(plan, Declined)
    entry.emit(subject, plan)
    assert found == [subject]


def test_an_answer_in_words_is_passed_on(lab: Any) -> None:
    (function,) = lab.kernels(lab.lowered(R.exp, ((3, 4), "float32"))).values()
    entry = NestSchedule("any", lambda _: Declined("not to its taste"))
    assert entry.plan(Subject(function, AVX512.target)) == Declined("not to its taste")


@pytest.mark.parametrize("name", ["as_written"])
def test_the_rest_stays_as_it_is(lab: Any, name: str) -> None:
    entry = CATALOGUE["llvm"][-1]
    (function,) = lab.kernels(lab.lowered(R.exp, ((3, 4), "float32"))).values()
    subject = Subject(function, AVX512.target)
    assert entry.name == name
    plan = entry.plan(subject)
    assert not isinstance(plan, Declined)
    assert entry.emit(subject, plan).body.same_as(function.body)
