"""The command line with the real compiler, on the demo model."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from onnx.reference import ReferenceEvaluator
from relax_models import WITHOUT_TORCH

import tvmfuse
from tvmfuse.cli import main
from tvmfuse.demo import wee_net
from tvmfuse.passes.basic.conv_bn_fusion import ConvBNFusion
from tvmfuse.progress import Step


def tvmfuse_cli(*arguments: Any) -> Any:
    result = CliRunner().invoke(main, [str(a) for a in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("cli") / "wee.onnx"
    onnx.save(wee_net(), path)
    return path


@pytest.fixture(scope="module")
def library(model: Any) -> Any:
    path = model.with_name("wee.so")
    tvmfuse_cli("compile", model, "-o", path)
    return path


def test_compiled_file_runs_elsewhere_with_the_same_numbers(library: Any, tmp_path: Path) -> None:
    x = np.random.default_rng(0).standard_normal((1, 3, 128, 128)).astype(np.float32)
    np.savez(tmp_path / "x.npz", x=x)
    shutil.copy(library, tmp_path / "copy.so")
    tvmfuse_cli(
        "run", tmp_path / "copy.so", "--inputs", tmp_path / "x.npz", "-o", tmp_path / "y.npz"
    )
    (expected,) = ReferenceEvaluator(wee_net()).run(None, {"x": x})
    found = np.load(tmp_path / "y.npz")["y"]
    assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max()


def test_run_gives_the_same_for_the_model_and_its_library(model: Any, library: Any) -> None:
    assert tvmfuse_cli("run", model, "--seed", 3) == tvmfuse_cli("run", library, "--seed", 3)


@pytest.mark.parametrize("verb", ["bisect", "compare", "explain"])
def test_a_compiled_file_is_no_model(library: Any, verb: str) -> None:
    result = CliRunner().invoke(main, [verb, str(library)])
    assert result.exit_code == 1
    words = "this is compiled already: give the ONNX model that it was compiled from"
    assert result.stderr == f"error: {str(library)!r}: {words}\n"


def test_inspect_reads_the_manifest(library: Any) -> None:
    record = json.loads(tvmfuse_cli("inspect", library, "--json"))
    [image] = record["inputs"]
    assert (image["name"], image["dtype"], image["shape"]) == ("x", "float32", [1, 3, 128, 128])
    assert "ConvBNFusion" in record["passes_ran"]
    assert {node for kernel in record["kernels"] for node in kernel["nodes"]} == {
        "conv",
        "norm",
        "relu",
    }
    assert "x: float32[1, 3, 128, 128]" in tvmfuse_cli("inspect", library)


def test_explain_names_the_fusion(model: Any) -> None:
    record = json.loads(tvmfuse_cli("explain", model, "--json"))
    fired = {entry["name"]: entry["fired"] for entry in record["passes"]}
    assert fired["ConvBNFusion"] == 1
    assert "ConvBNFusion" in tvmfuse_cli("explain", model)


@pytest.mark.parametrize("verb", ["explain", "diff"])
def test_a_terminal_sees_how_many_passes_have_run(
    model: Any, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    seen: list[Any] = []

    @contextmanager
    def working(_what: Any) -> Iterator[Any]:
        yield seen.append

    monkeypatch.setattr(sys.modules[f"tvmfuse.cli.{verb}"], "working", working)
    tvmfuse_cli(verb, model)
    shares = [step.share for step in seen if isinstance(step, Step)]
    assert shares[0] == 0
    assert 0.9 < shares[-1] < 1


@pytest.mark.parametrize("verb", [["diff", "--html"], ["report", "-o"]])
def test_pages_ask_for_their_libraries_before_the_work(
    model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: list[str]
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "jinja2" else find(name)
    )
    result = CliRunner().invoke(main, [verb[0], str(model), verb[1], str(tmp_path / "page.html")])
    assert result.exit_code == 2
    assert "requires jinja2, which the extra `report` installs" in result.stderr


def test_diff_names_operators_nodes_and_passes(model: Any, tmp_path: Path) -> None:
    text = tvmfuse_cli("diff", model, "--from", "none", "--to", "All")
    assert re.search(r"conv, batch_norm +│ conv +│ .*\n.*│ conv, norm", text)
    assert "ConvBNFusion" in text
    assert max(map(len, text.splitlines())) <= 100
    record = json.loads(tvmfuse_cli("diff", model, "--around", "Conv BN Fusion", "--json"))
    [change] = record["stages"]["operators"]["changes"]
    assert (change["nodes"], change["passes"]) == (["conv", "norm"], ["ConvBNFusion"])
    said = tvmfuse_cli("diff", model, "--html", tmp_path / "wee.html")
    assert "operators: 3 before, 2 after" in said
    assert (
        "<title>wee.onnx: from level none to level all</title>"
        in (tmp_path / "wee.html").read_text()
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--around", "ConvBNFusoin"], "did you mean ConvBNFusion"),
        (["--from", "all"], "expected the first level below the last"),
        (["--html", "/no/such/folder/d.html"], "there is no folder"),
    ],
)
def test_diff_refuses_what_cannot_be_compared(model: Any, options: list[str], words: str) -> None:
    result = CliRunner().invoke(main, ["diff", str(model), *options])
    assert result.exit_code == 2
    assert words in result.stderr


@pytest.mark.parametrize(
    ("places", "words"),
    [
        (["-o", "model.onnx"], "--output would overwrite MODEL"),
        (["-o", "sub/../model.onnx"], "--output would overwrite MODEL"),
        (["-o", "m.so", "--save-optimized", "m.so"], "--save-optimized would overwrite --output"),
        (
            ["-o", "m.so", "--save-optimized", "model.onnx"],
            "--save-optimized would overwrite MODEL",
        ),
    ],
)
def test_compile_writes_over_none_of_its_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "model.onnx").write_bytes(b"a model")
    result = CliRunner().invoke(main, ["compile", "model.onnx", *places])
    assert result.exit_code == 2
    assert words in result.stderr
    assert (tmp_path / "model.onnx").read_bytes() == b"a model"


@pytest.mark.parametrize(
    "verb",
    [
        "compare --html",
        "diff --html",
        "profile --html",
        "profile --trace",
        "ladder --picture",
        "ablate --html",
        "run -o",
    ],
)
def test_no_verb_writes_over_the_model(tmp_path: Path, verb: str) -> None:
    (tmp_path / "model.onnx").write_bytes(b"a model")
    name, option = verb.split()
    result = CliRunner().invoke(
        main, [name, str(tmp_path / "model.onnx"), option, str(tmp_path / "model.onnx")]
    )
    assert result.exit_code == 2
    assert "would overwrite MODEL" in result.stderr
    assert (tmp_path / "model.onnx").read_bytes() == b"a model"


def test_a_folder_that_takes_no_file_is_refused_before_the_work(model: Any) -> None:
    result = CliRunner().invoke(main, ["report", str(model), "-o", "/proc/r.html"])
    assert result.exit_code == 2
    assert "cannot write /proc/" in result.stderr


@pytest.mark.parametrize(
    "names", ["NhwcTransformer", "FuseOps;NHWC Transformer", "QDQ Fusion,NhwcTransformer"]
)
def test_ab_refuses_passes_that_are_not_here(model: Any, names: str) -> None:
    result = CliRunner().invoke(main, ["ab", str(model), "--disable", names])
    assert result.exit_code == 2
    words = " ".join(result.stderr.split())
    assert "this version of tvmfuse does not have" in words
    assert "NhwcTransformer" in words


def test_an_optimized_graph_is_compiled_explained_and_not_inspected(
    model: Any, tmp_path: Path
) -> None:
    graph, first, second = (tmp_path / name for name in ("m.graph", "a.so", "b.so"))
    tvmfuse_cli("compile", str(model), "-o", str(first), "--save-optimized", str(graph))
    said = tvmfuse_cli("compile", str(graph), "-o", str(second))
    assert re.search(r"b\.so: .*, [1-9]\d* passes fired", said)
    fired = [{p["name"]: p["fired"] for p in json.loads(tvmfuse_cli("explain", str(m), "--json"))["passes"]}
             for m in (model, graph)]  # fmt: skip
    assert fired[0] == fired[1]
    for verb, option, words in (
        ("inspect", [], "is an optimized graph"),
        ("explain", ["--dim", "n=1"], "was optimized already, at level all"),
        ("ab", ["--disable", "FuseOps"], "disabled_pass FuseOps: compile the ONNX model instead"),
    ):
        result = CliRunner().invoke(main, [verb, str(graph), *option])
        assert result.exit_code in (1, 2)
        assert words in result.stderr


def test_passes_are_listed() -> None:
    listed = {entry["name"] for entry in json.loads(tvmfuse_cli("passes", "--json"))}
    assert {"FuseOps", "ConstantFolding", "ConvBNFusion"} <= listed
    text = tvmfuse_cli("passes")
    assert all(name in text for name in listed)
    assert max(map(len, text.splitlines())) <= 100


def test_ab_of_the_demo() -> None:
    record = json.loads(tvmfuse_cli("ab", "--duration", "1", "--json"))
    assert record["agreement"][0]["problem"] is None
    assert record["agreement"][0]["error"] > 0  # two different programs
    assert record["a"]["summary"]["samples"] == record["b"]["summary"]["samples"] >= 2


def test_ab_takes_aliases(model: Any) -> None:
    text = tvmfuse_cli("ab", model, "--disable", "FoldConstant,Conv BN Fusion", "--duration", "0.1")
    assert "A and B agree" in text


def test_an_unknown_pass_is_refused_with_the_close_ones(model: Any) -> None:
    result = CliRunner().invoke(main, ["ab", str(model), "--disable", "ConvBNFusoin"])
    assert result.exit_code == 2
    assert "did you mean ConvBNFusion" in result.stderr


def test_a_damaged_library_is_refused_in_words(library: Any, tmp_path: Path) -> None:
    path = tmp_path / "half.so"
    path.write_bytes(library.read_bytes()[: library.stat().st_size // 2])
    for verb in ("run", "inspect"):
        result = CliRunner().invoke(main, [verb, str(path)])
        assert result.exit_code == 1
        assert result.stderr.startswith("error: ")
        assert "unexpected" not in result.stderr


def test_a_file_that_is_no_model_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "bad.onnx").write_bytes(b"not a model")
    result = CliRunner().invoke(main, ["explain", str(tmp_path / "bad.onnx")])
    assert result.exit_code == 1
    assert "unexpected" not in result.stderr


def test_ctrl_c_prints_what_was_measured(tmp_path: Path) -> None:
    """A real signal to a real process, some time after it began to measure."""
    code = (
        # A background job of a shell starts with the signal ignored.
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import sys; import tvmfuse.measure.interleave as i; inner = i._warm_up\n"
        "def warm_up(*a):\n"
        "    try: return inner(*a)\n"
        "    finally: print('measuring', file=sys.stderr, flush=True)\n"
        "i._warm_up = warm_up\n"
        "from tvmfuse.cli import main; main(['ab', '--duration', '600', '--json'])"
    )
    command = [sys.executable, "-c", WITHOUT_TORCH + code]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while "measuring" not in (line := process.stderr.readline()):
        assert line, "ended before it measured"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    try:
        stdout, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert json.loads(stdout)["interrupted"] is True


def test_bisect_says_that_all_agrees(model: Any, tmp_path: Path) -> None:
    x = np.random.default_rng(0).standard_normal((1, 3, 128, 128)).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    said = tvmfuse_cli(
        "bisect",
        model,
        "--inputs",
        tmp_path / "x.npy",
        "--against",
        "none",
        "-o",
        tmp_path / "wrong",
    )
    assert "every level agrees with none" in said
    assert f"{tmp_path / 'wrong'}: not written: no wrong rewrite was found to show." in said
    assert not (tmp_path / "wrong").exists()


def test_bisect_names_a_wrong_pass_and_writes_what_shows_it(
    model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ConvBNFusion, "rewrite", lambda _self, match, _found: match["conv"])
    command = ["bisect", str(model), "-o", str(tmp_path / "wrong")]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 1, result.output
    assert "pass ConvBNFusion (basic) is wrong at conv, norm, rewrite 1 of" in result.stdout
    shown = (tmp_path / "wrong" / "command.txt").read_text()
    assert shown.strip() in result.stdout
    again = CliRunner().invoke(main, [*shlex.split(shown)[1:], "--json"])
    assert again.exit_code == 1, again.output
    assert json.loads(again.stdout)["culprit"]["nodes"] == ["conv", "norm"]


def test_compile_leaves_out_a_pass_that_is_wrong(
    model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ConvBNFusion, "rewrite", lambda _self, match, _found: match["conv"])
    result = CliRunner().invoke(
        main, ["compile", str(model), "-o", str(tmp_path / "m.so"), "--verify"]
    )
    assert result.exit_code == 0, result.output
    assert "warning: pass ConvBNFusion (basic) is wrong at conv, norm" in result.stderr
    assert "passes fired" in result.stdout


def test_launches_tell_whether_kernels_are_the_same() -> None:
    plain, same, other = (
        tvmfuse.compile(wee_net(seed=seed), disabled_pass=off)
        for seed, off in ((0, ()), (1, "CastElimination"), (0, "ConvBNFusion"))
    )
    assert plain.launches == same.launches != other.launches
    assert len(plain.launches) == len(plain.manifest.kernels) == 1
    assert plain.nbytes is not None
    assert plain.nbytes > 64 * 27 * 4  # the weights and some code
