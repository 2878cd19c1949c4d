"""Reports: what they say first, and what they say of a part that is not there."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console
from rich.table import Table

from tvmfuse import measure
from tvmfuse.cli import main
from tvmfuse.demo import wee_net
from tvmfuse.errors import ConfigurationError, InputError, MalformedModelError, NotQuietError
from tvmfuse.measure.results.verdicts import verdicts
from tvmfuse.measure.statistics import Ratio
from tvmfuse.progress import Step

PARTS = ("ladder", "ablate", "profile", "diff", "accuracy")


class PretendedPart:
    interrupted = False
    machine: measure.Machine | None = None
    rungs = effects = ()
    agrees, sentence, outputs, against, tolerance = True, "", (), "onnxruntime", 1e-4

    def __init__(self, name: Any) -> None:
        self.name = name

    def lines(self) -> Any:
        return []

    def table(self) -> Any:
        table = Table(title=self.name)
        table.add_column("[what]")
        table.add_row(f"table of {self.name}")
        return table

    def to_json(self) -> Any:
        return {"name": self.name}

    def to_html(self) -> str:
        return f"<section><h2>{self.name}</h2>page of {self.name}</section>"


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put pretended measurements in the place of all but `diff`; returns the calls they get."""
    calls = {}

    def pretend(name: Any, result: Any = None) -> None:
        def make(model: Any, **settings: Any) -> Any:
            calls[name] = settings
            if isinstance(result, BaseException):
                raise result
            return result or PretendedPart(name)

        monkeypatch.setattr(measure, name, make, raising=False)

    for name in PARTS:
        if name != "diff":
            pretend(name)
    vars(pretend)["calls"] = calls
    return pretend


def test_all_parts_are_there_in_the_order_of_reading(parts: Any) -> None:
    found = measure.report(wee_net())
    assert [s.name for s in found.sections] == list(PARTS)
    assert found.missing == ()
    page = found.to_html()
    assert [
        page.index(f"page of {n}") for n in ("ladder", "ablate", "profile", "accuracy")
    ] == sorted(page.index(f"page of {n}") for n in ("ladder", "ablate", "profile", "accuracy"))
    assert "fused_conv_relu" in page


def test_settings_reach_the_parts_and_the_time_is_shared(parts: Any) -> None:
    measure.report(wee_net(), target="avx2", threads=3, seed=7, duration_s=100, cache=False)
    for name in ("ladder", "ablate", "profile", "accuracy"):
        settings = parts.calls[name]
        assert (settings["target"], settings["threads"], settings["seed"], settings["cache"]) == (
            "avx2",
            3,
            7,
            False,
        )
    assert sum(call.get("duration_s", 0) for call in parts.calls.values()) == pytest.approx(100)


def test_progress_names_the_part(parts: Any) -> None:
    said: list[str] = []
    measure.report(wee_net(), progress=said.append)
    assert "diff: ConvBNFusion" in said
    parts.calls["ladder"]["progress"](Step("measuring", 0.5))
    assert said[-1] == "ladder: measuring"


@pytest.mark.parametrize(
    "error", [InputError("the inputs are <wrong>"), ZeroDivisionError("the inputs are <wrong>")]
)
def test_a_part_that_fails_is_left_out_with_its_reason(parts: Any, error: Any) -> None:
    parts("profile", error)
    found = measure.report(wee_net())
    assert "the inputs are <wrong>" in found["profile"].problem
    assert [m.partition(":")[0] for m in found.missing] == ["profile"]
    page = found.to_html()
    assert "the inputs are &lt;wrong&gt;" in page
    assert "page of accuracy" in page
    assert json.loads(json.dumps(found.to_json()))["profile"] is None


def test_ctrl_c_in_a_part_ends_the_report_and_keeps_what_is_done(parts: Any) -> None:
    parts("ablate", KeyboardInterrupt())
    found = measure.report(wee_net())
    assert found.interrupted
    assert [s.name for s in found.sections if s.part] == ["ladder", "diff"]
    assert found["ablate"].problem == "interrupted"
    assert found["accuracy"].problem == "interrupted before it began"


