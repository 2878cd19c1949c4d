"""`tvmfuse new-pass`: what it writes works as it is, and nothing is written over."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tvmfuse.cli import main
from tvmfuse.passes import plugged


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    yield
    plugged.forget()


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["new-pass", *arguments])


def test_the_test_that_it_writes_passes(tmp_path: Path, monkeypatch: Any) -> None:
    done = run("NegationOfNegation", "-o", str(tmp_path / "rules"), "--json")
    assert json.loads(done.output)["pass"] == "negation_of_negation:NegationOfNegation"
    monkeypatch.syspath_prepend(tmp_path / "rules")
    module = importlib.import_module("test_negation_of_negation")
    tests = [value for name, value in vars(module).items() if name.startswith("test_")]
    assert len(tests) == 3
    for test in tests:
        test()


def test_it_says_what_comes_next(tmp_path: Path) -> None:
    done = run("MyRule", "-o", str(tmp_path))
    assert f"python -m pytest {tmp_path / 'test_my_rule.py'}" in done.output
    assert "tvmfuse explain M.onnx --pass my_rule:MyRule" in done.output


def test_no_file_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "test_my_rule.py").write_text("mine")
    done = run("MyRule", "-o", str(tmp_path))
    assert done.exit_code == 1
    assert "test_my_rule.py is there already" in done.output
    assert [file.name for file in tmp_path.iterdir()] == ["test_my_rule.py"]


@pytest.mark.parametrize("name", ["my rule", "my_rule", "", "9Lives", "Ünï"])
def test_a_name_that_no_class_has_is_refused(name: str) -> None:
    done = run(name)
    assert done.exit_code == 2
    assert "expected a class's name such as MyRule" in done.output


def test_a_folder_that_cannot_be_made_is_named() -> None:
    done = run("MyRule", "-o", "/proc/none")
    assert done.exit_code == 1
    assert "cannot make the folder /proc/none: No such file or directory" in done.output
