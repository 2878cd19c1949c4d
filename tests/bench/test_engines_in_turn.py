"""`python -m bench.models` with pretended engines: words, order, what Ctrl-C leaves."""

from __future__ import annotations

import json
from contextlib import nullcontext
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from bench import in_turn
from bench.engines import ENGINES, Engine
from bench.models import MODELS, __main__ as command
from tvmfuse.errors import WrongNumbersError
from tvmfuse.measure.clock import Clock
from tvmfuse.target.machine import Machine as Cpu
from tvmfuse.target.resolve import resolve

SPEEDUP = {"f32": 1, "bf16": 2, "int8": 4, "int8w7": 5}


class Machine:
    """Engines that take the milliseconds they are told to, by a clock that only they move."""

    def __init__(self) -> None:
        self.ns = 0
        self.engines: dict[str, Engine] = {}
        self.interrupted_ns = float("inf")
        self.clock = Clock(lambda: self.ns, resolution_ns=1)

    def engine(self, milliseconds: Any, answer: Any = 1.0, words: Any = None, **lacks: Any) -> Any:
        def build(job: Any) -> Any:
            return lambda feeds: run(job, feeds)

        def run(job: Any, feeds: Any) -> Any:
            self.ns += int(milliseconds * 1e6 / SPEEDUP[job.precision])
            if self.ns > self.interrupted_ns:
                raise KeyboardInterrupt
            number = answer if isinstance(answer, float) else answer[job.precision]
            return {"logits": np.full((len(feeds), 3), number, np.float32)}

        def probe() -> None:
            if words:
                raise RuntimeError(words)

        return Engine("pretended", "numpy", build, probe, lacks)

    def process(self, engine: str, job: Any, feeds: Any) -> Any:
        """Stand for a process of its own: what is pretended here lives in this one."""
        run = partial(self.engines[engine].build(job), feeds)
        return nullcontext(SimpleNamespace(outputs=run, run=run))


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Any:
    fake = Machine()
    monkeypatch.setattr("tvmfuse.measure.interleave.system_clock", lambda: fake.clock)
    monkeypatch.setattr(in_turn, "thread_clock", lambda: fake.clock)
    monkeypatch.setattr(in_turn, "OwnProcess", fake.process)
    monkeypatch.setattr(in_turn, "clock_of", lambda _: fake.clock)
    monkeypatch.setattr("bench.precisions.this_machine", lambda: Cpu.of(resolve("znver4")))
    for name in ("onnx_file", "int8_file"):
        monkeypatch.setattr(command, name, lambda *_, **__: None)
    fake.engines = {
        **ENGINES,
        "tvmfuse": fake.engine(10, answer={"f32": 1.0, "bf16": 1.01, "int8": 1.1}),
        "onnxruntime": fake.engine(15, answer={"f32": 1.0, "int8": 1.2}, bf16="it has none"),
        "openvino": fake.engine(10, answer=2.0),
        "torch": fake.engine(10, words="no compiler\nno trace of it"),
    }
    for module in (command, in_turn):
        monkeypatch.setattr(module, "ENGINES", fake.engines)
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
    assert "1.500 (1.500 to 1.500)" in text
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
    assert (
        "tvmfuse in float32 and openvino in float32 disagree, so neither is timed" in result.stderr
    )
    assert "Traceback" not in result.output


def test_wrong_numbers_of_a_model_leave_the_others(
    machine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was measured before, and after, is printed; the command fails all the same."""
    real = command.measure

    def measure(name: str, *args: Any, **how: Any) -> Any:
        if name == "resnet18":
            raise WrongNumbersError("a", "b", ["output 'y': 0.5"])
        return real(name, *args, **how)

    monkeypatch.setattr(command, "measure", measure)
    result = bench("vit", "resnet18", "bert", "--json")
    assert result.exit_code == 1
    assert {row["model"] for row in json.loads(result.stdout)["results"]} == {"vit", "bert"}
    assert "Error: resnet18: a and b disagree, so neither is timed: output 'y'" in result.stderr


def test_each_precision_has_ratios_of_its_own_and_a_gain_over_float32(machine: Any) -> None:
    result = bench("vit", "--precision", "f32,bf16,int8", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["left_out"] == {"onnxruntime in bf16": "it has none"}
    rows = {(row["engine"], row["precision"]): row for row in found["results"]}
    assert [*rows] == [
        ("tvmfuse", "f32"), ("onnxruntime", "f32"), ("tvmfuse", "bf16"),
        ("tvmfuse", "int8"), ("onnxruntime", "int8"),
    ]  # fmt: skip
    assert rows["onnxruntime", "int8"]["ratio"]["median"] == pytest.approx(1.5)
    assert rows["tvmfuse", "bf16"]["gain"]["median"] == pytest.approx(2)
    assert rows["onnxruntime", "int8"]["gain"]["median"] == pytest.approx(4)
    assert rows["tvmfuse", "f32"]["gain"] is None
    # bfloat16 is compared with float32, int8 with the first engine's.
    assert rows["tvmfuse", "bf16"]["error"] == pytest.approx(0.01)
    assert rows["tvmfuse", "int8"]["error"] == 0
    assert rows["onnxruntime", "int8"]["error"] == pytest.approx(0.1 / 1.1)
    text = bench("vit", "--precision", "f32,bf16,int8").stdout
    assert "float32 by it" in text
    head, _, *rows = bench("vit", "--precision", "f32,bf16,int8", "--markdown").stdout.splitlines()
    assert head == "| model | precision | tvmfuse, ms | pretended | float32 by it |"
    ratio, gain = "1.500 (1.500 to 1.500)", "2.000 (2.000 to 2.000)"
    assert rows[0] == f"| vit | f32 | 10 | {ratio} |  |"
    assert rows[1] == f"| vit | bf16 | 5 | - | {gain} |"
    assert max(map(len, text.splitlines())) <= 100


def test_weights_of_seven_bits_are_another_file(
    machine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[int]()
    monkeypatch.setattr(
        command, "int8_file", lambda *_, weight_bits, **__: asked.append(weight_bits)
    )
    machine.engines["tvmfuse"] = machine.engine(10)
    words = ("vit", "--engines", "tvmfuse", "--precision", "f32,int8,int8w7", "--json")
    rows = json.loads(bench(*words).stdout)["results"]
    assert [row["precision"] for row in rows] == ["f32", "int8", "int8w7"]
    assert asked == [8, 7]


def test_a_precision_alone_is_compared_within_itself(machine: Any) -> None:
    found = json.loads(bench("vit", "--precision", "bf16,int8", "--json").stdout)["results"]
    assert [(row["error"] < 0.1, row["gain"]) for row in found] == [(True, None)] * 3


def test_a_precision_that_the_machine_has_no_instructions_for_is_left_out(
    machine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.precisions.this_machine", lambda: Cpu.of(resolve("avx2")))
    result = bench("vit", "--precision", "bf16")
    assert result.exit_code == 1
    assert "left out: bf16: this CPU has no instruction that multiplies bfloat16" in result.stderr
    assert "no engine is left" in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("resnt18",), "no model is called 'resnt18'; did you mean resnet18"),
        (("--engines", "tvm"), "no engine is called 'tvm'; did you mean tvmfuse"),
        (("--precision", "f16"), "no precision is called 'f16'; did you mean bf16"),
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
