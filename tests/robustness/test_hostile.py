"""That what watches hostile models sees what they do."""

from pathlib import Path

from hostile import outcomes

DOES = {
    "crashes": (b"import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
    "hangs": (b"while True: pass", "SIGPROF"),
    "raises": (b"raise KeyError('x')", "escaped"),
    "takes memory": (b"bytearray(2 << 30)", "escaped"),
    "reports a defect": (
        b"from tvmfuse.errors import PassError as E; raise E('p', '')",
        "PassError",
    ),
}
"""What a program does, and what is said of it."""


def test_what_goes_wrong_is_seen_and_what_comes_after_it_is_read(tmp_path: Path) -> None:
    programs = {name: program for name, (program, _) in DOES.items()}
    found = outcomes({**programs, "z right": b"pass"}, tmp_path, "trap")
    right = found.pop("z right")
    assert {name: outcome.kind for name, outcome in found.items()} == {
        name: kind for name, (_, kind) in DOES.items()
    }
    assert not any(outcome.is_fine for outcome in found.values())
    assert right.kind == "read"
    assert right.is_fine
    assert not right.is_refusal
