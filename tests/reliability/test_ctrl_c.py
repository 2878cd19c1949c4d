"""Ctrl-C at any moment of a verb: it stops in time, with 130, and leaves nothing half done."""

from __future__ import annotations

import random
import time
from pathlib import Path

import onnx
import pytest
from interrupted import LONG_S, Interrupted

from bench.light_models import light_model
from tvmfuse.demo import wee_net

VERBS = {
    "compile": ("compile", "{model}", "-o", "m.so", "--no-cache"),
    "ab": ("ab", "{model}", "--disable", "FuseOps", "--duration", "60"),
    "ladder": ("ladder", "{model}", "--duration", "60"),
    "ablate": ("ablate", "{model}", "--duration", "60"),
    "report": ("report", "{model}", "-o", "report.html", "--duration", "60"),
    "run": ("run", "{model}", "-o", "y.npz", "--no-cache"),
}
LAST_S = {"compile": 3.0, "run": 3.0}
"""Seconds after which SqueezeNet is still compiled; the others measure a small model for a minute."""

MOMENTS = 10  # of each verb
CASES = [(verb, place) for verb in VERBS for place in range(MOMENTS)]


STOPS_S = 2.0
"""Within which a verb has stopped where nothing else runs."""


def assert_stops(folder: Path, verb: str, after_s: float, *, within_s: float) -> float:
    """Interrupt a verb so many seconds after it has begun; return how long it went on."""
    model = folder / "model.onnx"
    onnx.save(light_model("squeezenet") if verb in LAST_S else wee_net(), model)
    arguments = [word.format(model=model) for word in VERBS[verb]]
    process = Interrupted(folder, "-m", "tvmfuse", *arguments)
    process.wait_until_watched()
    time.sleep(after_s)
    if process.process.poll() is not None:
        assert process.process.returncode == 0
        pytest.skip(f"{verb} was done before {after_s:.1f} s")
    ended = process.interrupt()
    if ended.code == 0:
        pytest.skip(f"{verb} was done at that moment")
    assert ended.code == 130, ended.stderr
    assert ended.seconds < within_s
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr
    assert ended.orphans == []
    assert process.left in ([], ["report.html"])
    if process.left:  # the parts that were done, as a whole page
        assert (process.work / "report.html").read_text().rstrip().endswith("</html>")
    return ended.seconds


@pytest.mark.parametrize("verb", ["compile", "ab"])
def test_a_verb_stops_at_once(verb: str, tmp_path: Path) -> None:
    assert_stops(tmp_path, verb, 1.0, within_s=LONG_S)


@pytest.mark.reliability
@pytest.mark.alone
@pytest.mark.parametrize(("verb", "place"), CASES)
def test_a_verb_stops_at_any_moment(verb: str, place: int, tmp_path: Path) -> None:
    moment = random.Random(f"{verb} {place}").uniform(0.0, LAST_S.get(verb, 8.0))
    seconds = assert_stops(tmp_path, verb, moment, within_s=STOPS_S)
    print(f"{verb} after {moment:.1f} s: stopped in {seconds:.2f} s")
