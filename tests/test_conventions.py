"""The conventions of the house: one file, one pass, one name, one test file."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tvmfuse.levels import name_of
from tvmfuse.passes.catalogue import PIPELINE

ROOT = Path(__file__).parent.parent
LISTED = [
    ("required" if p.required else name_of(phase.tier), p)
    for phase in PIPELINE
    for p in phase.passes
]


def snake(name: str) -> str:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"_+", "_", words).lower()


@pytest.mark.parametrize(("tier", "entry"), LISTED, ids=[p.name for _, p in LISTED])
def test_a_pass_is_one_file_one_class_one_name_one_test_file(tier: Any, entry: Any) -> None:
    assert type(entry).__name__ == entry.name.replace("_", "")
    assert type(entry).__module__ == f"tvmfuse.passes.{tier}.{snake(type(entry).__name__)}"
    documented = inspect.getdoc(type(entry))
    assert documented is not None
    assert re.search(r"Before.*::.*After.*::.*Pays", documented, re.DOTALL)
    assert (ROOT / f"tests/passes/{tier}/test_{snake(type(entry).__name__)}.py").exists()


def test_every_pass_file_is_in_the_catalogue() -> None:
    on_disk = sorted(
        f.stem
        for folder in dict.fromkeys(folder for folder, _ in LISTED)
        for f in (ROOT / "passes" / folder).glob("[!_]*.py")
    )
    assert sorted(snake(type(p).__name__) for _, p in LISTED) == on_disk


def test_no_folder_of_tests_is_left_out_but_those_with_commands(pytestconfig: Any) -> None:
    folders = {folder.name for folder in (ROOT / "tests").rglob("*") if folder.is_dir()}
    left_out = {"generated", "onnx_backend", "torch_operators"}
    assert folders & {*pytestconfig.getini("norecursedirs")} == left_out


def lines() -> Iterator[tuple[str, list[str]]]:
    """Yield each source file's place and lines."""
    for folder in ("tvmfuse", "passes", "schedules", "tests", "bench", "examples"):
        for file in (ROOT / folder).rglob("*.py"):
            yield str(file.relative_to(ROOT)), file.read_text().splitlines()


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {file: len(found) for file, found in lines()}
    assert len(lengths) > 1000
    assert {file: length for file, length in lengths.items() if length > 400} == {}


def test_no_line_is_longer_than_120_columns() -> None:
    wide = [
        f"{f}:{n}" for f, found in lines() for n, line in enumerate(found, 1) if len(line) > 120
    ]
    assert wide == []
