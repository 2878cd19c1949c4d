"""pipeline.dump_ir: one file after each pass that fired, small and whole."""

import ast
import errno
import os
from pathlib import Path

import numpy as np
import pytest
import tvm
from pretended import tvmfuse_cli
from tvm import relax

import tvmfuse
from tvmfuse.demo import wee_net
from tvmfuse.errors import ArtifactError, ConfigurationError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.dump_ir import DumpIR, script
from tvmfuse.pipeline.optimize import optimize


def module(*constants: np.ndarray) -> tvm.IRModule:
    """Return the sum of x, of shape (1, n), and constants."""
    bb = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((1, constants[0].shape[-1]), "float32"))
    with bb.function("main", [x]):
        with bb.dataflow():
            total = x
            for constant in constants:
                total = bb.emit(relax.op.add(total, relax.const(constant)))
            y = bb.emit_output(total)
        bb.emit_func_output(y)
    return bb.get()


def test_the_imported_one_what_fired_and_the_lowered_one(tmp_path: Path) -> None:
    imported = import_model(wee_net()).module
    found = optimize(imported, Selection.of("all"), instruments=[DumpIR(tmp_path / "ir")])
    names = sorted(path.name for path in (tmp_path / "ir").iterdir())
    fired = [i for i in found.invocations if i.fired]
    expected = ["imported", *(f"{i.phase}-{i.name}" for i in fired)]
    expected.insert(-2, "lower-Lower")  # before FuseOps and FuseTIR
    assert names == [f"{number:03}-{name}.py" for number, name in enumerate(expected)]
    for path in (tmp_path / "ir").iterdir():
        ast.parse(path.read_text())
        assert "GenericConst" not in path.read_text()
    assert "tvmfuse.conv" in (tmp_path / "ir" / names[0]).read_text()
    assert "@T.prim_func" in (tmp_path / "ir" / names[-1]).read_text()


def test_large_constants_are_declared_and_small_ones_written() -> None:
    text = script(module(np.ones(65, "float32"), np.full((1, 1), 0.5, "float32")))
    assert 'constant_0: R.Tensor((65,), dtype="float32")' in text
    assert 'R.const([[0.5]], "float32")' in text
    assert "constant_1" not in text
    assert "R.const([1.0" in script(module(np.ones(64, "float32")))


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(ArtifactError, match="is not empty"):
        DumpIR(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ir").write_text("mine")
    with pytest.raises(ArtifactError, match="cannot make the folder .*ir: File exists"):
        DumpIR(tmp_path / "ir")
    assert (tmp_path / "ir").read_text() == "mine"


def test_a_full_disk_leaves_no_half_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump = DumpIR(tmp_path)
    dump.enter(module(np.ones(3, "float32")))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(ArtifactError, match=r"cannot write .*001-imported.py: No space left"):
        dump.enter(module(np.ones(3, "float32")))
    assert [path.name for path in tmp_path.iterdir()] == ["000-imported.py"]


def test_python_and_the_command_line_ask_for_it(tmp_path: Path) -> None:
    model = tmp_path / "net.onnx"
    model.write_bytes(wee_net().SerializeToString())
    tvmfuse.compile(model, level="basic", dump_ir=tmp_path / "compiled")
    done = tvmfuse_cli("explain", model, "--level", "basic", "--dump-ir", tmp_path / "explained")
    assert done.exit_code == 0, done.output
    named = [
        sorted(path.name for path in (tmp_path / folder).iterdir())
        for folder in ("compiled", "explained")
    ]
    assert named[0] == named[1] == [
        "000-imported.py", "001-basic-ConvBNFusion.py", "002-lower-Lower.py",
    ]  # fmt: skip
    again = tvmfuse_cli(
        "compile", model, "-o", tmp_path / "n.so", "--dump-ir", tmp_path / "compiled"
    )
    assert again.exit_code != 0
    assert "is not empty" in again.output
    assert not (tmp_path / "n.so").exists()


def test_an_optimized_graph_has_nothing_to_dump(tmp_path: Path) -> None:
    tvmfuse.compile(wee_net(), level="basic", save_optimized=tmp_path / "graph")
    with pytest.raises(ConfigurationError, match="optimized already, so that no pass"):
        tvmfuse.explain(tmp_path / "graph", dump_ir=tmp_path / "ir")
    assert not (tmp_path / "ir").exists()
