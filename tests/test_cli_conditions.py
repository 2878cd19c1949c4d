"""What stands in the head of every verb that runs a model: on how many threads, at which sizes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import onnx
import pytest
from firing import of
from pretended import tvmfuse_cli
from quiet import is_quiet

pytestmark = pytest.mark.sampled(5)

RUNS = {
    "ab": ("--disable", "FuseOps", "--duration", "0.05"),
    "ablate": ("--duration", "0.05"),
    "bisect": (),
    "compare": (),
    "ladder": ("--duration", "0.05"),
    "profile": ("--duration", "0.05"),
    "report": ("--duration", "0.05"),
}
AT = ("--threads", "1", "--dim", "n=3")
WORDS = "threads: 1, n=3, m=128"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("conditions") / "net.onnx"
    onnx.save(of("", "a = Exp(x) b = Identity(a) y = Neg(b)", "float[n,m] x").model(), path)
    return path


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    is_quiet(monkeypatch)


def said(verb: str, model: Path, *others: Any) -> str:
    result = tvmfuse_cli(verb, model, *AT, *RUNS[verb], *others)
    assert result.exit_code == 0, result.output
    return str(result.stdout)


@pytest.mark.parametrize("verb", sorted(RUNS))
def test_the_head_of_a_table(model: Path, verb: str) -> None:
    printed = " ".join(said(verb, model).split())
    heads = 4 if verb == "report" else 1  # of its parts: levels, passes, profile, accuracy
    assert printed.count(WORDS) == heads
    assert "nobody fixed m, so that it was measured at m=128" in printed
    if verb != "report":
        assert printed.index(WORDS) < printed.index("┃")


@pytest.mark.parametrize("verb", sorted(RUNS))
def test_json(model: Path, verb: str) -> None:
    record = json.loads(said(verb, model, "--json"))
    parts = ("ladder", "ablate", "profile", "accuracy") if verb == "report" else ("",)
    for part in parts:
        found = record[part] if part else record
        found = found.get("conditions", found)  # a profile has them among its own figures
        assert (found["threads"], found["sizes"]) == (1, {"n": 3, "m": 128})
        assert found["assumed"] == ["m"]


@pytest.mark.parametrize(
    ("verb", "option"),
    [(v, "--html") for v in ("ablate", "compare", "ladder", "profile")] + [("report", "-o")],
)
def test_pages(model: Path, tmp_path: Path, verb: str, option: str) -> None:
    pytest.importorskip("grandalf")
    said(verb, model, option, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count(WORDS) == (4 if verb == "report" else 1)


def test_a_trace(model: Path, tmp_path: Path) -> None:
    said("profile", model, "--trace", tmp_path / "trace.json")
    record = json.loads((tmp_path / "trace.json").read_text())["otherData"]
    assert (record["threads"], record["sizes"]) == (1, {"n": 3, "m": 128})


def test_variants_on_different_threads_have_both_in_the_head(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tvmfuse.measure.many.PAUSE_S", 0.0)  # nobody looks at the times
    printed = said("ab", model, "--a", "threads=1", "--b", "threads=2")
    record = json.loads(said("ab", model, "--a", "threads=1", "--b", "threads=2", "--json"))
    if record["conditions"]["threads"] != 1:  # of one core there is one head
        assert "threads: 1 and 2, n=3, m=128" in " ".join(printed.split())
        assert record["conditions"]["threads"] == [1, 2]
