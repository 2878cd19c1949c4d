"""What is on disk is what is shipped, under one name."""

import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOMES = {"tvmfuse": "tvmfuse", "tvmfuse.passes": "passes", "tvmfuse.schedules": "schedules"}


def test_every_package_is_shipped() -> None:
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    on_disk = {
        ".".join([name, *init.parent.relative_to(ROOT / home).parts])
        for name, home in HOMES.items()
        for init in (ROOT / home).rglob("__init__.py")
    }
    assert tool["package-dir"] == HOMES
    assert set(tool["packages"]) == on_disk


@pytest.mark.parametrize("folder", ["passes", "schedules"])
def test_a_mapped_folder_is_not_imported_under_its_own_name(folder) -> None:
    spec = importlib.util.spec_from_file_location(folder, ROOT / folder / "__init__.py")
    with pytest.raises(ImportError, match=f"tvmfuse.{folder}"):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def test_importing_tvmfuse_imports_neither_tvm_nor_onnx() -> None:
    code = "import sys, tvmfuse; assert not {'tvm', 'onnx', 'numpy', 'torch'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
