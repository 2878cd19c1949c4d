"""What is on disk is what is shipped, under one name."""

import importlib.metadata
import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import tvmfuse

ROOT = Path(__file__).parent.parent
HOMES = {"tvmfuse": "tvmfuse", "tvmfuse.passes": "passes", "tvmfuse.schedules": "schedules"}
MODULES = {"apache-tvm": "tvm", "apache-tvm-ffi": "tvm_ffi"}
"""What a distribution is imported as, where that is not its own name."""


def test_every_package_is_shipped() -> None:
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    on_disk = {
        ".".join([name, *init.parent.relative_to(ROOT / home).parts])
        for name, home in HOMES.items()
        for init in (ROOT / home).rglob("__init__.py")
    }
    assert tool["package-dir"] == HOMES
    assert set(tool["packages"]) == on_disk


def test_the_source_distribution_has_everything_that_is_tracked() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    tracked = {Path(line).parts[0] for line in listed.stdout.splitlines()}
    manifest = (ROOT / "MANIFEST.in").read_text().split()
    assert tracked <= {*manifest, "MANIFEST.in", "pyproject.toml"}


@pytest.mark.parametrize("folder", ["passes", "schedules"])
def test_a_mapped_folder_is_not_imported_under_its_own_name(folder: str) -> None:
    spec = importlib.util.spec_from_file_location(folder, ROOT / folder / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    with pytest.raises(ImportError, match=f"tvmfuse.{folder}"):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def test_the_version_is_the_one_that_is_installed() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert tvmfuse.__version__ == importlib.metadata.version("tvmfuse") == declared
    assert "__version__" in dir(tvmfuse)


def test_every_dependency_is_imported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = {re.split(r"[<>=\[]", requirement)[0] for requirement in project["dependencies"]}
    modules = {MODULES.get(name, name.replace("-", "_")) for name in named}
    sources = [f.read_text() for home in HOMES.values() for f in (ROOT / home).rglob("*.py")]
    imported = {
        name
        for source in sources
        for name in re.findall(r"^\s*(?:from|import) (\w+)", source, re.MULTILINE)
    }
    assert modules <= imported


def test_importing_tvmfuse_imports_neither_tvm_nor_onnx() -> None:
    code = "import sys, tvmfuse; assert not {'tvm', 'onnx', 'numpy', 'torch'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