def test_a_part_that_kept_what_it_had_ends_the_report_too(parts: Any) -> None:
    part = PretendedPart("ladder")
    part.interrupted = True
    parts("ladder", part)
    found = measure.report(wee_net())
    assert found.interrupted
    kept: object = found["ladder"].part
    assert kept is part
    assert found["profile"].part is None


@pytest.mark.parametrize(
    ("arguments", "error"),
    [({"target": "avx3"}, ConfigurationError), ({"dims": {"n": 1}}, ConfigurationError)],
)
def test_what_no_part_can_take_is_refused(parts: Any, arguments: Any, error: Any) -> None:
    with pytest.raises(error):
        measure.report(wee_net(), **arguments)
    assert parts.calls == {}


def test_a_file_that_is_no_model_is_refused(parts: Any) -> None:
    with pytest.raises(MalformedModelError):
        measure.report(b"no model")


def test_its_table_has_all_parts_and_fits_the_terminal(parts: Any) -> None:
    console = Console(width=100, color_system=None)
    with console.capture() as captured:
        console.print(measure.report(wee_net()).table())
    text = captured.get()
    assert max(map(len, text.splitlines())) <= 100
    assert "table of ladder" in text


def test_the_verb_writes_the_page_and_says_what_is_in_it(parts: Any, tmp_path: Path) -> None:
    (tmp_path / "wee.onnx").write_bytes(wee_net().SerializeToString())
    page = tmp_path / "wee.html"
    result = CliRunner().invoke(
        main, ["report", str(tmp_path / "wee.onnx"), "-o", str(page), "--threads", "2"]
    )
    assert result.exit_code == 0, result.output
    assert "3 operators became 2, and 1 kernel." in result.stdout
    text = page.read_text()
    assert "wee.onnx: what tvmfuse does for it" in text
    assert "<code>tvmfuse" in text
    assert parts.calls["ladder"]["threads"] == 2


def test_the_verb_ends_with_130_where_it_was_interrupted_and_writes_the_page(
    parts: Any, tmp_path: Path
) -> None:
    (tmp_path / "wee.onnx").write_bytes(wee_net().SerializeToString())
    parts("ladder", KeyboardInterrupt())
    result = CliRunner().invoke(
        main, ["report", str(tmp_path / "wee.onnx"), "-o", str(tmp_path / "r.html")]
    )
    assert result.exit_code == 130
    assert "ladder: not here: interrupted." in result.stdout
    assert "Not here: interrupted." in (tmp_path / "r.html").read_text()


def test_the_verb_does_not_write_over_the_model(tmp_path: Path) -> None:
    (tmp_path / "wee.onnx").write_bytes(b"a model")
    result = CliRunner().invoke(
        main, ["report", str(tmp_path / "wee.onnx"), "-o", str(tmp_path / "wee.onnx")]
    )
    assert result.exit_code == 2
    assert "--output would overwrite MODEL" in result.stderr


def rung(level: Any, ms: Any, gain: Any = None) -> Any:
    summary, cost = SimpleNamespace(median=ms), SimpleNamespace(kernels=int(ms))
    return SimpleNamespace(
        level=level, timing=SimpleNamespace(summary=summary, cost=cost), speedup=gain
    )


def effect(name: Any, gain: Any) -> Any:
    return SimpleNamespace(name=name, leave_one_out=SimpleNamespace(speedup=gain))


