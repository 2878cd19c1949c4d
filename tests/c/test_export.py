"""c.export: a compiled file, the library, its header and an example in one archive."""

import subprocess
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from onnx import TensorProto, helper

import tvmfuse
from tvmfuse.build.artifact import LibraryCode
from tvmfuse.c.export import export
from tvmfuse.c.library import c_compiler
from tvmfuse.cli import main
from tvmfuse.errors import IncompatibleArtifactError


def compiled(operator: str, result: int = TensorProto.FLOAT) -> tvmfuse.Artifact:
    """Compile a model of one operator on a vector of a symbolic size."""
    given, made = (
        helper.make_tensor_value_info(name, dtype, sizes)
        for name, dtype, sizes in (("x", TensorProto.FLOAT, ["n"]), ("y", result, None))
    )
    graph = helper.make_graph([helper.make_node(operator, ["x"], ["y"])], "g", [given], [made])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    return tvmfuse.compile(model)


def saved(folder: Path, operator: str, result: int = TensorProto.FLOAT) -> Path:
    """Save such a model."""
    compiled(operator, result).save(folder / "model.so")
    return folder / "model.so"


def test_what_is_unpacked_is_built_and_run_as_its_readme_says(tmp_path: Path) -> None:
    export(saved(tmp_path, "Neg"), tmp_path / "neg.tar.gz")
    with tarfile.open(tmp_path / "neg.tar.gz") as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "neg"
    (line,) = (x for x in (folder / "README").read_text().splitlines() if x.startswith("  cc "))
    command = line.replace("cc ", f"{c_compiler()} ", 1).replace("model.so", "model.so x.bin")
    np.array([3.5], "float32").tofile(folder / "x.bin")
    subprocess.run(["sh", "-ec", command], cwd=folder, check=True, capture_output=True)
    assert "Apache" in (folder / "LICENSE").read_text()
    assert np.fromfile(folder / "output0.bin", "float32").tolist() == [-3.5]


def test_equal_files_make_equal_archives(tmp_path: Path) -> None:
    model = saved(tmp_path, "Neg")
    for name in ("a.tar.gz", "b.tar.gz"):
        (tmp_path / name[0]).mkdir()
        export(model, tmp_path / name[0] / "model.tar.gz")
    a, b = (tmp_path / name / "model.tar.gz" for name in "ab")
    assert a.read_bytes() == b.read_bytes()


def test_what_c_cannot_run_is_refused(tmp_path: Path) -> None:
    artifact = compiled("Neg")
    assert isinstance(artifact.code, LibraryCode)
    replace(artifact, code=replace(artifact.code, device_code=b"kernels")).save(tmp_path / "m.so")
    with pytest.raises(IncompatibleArtifactError, match="is for a GPU, which C does not run"):
        export(tmp_path / "m.so", tmp_path / "model.tar.gz")
    assert not (tmp_path / "model.tar.gz").exists()


def test_the_command_names_what_it_wrote(tmp_path: Path) -> None:
    model, archive = saved(tmp_path, "Neg"), tmp_path / "model.tar.gz"
    done = CliRunner().invoke(main, ["export", str(model), "-o", str(archive)])
    assert done.exit_code == 0
    assert "libtvmfuse.so" in done.output
    assert "model.so" in done.output
