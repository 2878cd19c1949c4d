"""Models that are nearly right, in one process: read, or refused in words, and never a signal."""

from pathlib import Path

import pytest
from hostile import outcomes
from mutants import mutant


@pytest.mark.parametrize(("stage", "first", "count"), [("import", 0, 300), ("optimize", 300, 60)])
def test_mutants_are_read_or_refused(stage: str, first: int, count: int, tmp_path: Path) -> None:
    models = {f"mutant {i}": mutant(i) for i in range(first, first + count)}
    found = outcomes(models, tmp_path, stage)
    assert {name: o for name, o in found.items() if not o.is_fine or o.seconds > 5} == {}
    kinds = {o.kind for o in found.values()}
    assert {"read", "MalformedModelError", "LimitExceededError"} <= kinds  # they are near enough


def test_a_mutant_is_the_same_each_time() -> None:
    assert [mutant(i) for i in (3, 4, 5)] == [mutant(i) for i in (3, 4, 5)]
