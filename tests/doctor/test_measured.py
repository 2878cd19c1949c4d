"""The doctor says what the CPU can do, and which machine code for it reckons as."""

from pathlib import Path

import pytest
from pretended_cpu import TWO_A_CYCLE, be

from tvmfuse.calibrate import kept
from tvmfuse.doctor.running import measured


@pytest.mark.parametrize(("cpu", "like"), [("znver4", "zen4"), ("tigerlake", "emerald-rapids")])
def test_a_named_cpu_is_itself_and_an_unknown_one_is_like_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cpu: str, like: str
) -> None:
    be(monkeypatch, cpu)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(kept, "measure", lambda _target: TWO_A_CYCLE)
    monkeypatch.setattr(kept, "_here", {})
    said = measured()
    assert said.startswith("multiply-add 0.155 ns (2 a cycle), in a chain 1.23, ")
    assert "read 200/102/79/20 GB/s from L1/L2/L3/memory" in said
    assert said.endswith(f"code for it reckons as for {like}")
