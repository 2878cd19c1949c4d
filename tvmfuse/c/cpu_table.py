"""Writes the CPU features that the C library knows, from `tvmfuse.target.host_cpu`.

``python -m tvmfuse.c.cpu_table`` does it, after a change there.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tvmfuse.target.host_cpu import FLAGS

FILE: Final = Path(__file__).with_name("cpu_flags.h")
PROCESSORS: Final = {"flags": "__x86_64__", "Features": "__aarch64__"}
"""By the word that begins their line in ``/proc/cpuinfo``, what C's compilers define."""


def table() -> str:
    """Return the file's text."""
    lines = ["/* Made by tvmfuse/c/cpu_table.py: LLVM's names of CPU features, and Linux'. */"]
    for begin, (word, flags) in zip(("#if", "#elif"), FLAGS.items(), strict=True):
        lines += [f"{begin} defined({PROCESSORS[word]})", *_processor(word, flags)]
    return "\n".join([*lines, "#endif", ""])


def _processor(word: str, flags: Mapping[str, str]) -> list[str]:
    rows = [f'    {{"{name}", "{flag}"}},' for name, flag in flags.items()]
    head = "static const struct {\n  const char *name, *linux_name;\n} features[] = {"
    return [f'#define FLAGS_LINE "{word}"', head, *rows, "};"]


if __name__ == "__main__":
    FILE.write_text(table())