FAST, SLOW, SAME, WIDE, NOISY = (
    Ratio(2.0, 1.9, 2.1, 0.99, 40),
    Ratio(0.8, 0.7, 0.9, 0.99, 40),
    Ratio(1.01, 0.9, 1.1, 0.99, 40),
    Ratio(5.0, 3.0, 7.0, 0.99, 40),
    Ratio(2.0, 1.9, 2.1, 0.99, 40, disturbed=True),
)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"ladder": SimpleNamespace(rungs=(rung("none", 40.0), rung("basic", 38.0, SAME), rung("layout", 20.0, FAST)))},
         ("2.000x (CI 1.900 to 2.100) is the speedup of level layout over level none: 20 ms instead of 40 ms, with "
         "20 kernels instead of 40")),
        ({"ladder": SimpleNamespace(rungs=(rung("none", 40.0), rung("basic", 38.0, SAME)))},
         "1.010x (CI 0.900 to 1.100) is the largest speedup of a level: not significant"),
        ({"ladder": SimpleNamespace(rungs=(rung("none", 40.0), rung("basic", 8.0, WIDE), rung("layout", 20.0, FAST)))},
         ("2.000x (CI 1.900 to 2.100) is the speedup of level layout over level none: 20 ms instead of 40 ms, with "
         "20 kernels instead of 40")),
        ({"ladder": SimpleNamespace(rungs=(rung("none", 40.0), rung("basic", 8.0, WIDE)))},
         "0 levels have a speedup that can be told: too noisy to tell"),
        ({"ladder": SimpleNamespace(rungs=(rung("none", 40.0), rung("basic", 20.0, NOISY)))},
         "0 levels have a speedup that can be told: no verdict"),
        ({"ablate": SimpleNamespace(effects=(effect("A", NOISY), effect("B", SAME)))},
         "0 of 2 passes that fire have a verdict"),
        ({"ablate": SimpleNamespace(effects=(effect("A", FAST), effect("B", SAME), effect("C", SLOW), effect("D",
            None)))},
         ("2.000x (CI 1.900 to 2.100) is the largest speedup of a pass in level all, A's; 2 of 4 passes that fire "
         "have a significant effect on level all; faster when disabled: C")),
        ({"ablate": SimpleNamespace(effects=(effect("B", SAME),))},
            "0 of 1 passes that fire have a significant effect on level all"),
        ({"ablate": SimpleNamespace(effects=(effect("C", SLOW),))},
            "1 of 1 passes that fire have a significant effect on level all; it is faster when disabled: C"),
    ],
)  # fmt: skip
def test_verdicts_say_the_numbers_and_claim_no_effect_that_is_not_shown(
    parts: Any, words: str
) -> None:
    assert verdicts(parts) == (words,)


def test_one_banner_stands_on_top_and_names_the_parts(parts: Any) -> None:
    for name, others in (("ladder", 0.25), ("ablate", 0.5), ("profile", 0.0)):
        part: Any = PretendedPart(name)
        part.machine = measure.Machine(cores=2, others=others, mhz=(1.0, 2.0))
        parts(name, part)
    found = measure.report(wee_net())
    assert found.banner == (
        "Not quiet: other processes took 50 % of the time of the 2 cores that this one may use. "
        "What was timed meanwhile gets no verdict: ladder, ablate."
    )
    (caution,) = found.cautions
    assert "frequency moved" in caution
    page = found.to_html()
    assert page.count('class="banner"') == page.count("Not quiet") == 1
    assert page.index("Not quiet") < page.index("3 operators") < page.index("page of ladder")
    assert found.to_json()["banner"] == found.banner


def test_a_quiet_machine_has_no_banner(parts: Any) -> None:
    found = measure.report(wee_net())
    assert found.banner == ""
    assert 'class="banner"' not in found.to_html()


def test_parts_share_the_time_to_wait_for_quiet(parts: Any) -> None:
    part: Any = PretendedPart("ladder")
    part.machine = measure.Machine(cores=2, waited_s=45.0)
    parts("ladder", part)
    measure.report(wee_net(), quiet=measure.Quiet(60.0))
    waits = [parts.calls[name]["quiet"].wait_s for name in ("ladder", "ablate", "profile")]
    assert waits == [60.0, 15.0, 15.0]


def test_quiet_that_is_required_ends_the_report(parts: Any) -> None:
    parts("ladder", NotQuietError(("others took 90 %",), 0.0))
    with pytest.raises(NotQuietError, match="others took 90 %"):
        measure.report(wee_net(), quiet=measure.Quiet(required=True))


def test_wrong_numbers_are_said_in_the_summary() -> None:
    accuracy = SimpleNamespace(
        agrees=False, sentence="level all and onnxruntime differ: output 'y'"
    )
    assert verdicts({"accuracy": accuracy, "ladder": None}) == (accuracy.sentence,)
