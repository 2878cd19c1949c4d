"""Versions: what does not go together is found, and what does is not."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tvmfuse.doctor.diagnosis import Check
from tvmfuse.doctor.versions import Installed, check_versions

GOOD = Installed(
    python="3.12.1",
    requires_python=">=3.11",
    versions={
        "tvmfuse": "0.1.0",
        "apache-tvm": "0.27.0.post1",
        "apache-tvm-ffi": "0.1.14.post1",
        "numpy": "2.4.6",
        "torch": "2.13.0+cpu",
    },
    requires={
        "tvmfuse": [
            "apache-tvm>=0.27,<0.28",
            "numpy>=1.26",
            'torch>=2.13; extra == "torch"',
            'torch==9.9; extra == "test"',
            'onnxruntime>=1.23; extra == "ort"',
            'numpy<1; python_version < "3"',
        ],
        "apache-tvm": ["apache-tvm-ffi>=0.1.14.post0", 'torch==9.9; extra == "torch"'],
    },
    homes={"tvm": ["/a/tvm"], "tvm_ffi": ["/a/tvm_ffi"]},
)


def findings(installed: Installed) -> Sequence[Check]:
    return [check for check in check_versions(installed) if check.problem]


def with_versions(**changed: str | None) -> Installed:
    versions = {**GOOD.versions, **{n.replace("_", "-"): v for n, v in changed.items()}}
    return dataclasses.replace(GOOD, versions={n: v for n, v in versions.items() if v is not None})


def test_what_goes_together_has_no_finding() -> None:
    assert not findings(GOOD)
    assert not findings(with_versions(torch=None))


def test_this_environment_has_no_finding() -> None:
    assert not findings(Installed.here())
    assert Installed.here().versions["tvmfuse"]


def test_the_ffi_library_that_crashes_in_save_json_is_found() -> None:
    (found,) = findings(with_versions(apache_tvm_ffi="0.1.15"))
    assert found.name == "apache-tvm-ffi"
    assert "save_json" in found.problem
    assert "pip install" in found.problem


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"apache_tvm": "0.28.0"}, "tvmfuse requires apache-tvm<0.28,>=0.27, found 0.28.0"),
        ({"numpy": None}, "tvmfuse requires numpy>=1.26, found nothing"),
        ({"torch": "2.12.0"}, "tvmfuse requires torch>=2.13, found 2.12.0"),
        ({"onnxruntime": "1.20.0"}, "tvmfuse requires onnxruntime>=1.23, found 1.20.0"),
        ({"apache_tvm_ffi": "0.1.1"}, "apache-tvm requires apache-tvm-ffi>=0.1.14.post0"),
    ],
)
def test_a_requirement_that_is_not_met_is_found(changed: dict[str, str], words: str) -> None:
    (found,) = findings(with_versions(**changed))
    assert found.problem.startswith(words)
    assert found.name == next(iter(changed)).replace("_", "-")


def test_an_old_python_is_found() -> None:
    (found,) = findings(dataclasses.replace(GOOD, python="3.10.4"))
    assert found == Check("versions", "Python", "3.10.4", "tvmfuse takes Python >=3.11")


def test_a_second_copy_of_tvm_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "tvm"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert not findings(Installed.here())  # a folder without code is no copy
    (folder / "__init__.py").touch()
    (found,) = findings(Installed.here())
    assert found.name == "copies of tvm"
    assert found.found.startswith(str(folder))


def test_the_version_that_comes_first_is_the_one_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = tmp_path / "apache_tvm_ffi-0.1.15.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: apache-tvm-ffi\nVersion: 0.1.15\n"
    )
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    assert not findings(Installed.here())
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (found,) = findings(Installed.here())
    assert found.found == "0.1.15"
