"""Canaries: one that dies, hangs or raises is the finding, and those behind it still sing."""

from __future__ import annotations

import sys
import time

import pytest

from tvmfuse.doctor import models, running
from tvmfuse.doctor.canaries import CANARIES
from tvmfuse.doctor.diagnosis import Check
from tvmfuse.doctor.expect import UnexpectedError, expect, refused
from tvmfuse.doctor.singing import listen
from tvmfuse.errors import InputError, ModelError

#: Canaries that do what the names that they are called by say.
PLANTED = """
import ctypes, os, sys, time
from tvmfuse.doctor import canaries
from tvmfuse.errors import ModelError

def good():
    print("TVM says something")
    return f"in {os.getpid()}"

def dies():
    ctypes.string_at(0)

def exits():
    print("no room left", file=sys.stderr)
    os._exit(3)

def hangs():
    time.sleep(60)

def raises():
    raise ModelError("a node\\n[of] more lines")

canaries.CANARIES = {name: globals()[name.rstrip("123")] for name in sys.argv[1:]}
canaries.main(sys.argv[1:])
"""
PROGRAM = (sys.executable, "-c", PLANTED)


def sung(*names: str, limit_s: float = 60) -> list[Check]:
    return [*listen(names, program=PROGRAM, limit_s=limit_s)]


def test_all_sing_in_one_process() -> None:
    one, other = sung("good1", "good2")
    assert one.found == other.found != ""
    assert not one.problem + other.problem


def test_those_behind_one_that_dies_sing_in_the_next_process() -> None:
    one, dead, other, last = sung("good1", "dies", "good2", "good3")
    assert "SIGSEGV" in dead.problem
    assert " in string_at" in dead.problem
    assert one.found != other.found == last.found != ""
    assert not one.problem + other.problem + last.problem


@pytest.mark.parametrize("place", [0, 1])
def test_the_first_and_the_last_may_die(place: int) -> None:
    names = ["good", "good"]
    names.insert(2 * place, "exits")
    checks = sung(*(f"{name}{i}" if name == "good" else name for i, name in enumerate(names, 1)))
    (found,) = [check for check in checks if check.problem]
    assert found.problem == "the process ended with exit code 3: no room left"
    assert len(checks) == 3


def test_one_that_hangs_is_ended() -> None:
    start = time.monotonic()
    hung, other = sung("hangs", "good", limit_s=5)
    assert hung.problem.startswith("no answer in 5 s")
    assert not other.problem
    assert time.monotonic() - start < 30


def test_one_that_raises_lets_the_others_sing() -> None:
    raised, other = sung("raises", "good")
    assert raised.problem == "ModelError: a node"
    assert not other.problem


def test_progress_names_who_sings() -> None:
    seen: list[str] = []
    assert len([*listen(["good1", "good2"], program=PROGRAM, progress=seen.append)]) == 2
    assert seen == ["good1", "good2"]


def test_what_is_expected_and_not_refused_is_a_finding() -> None:
    expect(1, "nothing")
    with pytest.raises(UnexpectedError, match="other numbers"):
        expect([], "other numbers")
    with pytest.raises(UnexpectedError, match="expected ModelError"):
        refused(lambda: None, ModelError)
    with pytest.raises(ModelError):
        refused(lambda: raised(ModelError("x")), InputError)
    assert refused(lambda: raised(InputError("x\nmore"))) == "refused: x"


def raised(error: Exception) -> None:
    raise error


def test_wrong_numbers_are_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    models.compiled_product()
    monkeypatch.setattr(models, "weight", lambda: models.numbers(64))
    with pytest.raises(UnexpectedError, match="expected numpy's numbers"):
        running.computes()


def test_here_no_canary_has_a_finding() -> None:
    checks = [*listen()]
    assert [check for check in checks if check.problem] == []
    assert [check.name for check in checks] == [*CANARIES]
