"""Damaged files, by accident and by lies whose checksums fit: refused in words, nothing is loaded."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from relax_models import affine, python, saved, succeeds

import tvmfuse
from tvmfuse.demo import wee_net

TESTS = Path(__file__).parent.parent

READ = f"""
import sys
sys.path[:0] = [{str(TESTS)!r}, {str(TESTS / "reliability")!r}]
import damaging
damaging.main(*sys.argv[1:])
"""


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("originals")
    tvmfuse.compile(wee_net(), save_optimized=folder / "graph")
    return {"model": saved(affine(), folder), "graph": folder / "graph"}


def ends(
    originals: dict[str, Path], folder: Path, kind: str, how: str, seed: int, count: int
) -> None:
    said = succeeds(python(READ, kind, how, originals[kind], folder, seed, count))
    found: dict[str, int] = ast.literal_eval(said.splitlines()[-1])
    assert sum(found.values()) == count
    refused = found.get("DamagedArtifactError", 0) + found.get("IncompatibleArtifactError", 0)
    if how == "accidents":
        # An accident may take the very bytes by which an optimized graph is known for one.
        assert refused + found.get("MalformedModelError", 0) == count, found
    else:
        assert refused > count / 2, found
    print(kind, how, found)


@pytest.mark.parametrize("how", ["accidents", "lies"])
@pytest.mark.parametrize("kind", ["model", "graph"])
@pytest.mark.sampled(3)
def test_damaged_files_are_refused(
    originals: dict[str, Path], tmp_path: Path, kind: str, how: str
) -> None:
    ends(originals, tmp_path, kind, how, 0, 40 if kind == "model" else 15)


@pytest.mark.reliability
@pytest.mark.parametrize("part", range(1, 6))
@pytest.mark.parametrize("how", ["accidents", "lies"])
@pytest.mark.parametrize("kind", ["model", "graph"])
def test_many_damaged_files_are_refused(
    originals: dict[str, Path], tmp_path: Path, kind: str, how: str, part: int
) -> None:
    """Twenty times 75: 1,500 files."""
    ends(originals, tmp_path, kind, how, part, 75)
