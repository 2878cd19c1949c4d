"""Limits reach whatever reads a model: each function of `tvmfuse.measure`, and each verb."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import onnx
import pytest
from firing import of
from pretended import tvmfuse_cli
from quiet import is_quiet

import tvmfuse
from tvmfuse import measure
from tvmfuse.cli import main
from tvmfuse.errors import ConfigurationError, LimitExceededError

#: Verbs that read no model, or a compiled one only.
OTHERS = {"doctor", "export", "inspect", "new-pass", "passes", "plugin", "sign", "verify"}
#: It tells of a model that is refused in its table, and goes on.
OTHERS |= {"compile-many"}
VERBS = sorted(set(main.commands) - OTHERS)
FUNCTIONS = sorted(name for name, home in measure._HOMES.items() if name == home)
NODES = 3
FAST: dict[str, Any] = {"duration_s": 0.02}
NEEDED = {
    "ab": ("--disable", "FuseOps"),
    "compile": ("-o", "net.so"),
    "quantize": ("-o", "int8.onnx"),
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("limits") / "net.onnx"
    onnx.save(of("", "a = Exp(x) b = Sqrt(a) y = Neg(b)", "float[3,4] x").model(), path)
    return path


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    is_quiet(monkeypatch)


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_that_reads_a_model_takes_a_limit(model: Path, verb: str) -> None:
    result = tvmfuse_cli(verb, model, *NEEDED.get(verb, ()), "--limit", f"nodes={NODES - 1}")
    assert result.exit_code == 1, result.output
    assert f"the limit is nodes={NODES - 1}" in " ".join(result.stderr.split())
    unknown = tvmfuse_cli(verb, model, *NEEDED.get(verb, ()), "--limit", "node=5")
    assert unknown.exit_code == 2, unknown.output
    assert "no limit is called 'node'" in unknown.stderr


@pytest.mark.parametrize("verb", ["bisect", "compare"])
def test_inputs_are_read_for_a_model_within_the_limits(model: Path, verb: str) -> None:
    """Whose a file is, the model says, which is read for that, too."""
    import numpy as np

    np.save("x.npy", np.ones((3, 4), "float32"))
    given = (verb, model, "--inputs", "x.npy", "--limit")
    assert tvmfuse_cli(*given, f"nodes={NODES}").exit_code == 0
    assert tvmfuse_cli(*given, f"nodes={NODES - 1}").exit_code == 1


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_that_measures_takes_limits(model: Path, name: str) -> None:
    function = getattr(measure, name)
    settings = FAST if "duration_s" in inspect.signature(function).parameters else {}
    with pytest.raises(LimitExceededError, match=f"the limit is nodes={NODES - 1}"):
        function(model, limits=tvmfuse.Limits(nodes=NODES - 1), **settings)
    with pytest.raises(ConfigurationError, match="no limit is called 'node'"):
        function(model, limits={"node": 5}, **settings)
    assert json.dumps(function(model, limits={"nodes": NODES}, **settings).to_json())


@pytest.mark.parametrize("verb", [("run",), ("profile",)])
def test_a_compiled_file_has_nothing_to_limit(model: Path, verb: tuple[str, ...]) -> None:
    tvmfuse.compile(model).save("net.so")
    result = tvmfuse_cli(*verb, "net.so", "--limit", "nodes=5")
    assert result.exit_code == 2, result.output
    assert "is compiled already" in result.stderr


def test_what_bisect_writes_down_says_which_limits_it_took(
    model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from planting import plant

    from tvmfuse.passes.selection import entries

    plant(monkeypatch, {e.name: e for _, e in entries()}["FuseOps"])
    found = measure.bisect(model, folder=tmp_path / "wrong", limits={"nodes": 50, "rank": 7})
    assert found.reproducer is not None
    assert "--limit nodes=50 --limit rank=7" in found.reproducer.command
    assert tvmfuse_cli(*found.reproducer.command.split()[1:]).exit_code == 1
