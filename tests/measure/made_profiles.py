"""Profiles whose figures are made up."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from tvmfuse.measure.machine import Machine
from tvmfuse.measure.results.profile import Copy, Event, Line, Peaks, Profile


def line(
    kernel: str = "fused_gemm",
    microseconds: float = 10.0,
    schedule: str = "matmul",
    node: str = "n",
    **others: Any,
) -> Line:
    figures: dict[str, Any] = {
        "flop": 2000,
        "nbytes": 400,
        "roofline_bound": "memory",
        "roofline_microseconds": microseconds / 2,
    }
    return Line(kernel, (node,), schedule, 1, microseconds, **{**figures, **others})


def made(*launches: Line, between: float = 5.0, **others: Any) -> Profile:
    events, begin = [], 1.0
    for each in launches:
        events.append(Event(each, begin, each.microseconds))
        begin += each.microseconds + 0.5
    fields: dict[str, Any] = {
        "model": "net [bold]", "threads": 1, "target": "{}", "level": "all", "sizes": {}, "runs": 9,
        "launches": launches, "between_microseconds": between, "run_milliseconds": 0.04,
        "typical_run": tuple(events), "typical_microseconds": begin + 1.0,
        "peaks": Peaks(100.0, (Copy(1 << 14, 50.0), Copy(1 << 22, 10.0))), "no_peaks": "",
        "warm": True, "interrupted": False, "seed": 0, "machine": Machine(cores=2, others=0.0),
    }  # fmt: skip
    return Profile(**{**fields, **others})


def text(table: Any) -> str:
    console = Console(width=200)
    with console.capture() as captured:
        console.print(table)
    return captured.get()
