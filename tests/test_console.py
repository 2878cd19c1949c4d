"""console: what a terminal shows while something goes on, and that nothing else does."""

import io
import sys
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tvmfuse.cli import console
from tvmfuse.progress import Step


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let stderr be a terminal, and return what was written to it."""
    written = io.StringIO()
    pretended = Console(file=written, force_terminal=True, width=80)
    monkeypatch.setattr(console, "_console", lambda *, stderr: pretended)
    return written


def shown(terminal: Any, *steps: str) -> str:
    with console.working("compiling a[b].onnx") as report:
        for step in steps:
            report(step)
    return str(terminal.getvalue())


def test_steps_are_named(terminal: Any) -> None:
    assert "compiling a[b].onnx: ConvBNFusion" in shown(terminal, "ConvBNFusion")


def test_what_takes_long_and_says_how_much_is_done_gets_a_bar(
    terminal: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "━" not in shown(terminal, "import", Step("kernel 1", 0.5))
    monkeypatch.setattr(console, "SHORT_S", -1.0)
    assert "━" in shown(terminal, "import", Step("kernel 1" * 20, 0.5))


def test_a_bar_goes_when_its_step_is_done(terminal: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "SHORT_S", -1.0)
    last = (
        shown(terminal, Step("kernel 1", 0.5), "link").rpartition("\r")[0].rpartition("\x1b[2K")[2]
    )
    assert "link" in last
    assert "━" not in last


def test_a_share_that_falls_begins_a_new_estimate(
    terminal: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    monkeypatch.setattr(Progress, "reset", lambda _self, task: begun.append(task))
    shown(
        terminal,
        "import",
        Step("pass", 0.0),
        Step("pass", 0.9),
        Step("kernel", 0.1),
        Step("kernel", 0.5),
    )
    assert len(begun) == 1


def test_a_pipe_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with console.working("compiling") as report:
        report(Step("kernel 1", 0.5))
    assert capsys.readouterr() == ("", "")


def test_what_an_encoding_does_not_have_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the C locale, say, or where a file's name is no UTF-8."""
    for encoding, name, expected in (
        ("ascii", "Größe", r"Gr\xf6\xdfe"),
        ("utf-8", "\udcff", r"\udcff"),
    ):
        written = io.BytesIO()
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding))
        console.say(name)
        console.show(Table(name))
        sys.stdout.flush()
        assert written.getvalue().decode(encoding).count(expected) == 2
