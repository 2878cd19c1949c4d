"""The caches of a core, as far as they are known: stated in a target, or found on this machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: The first CPU's caches, as Linux tells them.
FOLDER: Final = Path("/sys/devices/system/cpu/cpu0/cache")

#: glibc's numbers for `sysconf` (bits/confname.h), for which Python has no names. Its number for
#: the last level is left out: under a hypervisor it counts caches of cores that are not ours.
SYSCONF: Final[Mapping[str, int]] = {"l1_bytes": 188, "line_bytes": 190, "l2_bytes": 191}

#: What is beyond these, in bytes, is no cache but a hypervisor's invention.
PLAUSIBLE: Final[Mapping[str, tuple[int, int]]] = {
    "line_bytes": (32, 256),
    "l1_bytes": (8 << 10, 1 << 20),
    "l2_bytes": (64 << 10, 64 << 20),
    "l3_bytes": (256 << 10, 1 << 30),
}

#: As a target's ``model`` writes them.
WORDS: Final[Mapping[str, str]] = {"line": "line_bytes", "l1d": "l1_bytes", "l2": "l2_bytes"}


@dataclass(frozen=True)
class Caches:
    """The caches of a core; None for what is not known.

    Attributes:
        line_bytes: Of a line, in bytes.
        l1_bytes: Size of the first-level data cache, in bytes.
        l2_bytes: Size of the second-level cache, in bytes.
        l3_bytes: A core's share of the last-level cache, in bytes.
    """

    line_bytes: int | None = None
    l1_bytes: int | None = None
    l2_bytes: int | None = None
    l3_bytes: int | None = None

    @classmethod
    def stated(cls, model: str) -> Caches:
        """Return the caches that a target's ``model`` states; TVM takes any words there.

        >>> Caches.stated("l1d=32768,l2=524288").l2_bytes, Caches.stated("unknown").l2_bytes
        (524288, None)
        """
        found = dict(re.findall(r"\b(line|l1d|l2)=(\d+)\b", model))
        return _plausible({WORDS[word]: int(size) for word, size in found.items()})

    @property
    def model(self) -> str:
        """What `stated` reads."""
        sizes = {word: getattr(self, name) for word, name in WORDS.items()}
        return ",".join(f"{word}={size}" for word, size in sizes.items() if size is not None)


def find(folder: Path = FOLDER, sysconf: Callable[[int], int] | None = None) -> Caches:
    """Return the caches of a core of this machine.

    Args:
        folder: Where Linux tells of them: ``index0`` and so on, one for each cache.
        sysconf: What to ask where it does not; None: nothing.
    """
    found: dict[str, int] = {}
    for each in sorted(folder.glob("index*")):
        level, kind, size = (_read(each / name) for name in ("level", "type", "size"))
        if kind in ("Data", "Unified") and level in ("1", "2", "3"):
            found[f"l{level}_bytes"] = _bytes(size)
            found.setdefault("line_bytes", _bytes(_read(each / "coherency_line_size")))
            if level == "3":
                found["l3_bytes"] //= max(1, _sharing(each))
    if sysconf is not None:
        for name, number in SYSCONF.items():
            if not found.get(name):
                found[name] = _asked(sysconf, number)
    return _plausible(found)


def _plausible(found: Mapping[str, int]) -> Caches:
    sizes = {k: n for k, n in found.items() if PLAUSIBLE[k][0] <= n <= PLAUSIBLE[k][1]}
    return Caches(**sizes)


def _asked(sysconf: Callable[[int], int], number: int) -> int:
    try:
        return sysconf(number)
    except (OSError, ValueError):
        return 0


def _read(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""


def _bytes(size: str) -> int:
    """Return the number that Linux writes as 32K, 0 where it is none."""
    number, unit = (size[:-1], size[-1]) if size[-1:] in ("K", "M") else (size, "")
    return int(number) << {"": 0, "K": 10, "M": 20}[unit] if number.isdigit() else 0


def _sharing(index: Path) -> int:
    """Return how many cores share a cache: its CPUs, by those that share a second-level cache."""
    shared = _count(_read(index / "shared_cpu_list"))
    own = [
        _count(_read(other / "shared_cpu_list"))
        for other in index.parent.glob("index*")
        if _read(other / "level") == "2"
    ]
    return shared // max(1, *own) if own else shared


def _count(cpus: str) -> int:
    """Return how many CPUs a list such as ``0-3,8`` has; 0 where it is none."""
    ranges = [part.split("-") for part in cpus.split(",")]
    if not all(1 <= len(r) <= 2 and all(n.isdigit() for n in r) for r in ranges):
        return 0
    return sum(int(r[-1]) - int(r[0]) + 1 for r in ranges)
