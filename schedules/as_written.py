"""Kernels that no schedule can read run as they were written.

Sorting, scans and scatter say in their own loops what is parallel and in which order the rest
runs; nothing else knows it.
"""

from __future__ import annotations

from tvm.tirx import PrimFunc

from tvmfuse.schedules.loop_nests import SCHEDULED
from tvmfuse.schedules.protocol import Declined, Subject


class AsWritten:
    """The last of every table: it takes all kernels and changes none."""

    name = "as_written"

    def __call__(self, subject: Subject) -> PrimFunc | Declined:
        """Return the function itself."""
        return subject.function.with_attr(SCHEDULED, 1)
