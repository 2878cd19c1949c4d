"""What an object file makes the machine do, told from what it is called and who made it.

Kernels that differ before they are compiled may come to the same instructions. The file's layout
is that of ELF-64 (System V ABI, "Object Files").
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from typing import Final

#: Of a section's flags: it is in memory when the code runs.
ALLOCATED: Final = 0x2
NO_BITS: Final = 8
RELOCATIONS: Final = 4
HEADER: Final = "<16xHHIQQQIHHHHHH"
SECTION: Final = "<IIQQQQIIQQ"


def digest_of_code(object_file: bytes, symbol: str) -> str:
    """Return the digest of instructions, constants and what refers to them, without names.

    Args:
        object_file: As LLVM writes it: ELF, 64 bits, little-endian.
        symbol: The kernel's, which messages within the code hold.
    """
    digest = hashlib.sha256()
    for name, content in _loaded(object_file):
        kept = content.replace(symbol.encode(), b"")
        digest.update(b"%d %s " % (len(kept), name.encode()) + kept)
    return digest.hexdigest()


def _loaded(file: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the sections that are loaded, and the relocations of these."""
    _, _, _, _, _, begin, _, _, _, _, size, count, names_at = struct.unpack_from(HEADER, file)
    sections = [struct.unpack_from(SECTION, file, begin + i * size) for i in range(count)]
    names = sections[names_at][4]
    loaded = dict[int, str]()
    for place, (name_at, kind, flags, _, offset, nbytes, *_) in enumerate(sections):
        start = names + name_at
        name = file[start : file.index(b"\0", start)].decode()
        if flags & ALLOCATED and kind != NO_BITS and name != ".eh_frame":
            loaded[place] = name
            yield name, file[offset : offset + nbytes]
    for _, kind, _, _, offset, nbytes, _, of, _, _ in sections:
        if kind == RELOCATIONS and of in loaded:
            yield f"relocations of {loaded[of]}", file[offset : offset + nbytes]
