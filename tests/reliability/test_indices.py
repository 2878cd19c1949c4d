"""Indices out of range, in processes of their own: onnxruntime's result, or none of others' bytes."""

from pathlib import Path

import pytest
from index_cases import CASES
from relax_models import python, succeeds

TESTS = Path(__file__).parent.parent

CHECK = f"""
import sys
sys.path.insert(0, {str(TESTS)!r})
from index_cases import check
count, level, *names = sys.argv[1:]
for name in names:
    print(name, flush=True)
    computed = check(name, int(count), level)
    assert computed >= int(count) // 4, (name, computed)
print("alive")
"""

#: One for each operator and each way in which its kernel is made.
SHORT = [
    "Gather (6,) by axis 0 of 3 rows, int64",
    "Gather (2, 3) by axis 1 of n rows, int32",
    "GatherElements by axis 1 of 3 rows, int64",
    "GatherND 2 of n rows, int64",
    "ScatterElements, none, by axis 1",
    "ScatterElements, add, by axis 0",
    "ScatterND, none, of n rows",
    "MaxUnpool",
    "OneHot by axis -1 of int64",
    "Slice from int64",
    "RoiAlign",
    "embedding of batch by int64",
]


def holds(count: int, level: str, names: list[str]) -> None:
    process = python(CHECK, count, level, *names)
    assert succeeds(process).endswith("alive\n"), process.stdout[-300:]


def test_indices_never_reach_elsewhere() -> None:
    holds(24, "all", SHORT)


@pytest.mark.reliability
@pytest.mark.parametrize("level", ["none", "all"])
@pytest.mark.parametrize("part", range(8))
def test_many_indices_never_reach_elsewhere(part: int, level: str) -> None:
    """89 cases, each with 40 indices, at two levels: 7,120 runs."""
    assert len(CASES) == 89
    holds(40, level, list(CASES)[part::8])
