"""Memory stays flat: runs, changing shapes, loading and unloading, compiling."""

from __future__ import annotations

import pytest
from reliability.soaking import measured

#: What is done, how often here and how often in the long version, and MiB that memory may grow by.
SOAKS = [
    ("runs", 5_000, 100_000, 1),
    ("changing_shapes", 2_000, 10_000, 1),
    ("load_and_unload", 60, 500, 10),
    ("compiles", 6, 100, 50),
]


@pytest.mark.parametrize(("what", "count", "most"), [(w, n, m) for w, n, _, m in SOAKS])
@pytest.mark.sampled(3)
def test_memory_stays_flat(what: str, count: int, most: int) -> None:
    assert measured(what, count)["growth_mib"] < most


def test_a_leak_is_found() -> None:
    # Half a MiB is what a process has free without asking the system for more.
    assert measured("leaks", 4_000)["growth_mib"] > 2.5


@pytest.mark.reliability
@pytest.mark.parametrize(("what", "count", "most"), [(w, n, m) for w, _, n, m in SOAKS])
def test_memory_stays_flat_for_long(what: str, count: int, most: int) -> None:
    found = measured(what, count, timeout_s=1800)
    print(found)
    assert found["growth_mib"] < most
