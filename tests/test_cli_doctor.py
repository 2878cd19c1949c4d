"""`tvmfuse doctor`: a table, JSON, and an exit code."""

from __future__ import annotations

import json
import sys

import pytest
from pretended import tvmfuse_cli

from tvmfuse.doctor.diagnosis import Check, Diagnosis

GOOD = Diagnosis([Check("versions", "Python", "3.12.1"), Check("tools", "linker", "cc [1]")])
BAD = Diagnosis([*GOOD.checks, Check("canaries", "fork", "", "the process ended with SIGSEGV")])


@pytest.fixture
def found(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tvmfuse.doctor.examine.examine", lambda _progress: request.param)


@pytest.mark.parametrize("found", [GOOD], indirect=True)
def test_without_a_finding_it_exits_with_0(found: None) -> None:
    done = tvmfuse_cli("doctor")
    assert done.exit_code == 0
    assert "cc [1]" in done.output
    assert "2 checks, and no problem was found" in done.output


@pytest.mark.parametrize("found", [BAD], indirect=True)
def test_a_finding_is_told_and_exits_with_1(found: None) -> None:
    done = tvmfuse_cli("doctor")
    assert done.exit_code == 1
    assert "ended with SIGSEGV" in done.output
    assert "1 of 3 checks found a problem: fork" in done.output


@pytest.mark.parametrize("found", [BAD], indirect=True)
def test_json_has_every_check(found: None) -> None:
    done = tvmfuse_cli("doctor", "--json")
    record = json.loads(done.output)
    assert done.exit_code == record["findings"] == 1
    assert [check["name"] for check in record["checks"]] == ["Python", "linker", "fork"]


def test_examining_loads_neither_tvm_nor_torch() -> None:
    import subprocess

    code = (
        "import sys; from tvmfuse.doctor import examine; examine.listen = lambda **_: (); "
        "found = examine.examine(); assert len(found.checks) > 10; "
        "assert not {'tvm', 'tvm_ffi', 'torch', 'onnx'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
