"""The verbs that measure, with a pretended compiler: variants, options, Ctrl-C."""

from __future__ import annotations

import errno
import importlib
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Never
from xml.etree import ElementTree

import pretended
import pytest
from pretended import (
    PretendedArtifact,
    PretendedExecutable,
    artifact,
    pretended_report,
    tvmfuse_cli,
)
from quiet import BusyMachine

from tvmfuse.format.atomic import atomic_write
from tvmfuse.target.resolve import resolve

clock, compiler, model = pretended.clock, pretended.compiler, pretended.model


def test_ab_reads_both_variants(compiler: Any, model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # The clock is pretended: pauses between pools of 3 threads and of 2 would be taken for nothing.
    monkeypatch.setattr("tvmfuse.measure.many.PAUSE_S", 0.0)
    calls = compiler("compile", artifact)
    result = tvmfuse_cli(
        "ab", model, "--a", "level=basic,disable=ConvBNFusion+FuseOps", "--b",
        "only=FuseOps+FuseTIR,threads=3", "--level", "extended", "--target", "avx2", "--json",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    second, first = (keywords for _, keywords in calls)
    assert (first["level"], first["disabled_pass"]) == ("basic", ("ConvBNFusion", "FuseOps"))
    assert second["only_pass"] == ("FuseOps", "FuseTIR")
    assert str(first["target"]) == str(second["target"]) == str(resolve("avx2"))
    record = json.loads(result.stdout)
    assert (record["a"]["settings"]["threads"], record["b"]["settings"]["threads"]) == (None, 3)
    assert set(record["machine"]) >= {"steal", "others", "load", "mhz", "notes"}


def test_ab_says_slower_when_disabled_only_where_just_passes_were_disabled(
    compiler: Any, model: Any
) -> None:
    compiler("compile", artifact)
    said = tvmfuse_cli("ab", model, "--b", "level=layout,disable=ConvBNFusion").stdout
    assert "over A (level all): 0.833x" in said
    assert "when disabled" not in said
    said = _said(model, "--disable", "ConvBNFusion")
    assert "0.833x (99 % CI 0.833 to 0.833): slower when disabled." in said


@pytest.mark.parametrize("second", ["level=all", "disable=FuseOps"])
def test_ab_does_not_say_so_where_the_baseline_has_passes_off(
    compiler: Any, model: Any, second: str
) -> None:
    compiler("compile", artifact)
    said = _said(model, "--a", "disable=ConvBNFusion", "--b", second)
    assert ": 1.200x" in said
    assert "when disabled" not in said


def test_a_precision_is_its_passes_where_a_level_has_them_and_a_tolerance(
    compiler: Any, model: Any
) -> None:
    calls = compiler("compile", artifact)
    result = tvmfuse_cli("ladder", model, "--precision", "bf16", "--json")
    assert result.exit_code == 0, result.output
    enabled = {keywords["level"]: keywords["enabled_pass"] for _, keywords in calls}
    assert enabled == {
        "none": (), "basic": (), "extended": (), "layout": ("AutoMixedPrecision",),
    }  # fmt: skip
    assert json.loads(result.stdout)["tolerance"] == 0.05

    calls.clear()
    ab = ("ab", model, "--b", "precision=bf16", "--tolerance", "0.5", "--json")
    record = json.loads(tvmfuse_cli(*ab).stdout)
    second, first = (keywords["enabled_pass"] for _, keywords in calls)
    assert (first, second) == ((), ("AutoMixedPrecision",))
    assert record["tolerance"] == 0.5


@pytest.mark.parametrize("verb", ["ablate", "bisect", "compare", "diff", "profile", "report"])
def test_every_verb_that_measures_takes_a_precision(
    verb: str, model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def measure(_: Any, **settings: Any) -> Never:
        asked.append(settings["precision"])
        raise OSError(errno.EIO, "pretended")

    name = {"compare": "accuracy"}.get(verb, verb)
    for place in ("tvmfuse.measure", f"tvmfuse.measure.{name}"):
        monkeypatch.setattr(importlib.import_module(place), name, measure)
    assert tvmfuse_cli(verb, model, "--precision", "bf16").exit_code == 1
    assert asked == ["bf16"]


@pytest.fixture
def busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let others take these shares of the cores, second by second."""

    def take(*shares: float) -> None:
        machine = BusyMachine(tmp_path / "machine", *shares)
        monkeypatch.setattr("tvmfuse.measure.settings.Watch", lambda: machine.watch)

    return take


def test_a_busy_machine_gives_no_verdict_and_says_so_first(
    compiler: Any, model: Any, busy: Callable[..., None]
) -> None:
    compiler("compile", artifact)
    busy(0.89)
    result = tvmfuse_cli("ab", model, "--disable", "ConvBNFusion")
    said = " ".join(result.stdout.split())
    assert result.exit_code == 0
    assert said.count("Not quiet: other processes took 89 %") == 1
    assert said.index("target llvm: ms per run") > said.index("Not quiet") < said.index("mean")
    assert "no verdict: speedup of B" in said
    assert "when disabled" not in said


def test_on_a_busy_machine_every_time_is_grey(
    compiler: Any, model: Any, busy: Callable[..., None], tmp_path: Path
) -> None:
    """Those of the baseline, too, of which no ratio says that it was disturbed."""
    pytest.importorskip("grandalf")
    compiler("compile", artifact)
    for others, grey in ((0.0, 3), (0.89, 4)):  # three levels take as long as none does
        busy(others)
        page = tmp_path / f"{grey}.html"
        assert tvmfuse_cli("ladder", model, "--html", page).exit_code == 0
        body = page.read_text().partition("<tbody>")[2].partition("</tbody>")[0]
        assert body.count("<tr") == 4
        assert body.count('<tr class="doubtful">') == grey, others


def test_the_table_of_two_long_variants_fits_80_columns(compiler: Any, model: Any) -> None:
    """Their names stand above it: beside eight columns they were four letters wide."""
    compiler("compile", artifact)
    off = "ConvBNFusion,FuseOps,FuseTIR,ConstantFolding"
    lines = tvmfuse_cli("ab", model, "--disable", off).stdout.splitlines()
    assert max(len(line) for line in lines if line[:1] in "┏┃┡│└") <= 80
    assert [line for line in lines if line.startswith("B, candidate: level all without ConvBN")]
    assert [line.split()[1] for line in lines if line.startswith("│")] == ["A", "B"]


@pytest.mark.parametrize("verb", [("ab", "--disable", "ConvBNFusion"), ("ladder",)])
def test_quiet_that_is_required_has_its_own_exit_code(
    compiler: Any, model: Any, busy: Callable[..., None], verb: tuple[str, ...]
) -> None:
    compiler("compile", artifact)
    busy(0.89)
    result = tvmfuse_cli(verb[0], model, *verb[1:], "--require-quiet", "--wait-quiet", "9")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "expected a quiet machine, and after 9 s other processes took 89 %" in result.stderr
    busy(0.0)
    assert tvmfuse_cli(verb[0], model, *verb[1:], "--require-quiet").exit_code == 0


def test_what_happens_meanwhile_counts_too_and_the_times_are_printed(
    compiler: Any, model: Any, busy: Callable[..., None]
) -> None:
    compiler("compile", artifact)
    busy(0.0, 0.0, 0.0, 0.0, 0.89)
    result = tvmfuse_cli("ab", model, "--disable", "ConvBNFusion", "--require-quiet")
    assert result.exit_code == 3
    assert "A, baseline" in result.stdout
    assert "error: --require-quiet: Not quiet: other processes took 89 %" in result.stderr


def _said(*arguments: Any) -> Any:
    return " ".join(tvmfuse_cli("ab", *arguments).stdout.split())


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        ("levle=basic", "a variant has no 'levle'; did you mean level?"),
        ("level=basics", "no level is called 'basics'; did you mean basic?"),
        ("basic", "expected KEY=VALUE as in level=basic, found 'basic'"),
        ("disable=FuseOp5", "did you mean FuseOps"),
        ("engine=onnxruntime,disable=FuseOps", "engine=onnxruntime takes level and threads"),
    ],
)
def test_ab_refuses_variants_in_words_before_any_work(
    compiler: Any, model: Any, variant: str, words: str
) -> None:
    calls = compiler("compile", artifact)
    result = tvmfuse_cli("ab", model, "--b", variant)
    assert result.exit_code == 2
    assert words in result.stderr
    assert calls == []


@pytest.mark.parametrize("verb", ["ab", "ladder", "ablate"])
@pytest.mark.parametrize("seconds", ["nan", "inf", "0"])
def test_a_duration_is_a_number_of_seconds(
    compiler: Any, model: Any, verb: str, seconds: str
) -> None:
    calls = compiler("compile", artifact)
    result = tvmfuse_cli(verb, model, "--duration", seconds)
    assert result.exit_code == 2
    assert "--duration" in result.stderr
    assert calls == []


@pytest.mark.parametrize("verb", ["ladder", "ablate"])
def test_ladder_and_ablate_pass_every_option_on(compiler: Any, model: Any, verb: str) -> None:
    calls = compiler("compile", artifact)
    result = tvmfuse_cli(
        verb, model, "--target", "avx2", "--threads", "3", "--shape", "x:1,2", "--dim", "n=2",
        "--no-cache", "--duration", "0.1", "--seed", "7", "--json",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    for _, keywords in calls:
        assert (str(keywords["target"]), keywords["cache"]) == (str(resolve("avx2")), False)
        assert (keywords["shapes"], keywords["dims"]) == ({"x": (1, 2)}, {"n": 2})
    assert json.loads(result.stdout)["seed"] == 7


@pytest.mark.parametrize("verb", ["ladder", "ablate"])
def test_ladder_and_ablate_print_what_was_measured_until_ctrl_c(
    compiler: Any, model: Any, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    compiler("compile", artifact)
    monkeypatch.setattr(PretendedExecutable, "interrupted_ns", 6e9)
    result = tvmfuse_cli(verb, model, "--duration", "600")
    assert result.exit_code == 130
    words = " ".join(result.stdout.split())
    assert "interrupted: this is what was measured until then" in words
    gain = {"ladder": "1.000 (1.000 to 1.000)", "ablate": "1.200 (1.200 to 1.200)"}[verb]
    assert gain in words
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_ablate_without_a_model_takes_the_demo_and_draws_it(compiler: Any, tmp_path: Path) -> None:
    compiler("compile", artifact)
    page, picture = tmp_path / "a.html", tmp_path / "a.svg"
    result = tvmfuse_cli("ablate", "--duration", "0.1", "--html", page, "--picture", picture)
    assert result.exit_code == 0, result.output
    assert "WeeNet" in result.stdout
    assert "ConvBNFusion" in page.read_text().replace("<wbr>", "")
    drawn = ElementTree.parse(picture).getroot()
    assert drawn.tag.endswith("svg")
    assert "prefers-color-scheme: dark" in picture.read_text()
    assert "ConvBNFusion" in "".join(drawn.itertext())


def test_a_picture_of_nothing_is_not_written_and_that_is_said(
    compiler: Any, model: Any, tmp_path: Path
) -> None:
    compiler(
        "compile",
        lambda _model, **_: PretendedArtifact(
            PretendedExecutable(), pretended_report("ConvBNFusion")
        ),
    )
    result = tvmfuse_cli("ablate", model, "--picture", tmp_path / "a.svg")
    assert result.exit_code == 0, result.output
    assert "no pass fires on this model" in result.stdout
    assert result.stderr == f"{tmp_path / 'a.svg'}: not written: nothing was timed to draw\n"
    assert not (tmp_path / "a.svg").exists()


@pytest.mark.parametrize(
    "words", ["run -o", "ablate --html", "ablate --picture", "compile --save-optimized x -o"]
)
def test_a_full_disk_is_said_with_the_file_and_leaves_no_half_of_it(
    compiler: Any, model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    class Full(io.FileIO):
        def write(self, _data: Any) -> Never:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def save(_artifact: Any, path: Any) -> None:
        with atomic_write(path) as file:
            file.write(b"code")

    def fdopen(handle: Any, _mode: Any) -> Any:
        return Full(handle, "wb")

    compiler("compile", artifact)
    monkeypatch.setattr(PretendedArtifact, "save", save)
    monkeypatch.setattr("tvmfuse.format.atomic.os.fdopen", fdopen)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    verb, *options = words.split()
    result = tvmfuse_cli(verb, model, *options, tmp_path / "folder" / "out")
    assert result.exit_code == 1, result.output
    assert (
        f"error: cannot write {tmp_path / 'folder' / 'out'}: No space left on device"
        in result.stderr
    )
    assert list((tmp_path / "folder").iterdir()) == []


@pytest.mark.parametrize("verb", ["ladder", "ablate"])
def test_what_pages_take_is_asked_for_before_any_work(
    compiler: Any, model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    calls = compiler("compile", artifact)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    result = tvmfuse_cli(verb, model, "--picture", tmp_path / "a.svg")
    assert result.exit_code == 2
    assert "pip install 'tvmfuse[report]'" in result.stderr
    assert calls == []
