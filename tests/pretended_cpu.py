"""This machine with another CPU."""

from __future__ import annotations

import pytest
from tvm.target import codegen

from tvmfuse.target import host_cpu
from tvmfuse.target.calibration import Calibration
from tvmfuse.target.resolve import required_cpu_features, resolve

#: As Zen 3 measures at 3.2 GHz.
TWO_A_CYCLE = Calibration(0.155, 1.234, 0.155, 0.156, 13.9, 200.0, 102.0, 79.0, 20.0)


def be(monkeypatch: pytest.MonkeyPatch, cpu: str) -> None:
    """Let this machine's CPU be the one of that name, with all that it has."""
    features = frozenset(required_cpu_features(resolve(cpu)))
    monkeypatch.setattr(codegen, "llvm_get_system_cpu", lambda: cpu)
    monkeypatch.setattr(host_cpu, "cpu_features", lambda: features)
