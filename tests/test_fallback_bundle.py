"""A model in parts is saved as one bundle: loaded elsewhere, looked into, and refused when it lies."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from fallbacks import WORDS, agree, chain, compiled, refuse, words
from relax_models import python, succeeds
from resealed import changed, lies, shares_its_input

import tvmfuse
from tvmfuse import measure
from tvmfuse.cli import main
from tvmfuse.demo import wee_net
from tvmfuse.errors import (
    ArtifactError,
    ConfigurationError,
    DamagedArtifactError,
    IncompatibleArtifactError,
    InputError,
    TvmfuseError,
    UnverifiedArtifactError,
)
from tvmfuse.format.bundle import read_bundle, write_bundle
from tvmfuse.manifest import OURS
from tvmfuse.runtime import bundles, executable, foreign

ELSEWHERE = """
import numpy as np
import tvmfuse
run = tvmfuse.load(sys.argv[1], num_threads=1)
found = run({"s": np.array(["Monday", "b"], object), "x": np.ones((3, 4), "float32")})
print(found["t"].tolist(), found["y"].shape, "tvm" in sys.modules, "onnx" in sys.modules)
"""

IN_A_CHILD = """
import os, signal, warnings
import numpy as np
import tvmfuse
warnings.simplefilter("ignore")
run = tvmfuse.load(sys.argv[1], num_threads=2)
feeds = {"s": np.array(["Monday", "b"], object), "x": np.ones((3, 4), "float32")}
wanted = run(feeds)
if not (child := os.fork()):
    signal.alarm(60)
    found = run(feeds)
    os._exit(0 if found["t"].tolist() == ["Monday", "b"] and (found["y"] == wanted["y"]).all() else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "words.bundle"
    compiled(words()).save(path)
    return path


@pytest.fixture(scope="module")
def content(bundle: Path) -> bytes:
    return bundle.read_bytes()


def test_it_runs_here_with_the_same_numbers(bundle: Path) -> None:
    agree(words(), tvmfuse.load(bundle), WORDS)


def test_it_runs_in_another_process_without_the_compiler(bundle: Path) -> None:
    assert succeeds(python(ELSEWHERE, bundle)) == "['Monday', 'b'] (3, 4) False False\n"


def test_it_says_of_itself_that_it_is_in_parts(bundle: Path) -> None:
    manifest = tvmfuse.inspect(bundle)
    assert [part.engine for part in manifest.parts] == ["onnxruntime", "tvmfuse"]
    [said] = manifest.handed_over
    assert (said.name, said.operator) == ("words", "Unique")
    assert len(manifest.sha256) == 64
    assert manifest == tvmfuse.load(bundle).manifest


def test_inspecting_imports_no_tvm(bundle: Path) -> None:
    code = (
        "from tvmfuse.format.file import inspect\n"
        "print(inspect(sys.argv[1]).name, {'tvm', 'tvm_ffi', 'numpy', 'onnxruntime'} & sys.modules.keys())"
    )
    assert succeeds(python(code, bundle)) == "graph set()\n"


def test_what_was_meant_is_told_by_its_digest(bundle: Path) -> None:
    found = hashlib.sha256(bundle.read_bytes()).hexdigest()
    assert tvmfuse.load(bundle, sha256=found).outputs
    with pytest.raises(UnverifiedArtifactError):
        tvmfuse.load(bundle, sha256="0" * 64)


def test_who_loads_libraries_says_who_takes_it(bundle: Path) -> None:
    words = r"is a bundle of parts: tvmfuse\.load takes it"
    with bundle.open("rb") as file, pytest.raises(DamagedArtifactError, match=words):
        executable.load_library(file, str(bundle), num_threads=None, spin=True)


def test_a_child_of_fork_has_its_own_session(bundle: Path) -> None:
    assert succeeds(python(IN_A_CHILD, bundle)) == "0\n"


def test_onnxruntime_has_to_be_there(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(
        IncompatibleArtifactError, match="leaves 1 of its nodes to onnxruntime, and"
    ):
        tvmfuse.load(bundle)
    assert tvmfuse.inspect(bundle).handed_over


def test_it_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    artifact = compiled(words())
    with pytest.raises(ArtifactError):
        artifact.save(tmp_path / "nowhere" / "m.bundle")
    manifest = artifact.save(tmp_path / "m.bundle")
    assert manifest == tvmfuse.inspect(tmp_path / "m.bundle")
    assert [file.name for file in tmp_path.iterdir()] == ["m.bundle"]


def test_its_parts_map_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time takes a descriptor, of which a process has a thousand."""
    refuse(monkeypatch, "Sin")
    compiled(chain()).save(tmp_path / "m.bundle")
    before = len(os.listdir("/proc/self/fd"))
    run = tvmfuse.load(tmp_path / "m.bundle")
    assert len(run.manifest.parts) == 3
    assert len(os.listdir("/proc/self/fd")) <= before + 1


# Damage.


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what refuses a bundle's bytes, and says why; nothing of it may be loaded."""
    monkeypatch.setattr(bundles, "opened", lambda *_: pytest.fail("it was loaded"))
    monkeypatch.setattr(foreign.ForeignPart, "_open", lambda *_: pytest.fail("it was loaded"))

    def why(content: bytes) -> str:
        (tmp_path / "m.bundle").write_bytes(content)
        with pytest.raises(DamagedArtifactError) as error:
            tvmfuse.load(tmp_path / "m.bundle")
        return str(error.value)

    return why


def put(*path: Any) -> Any:
    *keys, last, value = path

    def change(index: Any) -> None:
        for key in keys:
            index = index[key]
        index[last] = value

    return change


PARTS = ("header", "manifest", "parts")
LIES: dict[str, tuple[Any, str]] = {
    "an input that is written to": (
        put("header", "manifest", "shared", {"y": "x"}), "no inputs that may be left out or written to",
    ),
    "no parts": (put(*PARTS, []), "0 parts and 0 weights in 2 payloads"),
    "a part too few": (lambda i: i["header"]["manifest"]["parts"].pop(), "1 parts and 0 weights"),
    "another engine": (put(*PARTS, 0, "engine", "cupy"), "part 0 is for the engine 'cupy'"),
    "it reads what is not there": (put(*PARTS, 0, "inputs", ["y"]), "part 0 reads 'y', which nothing"),
    "it makes an input": (put(*PARTS, 1, "outputs", ["x"]), "part 1 makes ['x']"),
    "it makes nothing": (put(*PARTS, 1, "outputs", []), "part 1 makes []"),
    "an output of nobody": (put("header", "manifest", "outputs", 0, "name", "z"), "no part makes the output 'z'"),
    "weights that are not there": (put("header", "reads", [["w"], []]), "a part reads the weights ['w']"),
    "reads of other parts": (put("header", "reads", [[]]), "2 parts and 0 weights in 2 payloads"),
    "an input of no type": (put("header", "manifest", "inputs", 0, "dtype", "seq)"), "has the dtype 'seq)'"),
    "a negative size": (put("header", "manifest", "inputs", 1, "shape", [-1]), "has a dimension of -1"),
    "a place behind the end": (put("payloads", 1, 0, 2**62), "do not lie one behind the other"),
    "a node of no words": (put(*PARTS, 0, "nodes", [1]), "Expected `object`, got `int`"),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_refused_in_words(content: bytes, refused: Any, lie: str) -> None:
    tell, said = LIES[lie]
    found = refused(changed(content, tell))
    assert "m.bundle says of itself what tvmfuse does not write: " in found
    assert said in found


@pytest.mark.parametrize("cut", [0, 4, 8, 100, -1, -40, -3000])
def test_a_bundle_that_is_cut_is_refused(content: bytes, refused: Any, cut: int) -> None:
    assert "m.bundle" in refused(content[:cut])


@pytest.mark.parametrize("place", [0.01, 0.3, 0.6, 0.99])
def test_an_altered_byte_is_found(content: bytes, refused: Any, place: float) -> None:
    damaged = bytearray(content)
    damaged[int(place * (len(content) - 3000)) + 8] ^= 1
    assert "was altered after it was written" in refused(bytes(damaged))


def test_parts_that_are_not_what_is_said_are_refused(content: bytes, tmp_path: Path) -> None:
    def swap(index: Any) -> None:
        first, second = index["header"]["manifest"]["parts"]
        first["engine"], second["engine"] = second["engine"], first["engine"]

    (tmp_path / "m.bundle").write_bytes(changed(content, swap))
    with pytest.raises(DamagedArtifactError, match=r"part 0 of .*m\.bundle"):
        tvmfuse.load(tmp_path / "m.bundle")
    (tmp_path / "m.bundle").write_bytes(changed(content, put(*PARTS, 0, "inputs", ["x"])))
    with pytest.raises(DamagedArtifactError, match="part 0 is not what is said of it"):
        tvmfuse.load(tmp_path / "m.bundle")


def test_a_part_may_not_say_that_it_writes_to_inputs(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.bundle"
    path.write_bytes(content)
    with path.open("rb") as file:
        index = read_bundle(file, "m.bundle")
    parts = [content[begin : begin + size] for begin, size in index.parts]
    [ours] = [i for i, part in enumerate(index.manifest.parts) if part.engine == OURS]
    parts[ours] = changed(parts[ours], shares_its_input)
    write_bundle(path, index.manifest, parts, [], index.reads)
    model = tvmfuse.load(path)
    with pytest.raises(ConfigurationError, match="no output of .* can take the memory"):
        model.call(WORDS, share=True)


def test_random_lies_end_in_errors_of_ours(content: bytes, tmp_path: Path) -> None:
    told = lies(content, 0)
    for _ in range(60):
        (tmp_path / "m.bundle").write_bytes(next(told))
        try:
            run = tvmfuse.load(tmp_path / "m.bundle", num_threads=1)
            run(WORDS)
        except TvmfuseError:
            pass


# The command line.


def cli(*arguments: Any) -> Any:
    result = CliRunner().invoke(main, [str(a) for a in arguments])
    assert result.exit_code == 0, result.output
    return result


def test_the_command_line_says_what_went_over(tmp_path: Path) -> None:
    source, made = tmp_path / "words.onnx", tmp_path / "words.bundle"
    source.write_bytes(words().SerializeToString())
    said = cli("compile", source, "-o", made, "--fallback", "onnxruntime")
    assert "warning: onnxruntime computes 1 of 2 nodes" in said.stderr
    assert "Unique" in said.stdout
    assert "onnxruntime computes 1 of 2 nodes, in " in " ".join(said.stdout.split())
    shown = cli("inspect", made).stdout
    assert "parts: 2" in shown
    assert "not compiled" in shown
    ran = json.loads(cli("run", made, "-o", tmp_path / "y.npz", "--json").stdout)
    assert [held["dtype"] for held in ran["outputs"]] == ["float32", "string"]
    assert np.load(tmp_path / "y.npz")["t"].dtype.kind == "U"
    np.save(tmp_path / "s.npy", WORDS["s"].astype(np.str_))
    np.save(tmp_path / "x.npy", WORDS["x"])
    feeds = [f"--inputs={name}={tmp_path / name}.npy" for name in ("s", "x")]
    assert json.loads(cli("run", made, *feeds, "--json").stdout)["inputs"][0]["dtype"] == "string"
    assert "not compiled" in cli("explain", source, "--fallback", "onnxruntime").stdout
    profiled = cli("profile", made, "--threads", "1", "--duration", "0.01", "--json").stdout
    assert "part0/onnxruntime" in profiled


def test_shares_are_measured_on_inputs_of_the_callers(bundle: Path) -> None:
    run = tvmfuse.load(bundle)
    found = measure.part_shares(run, inputs=WORDS)
    assert [part.engine for part in found.parts] == ["onnxruntime", "tvmfuse"]
    assert sum(part.share or 0.0 for part in found.parts) == pytest.approx(1)
    with pytest.raises(InputError):
        run(s=1)
    whole = tvmfuse.compile(wee_net())
    with pytest.raises(ConfigurationError, match="is compiled as a whole, and has no parts"):
        measure.part_shares(whole)
