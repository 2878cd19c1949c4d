"""One run in the Chrome trace event format, which Perfetto and chrome://tracing open.

Nicholas Duca, Dan Sinclair, "Trace Event Format" (Google, 2016): an object whose `traceEvents` are
complete events (`ph` is X) with `ts` and `dur` in microseconds, and metadata events (M) that name
process and thread.
"""

from __future__ import annotations

from typing import Any, Final

from tvmfuse.measure.results.profile import Event, Profile

#: Of the one process and the one thread.
PLACE: Final = {"pid": 1, "tid": 1}


def trace(profile: Profile) -> dict[str, Any]:
    """Return the typical run: an event for the run, and inside it one for each launch.

    Between launches stands what watching takes, too. An event's `args` hold the ONNX nodes, the
    schedule, operations, bytes and speeds.
    """
    events = [_name("process_name", f"tvmfuse: {profile.model}"), _name("thread_name", "kernels")]
    if profile.typical_run:
        run = {"runs": profile.runs, "threads": profile.threads, "sizes": profile.sizes}
        events.append(_event("run", "run", 0.0, profile.typical_microseconds, run))
    events += [_launch(event) for event in profile.typical_run]
    return {
        "traceEvents": events,
        "displayTimeUnit": "ms",
        "otherData": {
            "model": profile.model,
            "target": profile.target,
            "level": profile.level,
            "threads": profile.threads,
            "sizes": profile.sizes,
        },
    }


def _name(what: str, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": what, **PLACE, "args": {"name": name}}


def _launch(event: Event) -> dict[str, Any]:
    line, spent = event.line, event.microseconds
    args: dict[str, Any] = {"nodes": list(line.nodes), "schedule": line.schedule}
    if line.flop is not None:
        args |= {"flop": line.flop, "GFLOP/s": line.flop / spent / 1e3}
    if line.nbytes is not None:
        args |= {"bytes": line.nbytes, "GB/s": line.nbytes / spent / 1e3}
    return _event(line.kernel, "kernel", event.begin_microseconds, spent, args)


def _event(
    name: str, category: str, begin: float, spent: float, args: dict[str, Any]
) -> dict[str, Any]:
    times = {"ts": begin, "dur": spent}
    return {"ph": "X", "name": name, "cat": category, **PLACE, **times, "args": args}
