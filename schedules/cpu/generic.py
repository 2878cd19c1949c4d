"""Any kernel: group after group, each as vectorized and parallel as it can be on its own."""

from __future__ import annotations

from tvmfuse.schedules.cpu.work import Work, prepared, scope_of
from tvmfuse.schedules.protocol import Declined, Subject


def generic(subject: Subject) -> Work | Declined:
    """Return the nests of each group."""
    found = prepared(subject)
    return found if isinstance(found, Declined) else found.by_groups(scope_of(subject))
