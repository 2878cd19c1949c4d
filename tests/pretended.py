"""A compiler that is pretended, for tests of the command line; time passes only in its models."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from quiet import is_quiet

import tvmfuse
from tvmfuse.cli import main
from tvmfuse.levels import name_of
from tvmfuse.manifest import Manifest
from tvmfuse.measure.clock import Clock
from tvmfuse.report import Decline, OptimizationReport, PassReport
from tvmfuse.tensor_spec import TensorSpec


class PretendedExecutable:
    inputs = (TensorSpec("x", "float32", ("batch", 2)),)
    outputs = (TensorSpec("y", "float32", ("batch", 2)),)

    ns = 0
    interrupted_ns = float("inf")

    def __init__(self, factor: float = 2.0, milliseconds: int = 10) -> None:
        self.factor, self.milliseconds = np.float32(factor), milliseconds

    def __call__(self, feeds: Any) -> Any:
        PretendedExecutable.ns += self.milliseconds * 1_000_000
        if self.ns > self.interrupted_ns:
            raise KeyboardInterrupt
        return {"y": feeds["x"] * self.factor}


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let time pass only while the pretended executables run, on a quiet machine."""
    is_quiet(monkeypatch)
    fake = Clock(lambda: PretendedExecutable.ns, resolution_ns=1)
    monkeypatch.setattr("tvmfuse.measure.interleave.system_clock", lambda: fake)
    monkeypatch.setattr(PretendedExecutable, "ns", 0)


def pretended_report(disabled: Any = ()) -> Any:
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

    def save(self, path: Any) -> None:
        Path(path).write_bytes(b"\x7fELF" + bytes(2**20))

    def load(self, *, num_threads: Any = None) -> Any:
        assert num_threads in (None, 3)
        return self.executable

    @property
    def manifest(self) -> Any:
        return Manifest("net", PretendedExecutable.inputs, PretendedExecutable.outputs)


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a pretended function in the place of `tvmfuse.<name>`; returns the calls it got."""

    def pretend(name: Any, result: Any) -> Any:
        calls = []

        def function(*args: Any, **keywords: Any) -> Any:
            keywords.pop("progress", None)
            calls.append((args, keywords))
            if isinstance(result, BaseException):
                raise result
            return result(*args, **keywords) if callable(result) else result

        def compile_model(model: Any, settings: Any, progress: Any) -> Any:
            chosen = settings.selection
            return function(
                model,
                level=name_of(chosen.level),
                disabled_pass=tuple(sorted(chosen.disabled)),
                enabled_pass=tuple(sorted(chosen.enabled)),
                only_pass=tuple(sorted(chosen.only)),
                **{n: getattr(settings, n) for n in ("target", "shapes", "dims", "cache")},
            )

        monkeypatch.setitem(vars(tvmfuse), name, function)
        if name == "compile":
            monkeypatch.setattr("tvmfuse.measure.runners.compile_model", compile_model)
        return calls

    return pretend


@pytest.fixture
def model(tmp_path: Path) -> Any:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"a model")
    return str(path)


def tvmfuse_cli(*arguments: Any) -> Any:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def artifact(_model: Any, disabled_pass: Any = (), **_options: Any) -> Any:
    slow = 12 if "ConvBNFusion" in disabled_pass else 10
    executable = PretendedExecutable(milliseconds=slow)
    return PretendedArtifact(executable, pretended_report(disabled_pass))
