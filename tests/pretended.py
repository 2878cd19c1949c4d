"""A compiler that is pretended, for tests of the command line; time passes only in its models."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import tvmfuse
from tvmfuse.cli import main
from tvmfuse.levels import name_of
from tvmfuse.manifest import Manifest, TensorSpec
from tvmfuse.measure.clock import Clock
from tvmfuse.report import Decline, OptimizationReport, PassReport


class PretendedExecutable:
    inputs = (TensorSpec("x", "float32", ("batch", 2)),)
    outputs = (TensorSpec("y", "float32", ("batch", 2)),)

    ns = 0
    interrupted_ns = float("inf")

    def __init__(self, factor=2.0, milliseconds=10):
        self.factor, self.milliseconds = np.float32(factor), milliseconds

    def __call__(self, feeds):
        PretendedExecutable.ns += self.milliseconds * 1_000_000
        if self.ns > self.interrupted_ns:
            raise KeyboardInterrupt
        return {"y": feeds["x"] * self.factor}


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Let time pass only while the pretended executables run."""
    fake = Clock(lambda: PretendedExecutable.ns, resolution_ns=1)
    monkeypatch.setattr("tvmfuse.measure.interleave.system_clock", lambda: fake)
    monkeypatch.setattr(PretendedExecutable, "ns", 0)


def pretended_report(disabled=()):
    declined = (Decline("the weight is [constant]", ("a", "b", "c", "d", "e"), 5),)
    fired = PassReport("ConvBNFusion", "basic", "ran", 3, (), declined, 9, 6, 0.0123)
    entries = [fired, PassReport("CastElimination", "basic", "ran", ops_before=6, ops_after=6)]
    entries = [
        dataclasses.replace(e, status="disabled", fired=0) if e.name in disabled else e
        for e in entries
    ]
    entries.append(PassReport("GeluApproximation", "extended", "opt-in"))
    return OptimizationReport("all", tuple(entries), 9, 6, 0.5)


@dataclasses.dataclass
class PretendedArtifact:
    executable: PretendedExecutable
    report: OptimizationReport
    launches: tuple[str, ...] = ()
    nbytes = 2**20

    def save(self, path):
        Path(path).write_bytes(b"\x7fELF" + bytes(2**20))

    def load(self, *, num_threads=None):
        assert num_threads in (None, 3)
        return self.executable

    @property
    def manifest(self):
        return Manifest("net", PretendedExecutable.inputs, PretendedExecutable.outputs)


@pytest.fixture
def compiler(monkeypatch):
    """Put a pretended function in the place of `tvmfuse.<name>`; returns the calls it got."""

    def pretend(name, result):
        calls = []

        def function(*args, **keywords):
            keywords.pop("progress", None)
            calls.append((args, keywords))
            if isinstance(result, BaseException):
                raise result
            return result(*args, **keywords) if callable(result) else result

        def compile_model(model, settings, progress):
            chosen = settings.selection
            return function(
                model,
                level=name_of(chosen.level),
                disabled_pass=tuple(sorted(chosen.disabled)),
                only_pass=tuple(sorted(chosen.only)),
                **{n: getattr(settings, n) for n in ("target", "shapes", "dims", "cache")},
            )

        monkeypatch.setitem(vars(tvmfuse), name, function)
        if name == "compile":
            monkeypatch.setattr("tvmfuse.measure.runners.compile_model", compile_model)
        return calls

    return pretend


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(b"a model")
    return str(path)


def tvmfuse_cli(*arguments):
    return CliRunner().invoke(main, [str(a) for a in arguments])


def artifact(_model, disabled_pass=(), **_options):
    slow = 12 if "ConvBNFusion" in disabled_pass else 10
    executable = PretendedExecutable(milliseconds=slow)
    return PretendedArtifact(executable, pretended_report(disabled_pass))
