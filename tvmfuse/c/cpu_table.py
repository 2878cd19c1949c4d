"""Writes the CPU features that the C library knows, from `tvmfuse.target.host_cpu`.

``python -m tvmfuse.c.cpu_table`` does it, after a change there.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tvmfuse.target.host_cpu import AARCH64_BITS, AARCH64_FLAGS, LINUX_FLAGS

FILE: Final = Path(__file__).with_name("cpu_flags.h")

WORD: Final = 64
"""Bits of what the kernel tells of features in one number."""


def table() -> str:
    """Return the file's text."""
    bits = {name: divmod(AARCH64_BITS[flag], WORD) for name, flag in AARCH64_FLAGS.items()}
    words = {name: f'"{flag}"' for name, flag in LINUX_FLAGS.items()}
    numbers = {name: f"{word}, {bit}" for name, (word, bit) in bits.items()}
    lines = [
        "/* Made by tvmfuse/c/cpu_table.py: LLVM's names of CPU features, and Linux': words of",
        " * /proc/cpuinfo, or bits of AT_HWCAP (0) and AT_HWCAP2 (1). */",
        "#if defined(__x86_64__)",
        *_rows("const char *name, *linux_name;", words),
        "#elif defined(__aarch64__)",
        *_rows("const char *name;\n  uint8_t word, bit;", numbers),
        "#endif",
    ]
    return "\n".join([*lines, ""])


def _rows(members: str, features: Mapping[str, str]) -> list[str]:
    rows = [f'    {{"{name}", {value}}},' for name, value in features.items()]
    return [f"static const struct {{\n  {members}\n}} features[] = {{", *rows, "};"]


if __name__ == "__main__":
    FILE.write_text(table())
