"""Ten thousand models that are nearly right: read, or refused in words, within 5 s and 1 GiB."""

from pathlib import Path

import pytest
from hostile import outcomes
from mutants import mutant

pytestmark = pytest.mark.reliability

BATCH = 1000


@pytest.mark.parametrize("first", range(0, 10_000, BATCH))
def test_mutants_are_read_or_refused(first: int, tmp_path: Path) -> None:
    found = outcomes({f"{i:05}": mutant(i) for i in range(first, first + BATCH)}, tmp_path)
    assert {name: o for name, o in found.items() if not o.is_fine} == {}
    assert max(o.seconds for o in found.values()) < 5


@pytest.mark.parametrize("first", range(10_000, 12_000, BATCH))
def test_mutants_are_optimized_or_refused(first: int, tmp_path: Path) -> None:
    models = {f"{i:05}": mutant(i) for i in range(first, first + BATCH)}
    found = outcomes(models, tmp_path, "optimize")
    assert {name: o for name, o in found.items() if not o.is_fine} == {}
