"""Whether a shared library has all that its head says: the loader reads beyond its end, and dies.

The layout is that of the System V ABI's chapters 4 and 5, "Object Files" and "Program Loading".
"""

from __future__ import annotations

import struct
from itertools import starmap
from typing import Final

from tvmfuse.format.faults import MalformedError

#: ELF's magic number, 64 bits, little-endian.
MAGIC: Final = b"\x7fELF\x02\x01"

#: Where the head says where the segments' heads lie, how large one is and how many there are.
SEGMENTS: Final = struct.Struct("<32xQ14xHH")

#: Of a segment's head: where it lies in the file, and how many bytes of it.
SEGMENT: Final = struct.Struct("<8xQ16xQ")


def check_whole(library: bytes) -> None:
    """See that a library is ELF's, and holds its segments to the end.

    Raises:
        MalformedError: It does not.
    """
    try:
        place, size, count = SEGMENTS.unpack_from(library)
        heads = [SEGMENT.unpack_from(library, place + n * size) for n in range(count)]
    except struct.error:
        heads = [(0, len(library) + 1)]
    if not library.startswith(MAGIC) or max(starmap(int.__add__, heads), default=0) > len(library):
        raise MalformedError("its library is not whole")
