"""schedules.catalogue: a literal table whose last entries take everything."""

from pathlib import Path
from typing import Any

import pytest

from tvmfuse.schedules.as_written import AsWritten
from tvmfuse.schedules.catalogue import CATALOGUE

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", CATALOGUE)
def test_the_last_schedule_takes_every_kernel(kind: Any) -> None:
    assert isinstance(CATALOGUE[kind][-1], AsWritten)


@pytest.mark.parametrize("kind", CATALOGUE)
def test_names_are_unique(kind: Any) -> None:
    names = [entry.name for entry in CATALOGUE[kind]]
    assert len(set(names)) == len(names)


def test_a_cpu_schedule_is_a_file_of_its_name() -> None:
    for entry in CATALOGUE["llvm"][:-1]:
        files = list((ROOT / "schedules/cpu").rglob(f"{entry.name}.py"))
        assert len(files) == 1, entry.name


@pytest.mark.parametrize("folder", ["cpu", "cuda"])
def test_every_file_has_a_test_file(folder: str) -> None:
    for path in (ROOT / "schedules" / folder).glob("[!_]*.py"):
        assert (ROOT / "tests/schedules" / folder / f"test_{path.name}").exists(), path.name
