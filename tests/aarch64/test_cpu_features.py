"""A file that needs more than the CPU has is refused in words, before any of its code runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import quantized_models
from aarch64.emulated import Emulator

import tvmfuse

X = np.random.default_rng(0).standard_normal((4, 16)).astype(np.float32)
W = np.random.default_rng(1).standard_normal((16, 8)).astype(np.float32)
N1 = "llvm -mtriple=aarch64-linux-gnu -mcpu=neoverse-n1"


@pytest.mark.parametrize(
    ("target", "cpu", "lacks"),
    [
        ("cortex-a57", "cortex-a57", None),
        ("neoverse-n1", "neoverse-n1", None),
        ("neoverse-n1", "cortex-a57", "dotprod"),
        ("neoverse-n1", "cortex-a72", "dotprod"),
        (f"{N1} -mattr=+i8mm", "max", None),
        (f"{N1} -mattr=+i8mm", "neoverse-n1", "i8mm"),
        (f"{N1} -mattr=+bf16", "neoverse-n1", "bf16"),
        ("neoverse-v2", "neoverse-n1", "altnzcv"),
    ],
)
def test_a_file_runs_where_the_cpu_has_what_it_uses(
    emulator: Emulator, tmp_path: Path, target: str, cpu: str, lacks: str | None
) -> None:
    artifact = tvmfuse.compile(quantized_models.products(W), target=target)
    artifact.save(tmp_path / "model.so")
    assert lacks is None or lacks in artifact.manifest.cpu_features
    found = emulator.run({tmp_path: [X]}, cpu)[tmp_path]
    if lacks is None:
        assert not isinstance(found, str), found
        np.testing.assert_allclose(found[0], X @ W, rtol=1e-5, atol=1e-5)
    else:
        assert isinstance(found, str)
        assert f'needs a CPU with "{lacks}", which this machine\'s lacks' in found


def test_a_file_of_another_processor_is_refused(emulator: Emulator, tmp_path: Path) -> None:
    tvmfuse.compile(quantized_models.products(W), target="x86-64").save(tmp_path / "model.so")
    found = emulator.run({tmp_path: [X]})[tmp_path]
    assert isinstance(found, str)
    assert "was compiled for x86_64, and this machine is aarch64: compile the model" in found
