"""Packages that run a model of one's own in onnxruntime find the same with tvmfuse in its place."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from clients.clients import HERE, OURS, differences, run

pytestmark = pytest.mark.clients

PROGRAMS = HERE / "programs"
PACKAGES = {"fastembed": [], "mlflow": ["skl2onnx"], "polygraphy": [], "ultralytics": ["polars"]}
"""What is run, and what else that takes, beside torch."""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for all that a package writes, and no network."""
    for name in ("HF_HUB_OFFLINE", "MLFLOW_DISABLE_TELEMETRY", "YOLO_OFFLINE"):
        monkeypatch.setenv(name, "true")
    monkeypatch.setenv("YOLO_AUTOINSTALL", "false")
    for name in ("YOLO_CONFIG_DIR", "MPLCONFIGDIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for folder in ("models", "theirs", "ours"):
        (tmp_path / folder).mkdir()
    return tmp_path


def require(package: str) -> None:
    """Skip where a package or what it takes is not installed."""
    for name in ("torch", package, *PACKAGES[package]):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed: tests/clients/own_models.txt")


def make(package: str, work: Path) -> None:
    """Write a package's models."""
    assert run(PROGRAMS / "own_models.py", (), package, work / "models").words == ""


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_finds_the_same(package: str, work: Path) -> None:
    require(package)
    make(package, work)
    program = PROGRAMS / f"own_{package}.py"
    theirs = run(program, (), work / "models", work / "theirs")
    assert theirs.words == ""
    ours = run(program, [*OURS, "--no-fallback"], work / "models", work / "ours")
    assert ours.words == ""
    assert theirs.found.pop("engines") == ["onnxruntime"]
    assert ours.found.pop("engines") == ["tvmfuse"]
    assert list(differences(ours.found, theirs.found)) == []


def test_polygraphy_compares_them_by_its_command_line(work: Path) -> None:
    require("polygraphy")
    make("polygraphy", work)
    polygraphy = str(Path(sysconfig.get_path("scripts"), "polygraphy"))
    model, every = str(work / "models/model.onnx"), ("--onnx-outputs", "mark", "all")
    command = [polygraphy, "run", model, "--onnxrt", "--seed", "3", *every]
    theirs, ours = [sys.executable], [sys.executable, *OURS, "--no-fallback"]
    subprocess.run([*theirs, *command, "--save-outputs", "theirs.json"], check=True)
    assert not Path("tvmfuse").exists()
    subprocess.run([*ours, *command, "--load-outputs", "theirs.json", "--atol", "1e-3"], check=True)
    assert [*Path("tvmfuse/models").glob("*")]  # what was compiled is kept
