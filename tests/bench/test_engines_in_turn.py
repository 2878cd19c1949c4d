"""`python -m bench.models` with pretended engines: words, order, what Ctrl-C leaves."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from bench.engines import ENGINES, Engine
from bench.models import MODELS, __main__ as command
from tvmfuse.measure.clock import Clock


class Machine:
    """Engines that take the milliseconds they are told to, by a clock that only they move."""

    def __init__(self) -> None:
        self.ns = 0
        self.interrupted_ns = float("inf")
        self.clock = Clock(lambda: self.ns, resolution_ns=1)

    def engine(self, milliseconds: Any, answer: float = 1.0, words: Any = None) -> Any:
        def run(feeds: Any) -> Any:
            self.ns += int(milliseconds * 1e6)
            if self.ns > self.interrupted_ns:
                raise KeyboardInterrupt
            return {"logits": np.full((len(feeds), 3), answer, np.float32)}

        def probe() -> None:
            if words:
                raise RuntimeError(words)

        return Engine("pretended", "numpy", lambda *_: run, probe)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Any:
    fake = Machine()
    monkeypatch.setattr("tvmfuse.measure.interleave.system_clock", lambda: fake.clock)
    monkeypatch.setattr(command, "onnx_file", lambda *_, **__: None)
    monkeypatch.setattr(
        command,
        "ENGINES",
        {
            **ENGINES,
            "tvmfuse": fake.engine(10),
            "onnxruntime": fake.engine(15),
            "openvino": fake.engine(10, answer=2.0),
            "torch": fake.engine(10, words="no compiler\nno trace of it"),
        },
    )
    return fake


def bench(*words: Any) -> Any:
    return CliRunner().invoke(command.main, words)


def test_ratios_are_by_the_first_engines_time(machine: Any) -> None:
    found = json.loads(bench("resnet18", "--json").stdout)
    ours, theirs = found["results"]
    assert (ours["engine"], theirs["engine"], theirs["model"]) == (
        "tvmfuse",
        "onnxruntime",
        "resnet18",
    )
    assert theirs["milliseconds"] == 15
    assert theirs["ratio"]["median"] == pytest.approx(1.5)
    assert {"command", "commit", "cpu", "versions"} <= found.keys()


def test_all_models_are_taken_where_none_is_named(machine: Any) -> None:
    found = json.loads(bench("--json", "--duration", "0.1").stdout)
    assert list(dict.fromkeys(r["model"] for r in found["results"])) == list(MODELS)


def test_the_table_says_where_and_fits_the_terminal(machine: Any) -> None:
    text = bench("resnet18", "--threads", "2").stdout
    assert "threads: 2, batch: 1" in text
    assert "1.500x (99 % CI 1.500 to 1.500)" in text
    assert max(map(len, text.splitlines())) <= 100


def test_slow_engines_run_until_there_is_an_interval(machine: Any) -> None:
    found = json.loads(bench("resnet18", "--duration", "0.001", "--json").stdout)
    assert found["results"][1]["ratio"]["pairs"] == 8


def test_what_is_not_there_is_left_out_in_words(machine: Any) -> None:
    result = bench("resnet18", "--engines", "tvmfuse,torch", "--json")
    assert result.exit_code == 0, result.output
    assert "left out: pretended: no compiler\n" in result.stderr
    found = json.loads(result.stdout)
    assert found["left_out"] == {"torch": "no compiler"}
    assert [r["engine"] for r in found["results"]] == ["tvmfuse"]
    nothing = bench("--engines", "torch")
    assert nothing.exit_code == 1
    assert "no engine is left" in nothing.stderr


def test_wrong_numbers_are_not_timed(machine: Any) -> None:
    result = bench("resnet18", "--engines", "tvmfuse,openvino")
    assert result.exit_code == 1
    assert "tvmfuse and openvino disagree, so neither is timed" in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("resnt18",), "no model is called 'resnt18'; did you mean resnet18"),
        (("--engines", "tvm"), "no engine is called 'tvm'; did you mean tvmfuse"),
        (("--engines", ","), "expected some of tvmfuse, onnxruntime, openvino, torch, found none"),
        (("--threads", "0"), "0 is not in the range"),
        (("--duration", "0"), "0.0 is not in the range"),
    ],
)
def test_what_does_not_exist_is_refused_in_words(words: tuple[str, ...], said: str) -> None:
    result = bench(*words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_an_interrupt_keeps_what_was_measured(machine: Any) -> None:
    machine.interrupted_ns = 12_000_000_000  # in the second model
    result = bench("resnet18", "vit", "bert", "--json")
    assert result.exit_code == 130
    assert "this is what was measured until then" in result.stderr
    found = json.loads(result.stdout)["results"]
    assert {r["model"] for r in found} == {"resnet18", "vit"}
    assert found[0]["ratio"]["pairs"] > found[2]["ratio"]["pairs"] > 0


def test_an_interrupt_before_anything_was_measured_prints_no_table(machine: Any) -> None:
    machine.interrupted_ns = 1
    result = bench("resnet18")
    assert result.exit_code == 130
    assert result.stdout == ""
