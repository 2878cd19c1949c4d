"""schedules.cpu.work: a kernel is read and prepared once; what is no list of stages is declined."""

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


def test_a_schedule_sees_arithmetic_for_functions_and_the_machine(lab) -> None:
    (function,) = lab.kernels(lab.lowered(R.exp, ((3, 4), "float32"))).values()
    subject = Subject(function, AVX512.target)
    found = prepared(subject)
    assert scope_of(subject).machine == AVX512
    assert "exp(" not in str(found.kernel.stages[0].store.value), "exp is arithmetic here"
    assert found.steps == {"VectorMath"}


def test_without_vector_math_functions_stay_calls(lab) -> None:
    (function,) = lab.kernels(lab.lowered(R.exp, ((3, 4), "float32"))).values()
    subject = Subject(function, AVX512.target, ScheduleSettings.of("VectorMath"))
    assert "exp(" in str(prepared(subject).kernel.stages[0].store.value)
    assert prepared(subject).steps == frozenset()


def test_nothing_is_read_or_prepared_twice(lab, monkeypatch) -> None:
    """By the eight schedules that a softmax is given to, and by planning and emission."""
    counts = {"read": 0, "inline": 0, "in_vectors": 0}

    def counting(name, module):
        function = getattr(module, name)

        def counted(*args):
            counts[name] += 1
            return function(*args)

        monkeypatch.setattr(module, name, counted)

    counting("read", protocol)
    counting("inline", protocol)
    counting("in_vectors", work)
    (function,) = lab.kernels(lab.lowered(R.nn.softmax, ((9, 40), "float32"))).values()
    _, decision = schedule_kernel("softmax", function, AVX512.target)
    assert decision.schedule == "reduction"
    assert len(decision.declined) == 6
    assert counts == {"read": 1, "inline": 1, "in_vectors": 1}


def test_says_what_cannot_be_read(lab) -> None:
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
        assert "strided or starts at an offset" in answer.reason


def test_finds_the_nests_once(lab) -> None:
    found = []
    (function,) = lab.kernels(lab.lowered(R.exp, ((3, 4), "float32"))).values()

    def one(subject: Subject) -> Work:
        found.append(subject)
        return prepared(subject).by_groups(scope_of(subject))

    subject, entry = Subject(function, AVX512.target), NestSchedule("one", one)
    entry.emit(subject, entry.plan(subject))
    assert found == [subject]


def test_an_answer_in_words_is_passed_on(lab) -> None:
    (function,) = lab.kernels(lab.lowered(R.exp, ((3, 4), "float32"))).values()
    entry = NestSchedule("any", lambda _: Declined("not to its taste"))
    assert entry.plan(Subject(function, AVX512.target)) == Declined("not to its taste")


@pytest.mark.parametrize("name", ["as_written"])
def test_the_rest_stays_as_it_is(lab, name) -> None:
    entry = CATALOGUE["llvm"][-1]
    (function,) = lab.kernels(lab.lowered(R.exp, ((3, 4), "float32"))).values()
    subject = Subject(function, AVX512.target)
    assert entry.name == name
    assert entry.emit(subject, entry.plan(subject)).body.same_as(function.body)
