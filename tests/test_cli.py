"""The command line with a pretended compiler: options, words, exit codes, tables."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pretended
import pytest
from pretended import (
    PretendedArtifact,
    PretendedExecutable,
    artifact,
    pretended_report,
    tvmfuse_cli,
)
from pretended_cpu import be

from tvmfuse.cli import main
from tvmfuse.errors import MalformedModelError, UnknownPassError
from tvmfuse.manifest import Kernel, Manifest
from tvmfuse.passes.selection import PassInfo
from tvmfuse.target.resolve import resolve
from tvmfuse.tensor_spec import TensorSpec

VERBS = sorted(main.commands)
X = np.ones((1, 2), np.float32)
clock, compiler, model = pretended.clock, pretended.compiler, pretended.model


def test_compile_passes_every_option_on(compiler: Any, model: Any, tmp_path: Path) -> None:
    calls, out = compiler("compile", artifact), tmp_path / "m.so"
    result = tvmfuse_cli(
        "compile", model, "-o", out, "--target", "avx2", "--level", "Basic",
        "--disable", "ConvBNFusion, Conv Mul Fusion", "--disable", "FuseOps;ConvBNFusion",
        "--enable", "GeluApproximation", "--shape", "x:1,3", "--shape", "in:0:7",
        "--dim", "batch=2", "--dim", "n=1:64", "--save-optimized", tmp_path / "o.bin",
        "--disable-step", "Prefetch;KBlocking", "--precision", "bf16",
        "--specialize", "n=4,m=2", "--specialize", "n=8",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert calls == [
        (
            (Path(model),),
            {
                "precision": "bf16",
                "target": "avx2",
                "level": "basic",
                "disabled_pass": ("ConvBNFusion", "Conv Mul Fusion", "FuseOps"),
                "enabled_pass": ("GeluApproximation",),
                "shapes": {"x": (1, 3), "in:0": (7,)},
                "dims": {"batch": 2, "n": (1, 64)},
                "save_optimized": tmp_path / "o.bin",
                "cache": True,
                "verify": False,
                "strict": False,
                "fallback": None,
                "limits": {},
                "map_weights": False,
                "dump_ir": None,
                "disabled_step": ("Prefetch", "KBlocking"),
                "plans": None,
                "database": None,
                "specialize": [{"n": 4, "m": 2}, {"n": 8}],
            },
        )
    ]
    assert out.exists()
    assert "m.so: 1.0 MB, 0 passes fired" in result.stdout


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (["--shape", "x"], "expected NAME:D,D,... as in x:1,3,224,224, found 'x'"),
        (["--shape", "x:1,-3"], "expected NAME:D,D,..."),
        (["--dim", "batch"], "expected NAME=N as in batch=1, found 'batch'"),
        (["--dim", "=3"], "expected NAME=N"),
        (["--dim", "batch=:"], "expected NAME=A:B as in batch=1:64, found 'batch=:'"),
        (["--dim", "batch=1:-2"], "expected NAME=A:B as in batch=1:64"),
        (["--specialize", "n=4,batch"], "expected NAME=N as in batch=1, found 'batch'"),
        (["--level", "most"], "'most' is not one of"),
        (["-o", "/no/such/folder/m.so"], "there is no folder '/no/such/folder'"),
    ],
)
def test_malformed_options_are_refused_before_any_work(
    compiler: Any, model: Any, option: list[str], words: str
) -> None:
    calls = compiler("compile", artifact)
    result = tvmfuse_cli("compile", model, "-o", "m.so", *option)
    assert result.exit_code == 2
    assert words in result.stderr
    assert calls == []


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (
            UnknownPassError("x", ["ConvBNFusion"]),
            2,
            "error: no pass is called 'x'; `tvmfuse passes` lists them",
        ),
        (
            UnknownPassError("ConvBnFusoin", ["ConvBNFusion"]),
            2,
            "error: no pass is called 'ConvBnFusoin'; did you mean ConvBNFusion?",
        ),
        (MalformedModelError("truncated after 7 bytes"), 1, "error: truncated after 7 bytes"),
        (OSError(28, "No space left on device"), 1, "error: [Errno 28] No space left on device"),
        (MemoryError(), 1, "error: arrays of these sizes do not fit the memory"),
        (KeyError("y"), 1, "error: unexpected KeyError: 'y'; please report what"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_errors_are_one_line_in_words(
    compiler: Any, model: Any, error: Any, code: int, words: str
) -> None:
    compiler("explain", error)
    result = tvmfuse_cli("explain", model)
    assert result.exit_code == code
    assert result.stderr.startswith(words)
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_traceback_is_there_for_those_who_ask(compiler: Any, model: Any) -> None:
    compiler("explain", MalformedModelError("truncated"))
    result = tvmfuse_cli("--traceback", "explain", model)
    assert isinstance(result.exception, MalformedModelError)


def test_compile_as_json(compiler: Any, model: Any, tmp_path: Path) -> None:
    compiler("compile", artifact)
    result = tvmfuse_cli("compile", model, "-o", tmp_path / "m.so", "--json")
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    written: dict[str, Any] = {"model": model, "file": str(tmp_path / "m.so"), "bytes": 4 + 2**20}
    assert record == {**written, **json.loads(json.dumps(pretended_report().to_json()))}


def test_run_as_json(compiler: Any, tmp_path: Path) -> None:
    class Holes(PretendedExecutable):
        def __call__(self, feeds: Any) -> Any:
            return {
                "y": np.array([[1.0, np.nan], [4.0, np.inf]], np.float32),
                "n": np.empty(0, np.int64),
            }

    compiler("load", lambda _path, **_: Holes())
    path, out = tmp_path / "m.so", tmp_path / "out.npz"
    path.write_bytes(b"\x7fELF")
    np.save(tmp_path / "x.npy", X)
    result = tvmfuse_cli("run", path, "--inputs", tmp_path / "x.npy", "-o", out, "--json")
    assert result.exit_code == 0, result.output
    none: dict[str, Any] = dict.fromkeys(("min", "mean", "max"))
    assert json.loads(result.stdout) == {
        "model": str(path),
        "file": str(out),
        "inputs": [
            {
                "name": "x",
                "dtype": "float32",
                "shape": [1, 2],
                "min": 1,
                "mean": 1,
                "max": 1,
                "nan": 0,
                "infinite": 0,
            },
        ],
        "outputs": [
            {
                "name": "y",
                "dtype": "float32",
                "shape": [2, 2],
                "min": 1,
                "mean": 2.5,
                "max": 4,
                "nan": 1,
                "infinite": 1,
            },
            {"name": "n", "dtype": "int64", "shape": [0], **none, "nan": 0, "infinite": 0},
        ],
    }
    assert sorted(np.load(out)) == ["n", "y"]


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_json(verb: Any) -> None:
    assert "--json" in tvmfuse_cli(verb, "--help").output


def test_run_takes_compiled_files_by_their_content(compiler: Any, tmp_path: Path) -> None:
    calls, path = compiler("load", lambda _path, **_: PretendedExecutable()), tmp_path / "renamed"
    path.write_bytes(b"\x7fELF")
    result = tvmfuse_cli(
        "run", path, "--threads", "3", "--dim", "batch=3", "-o", tmp_path / "out.npz"
    )
    assert result.exit_code == 0, result.output
    assert calls == [((path,), {"num_threads": 3})]
    assert np.load(tmp_path / "out.npz")["y"].shape == (3, 2)
    assert "float32[3, 2]" in result.stdout


def test_run_compiles_models(compiler: Any, model: Any, tmp_path: Path) -> None:
    compiler("compile", artifact)
    np.save(tmp_path / "x.npy", X)
    result = tvmfuse_cli("run", model, "--inputs", tmp_path / "x.npy", "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert np.array_equal(np.load(tmp_path / "out")["y"], 2 * X)


@pytest.mark.parametrize("verb", ["compile", "run", "ab"])
def test_each_verb_that_compiles_can_do_without_the_cache(
    compiler: Any, model: Any, tmp_path: Path, verb: str
) -> None:
    calls = compiler("compile", artifact)
    options = {"compile": ["-o", f"{tmp_path}/m.so"], "ab": ["--disable", "FuseOps"]}.get(verb, [])
    for cache in (True, False):
        calls.clear()
        result = tvmfuse_cli(verb, model, *options, *([] if cache else ["--no-cache"]))
        assert result.exit_code == 0, result.output
        assert {keywords["cache"] for _, keywords in calls} == {cache}


@pytest.mark.parametrize("verb", ["compile", "run", "ab"])
def test_without_calibration_the_cpu_is_taken_by_its_name(
    compiler: Any, model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    be(monkeypatch, "skylake")
    calls = compiler("compile", artifact)
    options = {"compile": ["-o", f"{tmp_path}/m.so"], "ab": ["--disable", "FuseOps"]}.get(verb, [])
    result = tvmfuse_cli(verb, model, *options, "--no-calibration")
    assert result.exit_code == 0, result.output
    assert {str(keywords["target"]) for _, keywords in calls} == {str(resolve("llvm"))}


def test_run_is_seeded(compiler: Any, model: Any) -> None:
    compiler("compile", artifact)
    one, same, other = (tvmfuse_cli("run", model, "--seed", s).stdout for s in (1, 1, 2))
    assert one == same != other


def test_run_refuses_dimensions_that_no_input_has(compiler: Any, model: Any) -> None:
    compiler("compile", artifact)
    result = tvmfuse_cli("run", model, "--dim", "bach=1")
    assert result.exit_code == 2
    assert "no input has a dimension called 'bach'; did you mean batch?" in result.stderr


def test_ab_of_a_model_asks_for_the_passes(compiler: Any, model: Any) -> None:
    calls = compiler("compile", artifact)
    result = tvmfuse_cli("ab", model)
    assert result.exit_code == 2
    assert "--disable FuseOps,ConvBNFusion" in result.stderr
    assert calls == []


def test_ab_without_a_model_takes_the_demo(compiler: Any) -> None:
    calls = compiler("compile", artifact)
    result = tvmfuse_cli("ab")
    assert result.exit_code == 0, result.output
    assert [keywords["disabled_pass"] for _, keywords in calls] == [
        ("ConstantFolding", "ConvBNFusion", "FuseOps"),
        (),
    ]
    assert all(args[0].graph.name == "WeeNet" for args, _ in calls)
    words = " ".join(result.stdout.split())
    for word in ("mean", "median", "max", "min", "std", "ms per run", "99 % CI"):
        assert word in words
    assert "A and B agree: the largest error is 0, tolerance 1e-4." in words
    assert max(len(line) for line in result.stdout.splitlines() if "│" in line) <= 100


def test_ab_names_passes_that_have_nothing_to_do(compiler: Any, model: Any) -> None:
    compiler("compile", artifact)
    result = tvmfuse_cli("ab", model, "--disable", "CastElimination")
    assert "on this model nothing is left for CastElimination to do." in result.stdout


def test_ab_as_json(compiler: Any, model: Any) -> None:
    compiler("compile", artifact)
    result = tvmfuse_cli("ab", model, "--disable", "ConvBNFusion", "--json")
    record = json.loads(result.stdout)
    assert record["model"] == model
    assert record["b"]["settings"]["disable"] == ["ConvBNFusion"]
    assert record["ratio"]["low"] <= record["ratio"]["median"] <= record["ratio"]["high"]


def test_ab_does_not_time_a_wrong_variant(compiler: Any, model: Any) -> None:
    factors = iter([3.0, 2.0])
    compiler(
        "compile",
        lambda _model, **_: PretendedArtifact(
            PretendedExecutable(next(factors)), pretended_report()
        ),
    )
    result = tvmfuse_cli("ab", model, "--disable", "ConvBNFusion")
    assert result.exit_code == 1
    assert (
        "disagree, so neither is timed: output 'y': the largest error is 5.0e-01" in result.stderr
    )
    assert result.stdout == ""


def test_ab_says_what_it_means(compiler: Any, model: Any) -> None:
    compiler("compile", artifact)
    assert tvmfuse_cli("ab", model, "--disable", "ConvBNFusion").stdout.endswith(
        "speedup of B (level all without ConvBNFusion) over A (level all): 0.833x (99 % CI 0.833 "
        "to 0.833): slower when disabled.\n"
    )
    said = tvmfuse_cli("ab", model, "--disable", "CastElimination").stdout
    assert (
        "not significant: speedup of B (level all without CastElimination) over A (level all): 1.0"
        in said
    )


def test_ab_prints_what_was_measured_until_ctrl_c(
    compiler: Any, model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler("compile", artifact)
    monkeypatch.setattr(PretendedExecutable, "interrupted_ns", 5e9)
    result = tvmfuse_cli("ab", model, "--disable", "ConvBNFusion", "--duration", "600")
    assert result.exit_code == 130
    assert "interrupted: this is what was measured until then." in result.stdout
    assert "speedup of B over A" in result.stdout
    assert result.stderr == ""


def test_ctrl_c_before_anything_was_measured(
    compiler: Any, model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler("compile", artifact)
    monkeypatch.setattr(PretendedExecutable, "interrupted_ns", 5e7)
    result = tvmfuse_cli("ab", model, "--disable", "ConvBNFusion")
    assert result.exit_code == 130
    assert "there is nothing to compare" in result.stdout


def test_passes_fit_the_terminal(compiler: Any) -> None:
    space, norm = "SliceConcatToSpaceToDepthFusion", "ConvBNFusion"
    basic: dict[str, Any] = {"tier": "basic", "phase": "basic", "required": False}
    infos = (
        PassInfo(space, aliases=(), summary="Word " * 30, default=True, **basic),
        PassInfo(
            norm, aliases=("Conv BN Fusion", "Alias " * 20), summary="F.", default=False, **basic
        ),
        PassInfo("Lower", "none", (), "Lowers.", default=True, phase="lower", required=True),
    )
    compiler("list_passes", infos)
    text = tvmfuse_cli("passes").stdout
    assert max(map(len, text.splitlines())) <= 100
    assert "SliceConcatToSpaceToDepthFusion" in text
    assert "also: Conv BN Fusion" in text
    assert "always" in text
    record = json.loads(tvmfuse_cli("passes", "--json").stdout)
    assert record[1]["default"] is False
    assert [info["required"] for info in record] == [False, False, True]


def test_explain_says_what_fired_and_why_not(compiler: Any, model: Any) -> None:
    calls = compiler("explain", lambda _model, **_: pretended_report())
    result = tvmfuse_cli("explain", model, "--disable", "FuseOps")
    assert result.exit_code == 0, result.output
    assert calls[0][1]["disabled_pass"] == ("FuseOps",)
    text = result.stdout
    assert "level all: 9 operators -> 6" in text
    assert re.search(r"ConvBNFusion .* 3 .* 9 -> 6 .* 12.3 .* 5 ", text)
    assert "the weight is [constant]" in text
    assert "a, b, c and 2 more" in text
    assert "opt-in: GeluApproximation" in text
    assert max(map(len, text.splitlines())) <= 100
    record = json.loads(tvmfuse_cli("explain", model, "--json").stdout)
    assert record["passes"][0]["declined"][0]["count"] == 5


def test_inspect_shows_the_manifest(compiler: Any, model: Any) -> None:
    manifest = Manifest(
        name="net", inputs=PretendedExecutable.inputs, outputs=PretendedExecutable.outputs,
        passes_ran=("ConvBNFusion",) * 40, kernels=(Kernel("fused_conv", ("a", "b"), "direct"),),
        versions={"apache-tvm": "0.27"}, target='{"kind": "llvm"}', opset=17,
        overridable=(TensorSpec("k", "float16", (7,)),), machine={"name": "zen3", "isa": "avx2"},
        metadata={"domain": "org", "custom": {"domain": "ours"}},
    )  # fmt: skip
    compiler("inspect", manifest)
    text = tvmfuse_cli("inspect", model).stdout
    assert max(map(len, text.splitlines())) <= 100
    for word in ("x: float32[batch, 2]", "fused_conv", "direct", "apache-tvm 0.27", "kernels: 1",
                 "k: float16[7]", "zen3, avx2", "domain: org", "custom domain: ours"):  # fmt: skip
        assert word in text
    assert json.loads(tvmfuse_cli("inspect", model, "--json").stdout)["opset"] == 17
