"""That what watches hostile models sees what they do."""

from collections.abc import Mapping

import pytest
from hostile import Outcome, outcomes

DOES = {
    "crashes": (b"import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
    "hangs": (b"while True: pass", "SIGPROF"),
    "raises": (b"raise KeyError('x')", "escaped"),
    "takes memory": (b"bytearray(2 << 30)", "escaped"),
    "reports a defect": (
        b"from tvmfuse.errors import PassError as E; raise E('p', '')",
        "PassError",
    ),
}
"""What a program does, and what is said of it."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Outcome]:
    programs = {name: program for name, (program, _) in DOES.items()}
    return outcomes({**programs, "z right": b"pass"}, tmp_path_factory.mktemp("traps"), "trap")


@pytest.mark.parametrize("name", DOES)
def test_what_goes_wrong_is_seen(name: str, found: Mapping[str, Outcome]) -> None:
    assert found[name].kind == DOES[name][1]
    assert not found[name].is_fine


def test_what_comes_after_a_crash_is_read(found: Mapping[str, Outcome]) -> None:
    assert found["z right"].kind == "read"
    assert found["z right"].is_fine
    assert not found["z right"].is_refusal
