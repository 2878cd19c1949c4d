"""The record under all of tvmfuse's binary files: payloads, and an index that says what they are.

Layout, integers little-endian::

    magic      8 bytes, in formats whose first payload does not say what the file is
    payloads   raw, each at a multiple of 64 bytes: they can be mapped into memory
    index      JSON: the format's own header, where the payloads lie, SHA-256 of all before it
    footer     60 bytes: version, size of all before the index, size of the index, checksum of all
               before the index, 16 zeros, checksum of the index and of these, magic

The checksums chain: one altered byte shows, and reading the header takes the last few KB alone.
They are XXH64, which takes about as long as reading memory does, and show accidents, no malice. The
SHA-256 is what the contents are known by, and is compared where somebody asks (`check_identity`).

The index stands behind the payloads because it says where they lie, and because a shared library,
which loaders read from its first byte on, may be one of them. All versions have theirs, and the
sizes, at one place.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, Literal, Protocol, TypeVar

import xxhash

from tvmfuse.format.faults import AlteredError, MalformedError, NotWholeError, VersionError

T = TypeVar("T")

#: Version, size of all before the index, size of the index, the checksum of all before it.
STATED: Final = struct.Struct("<IQQQ16x")
#: That of the index and of these.
CHECKSUM: Final = struct.Struct("<Q")
#: All of this, and the magic.
FOOTER: Final = struct.Struct(f"{STATED.format}Q8s")
ALIGNMENT: Final = 64  # bytes: what TVM's kernels expect of a tensor
CHUNK: Final = 1 << 18  # bytes
#: The magic of `graph_file`, here so that other formats can say what such a file is.
GRAPH_MAGIC: Final = b"TVMFUSEG"


class Readable(Protocol):
    """What a record is read from: a file, or mapped memory."""

    def seek(self, offset: int, whence: Literal[0, 1, 2] = 0, /) -> Any:
        """Move to a place."""

    def tell(self) -> int:
        """Return the place."""

    def read(self, size: int, /) -> bytes:
        """Read from there on."""


class Section:
    """A part of an open file, read as if it were a file.

    Args:
        file: The file; whoever reads from it, too, moves to another place first.
        offset: Where the part begins.
        size: Its bytes.
    """

    def __init__(self, file: BinaryIO, offset: int, size: int) -> None:
        self._file, self._offset, self._size = file, offset, size
        self._place = 0

    def seek(self, offset: int, whence: Literal[0, 1, 2] = 0, /) -> int:
        """Move to a place, and return it."""
        self._place = offset + (0, self._place, self._size)[whence]
        return self._place

    def tell(self) -> int:
        """Return the place."""
        return self._place

    def read(self, size: int, /) -> bytes:
        """Read from there on, to the part's end at most."""
        self._file.seek(self._offset + self._place)
        data = self._file.read(max(0, min(size, self._size - self._place)))
        self._place += len(data)
        return data


@dataclass(frozen=True)
class RecordFormat:
    """One kind of file.

    Attributes:
        magic: 8 bytes, with which it ends.
        version: Raised whenever what is in the index or the payloads changes its meaning.
        begins_with_magic: Whether it begins with them, too.
    """

    magic: bytes
    version: int
    begins_with_magic: bool = True


@dataclass(frozen=True)
class Record:
    """What the index says.

    Attributes:
        header: The format's own, of JSON's types.
        payloads: Each one's offset and size in bytes.
        sha256: Of all before the index, in hexadecimal.
        contents_size: How many bytes that are.
        checksum: Of these bytes.
    """

    header: Mapping[str, Any]
    payloads: Sequence[tuple[int, int]]
    sha256: str
    contents_size: int
    checksum: int


@dataclass(frozen=True)
class _Index:
    header: Mapping[str, Any]
    payloads: tuple[tuple[int, int], ...]
    sha256: str


def write_record(
    file: BinaryIO,
    form: RecordFormat,
    header: Mapping[str, Any],
    payloads: Sequence[bytes | memoryview],
) -> Record:
    """Write a record.

    Args:
        file: Open, at its start; see `atomic_write`.
        form: What it is.
        header: Of JSON's types.
        payloads: In order.
    """
    out = _HashingWriter(file)
    if form.begins_with_magic:
        out.write(form.magic)
    places = [out.write(payload) for payload in payloads]
    contents_size, sha256, checksum = out.size, out.digest(), out.checksum()
    index = json.dumps({"header": header, "payloads": places, "sha256": sha256}).encode()
    file.write(index)
    file.write(footer_of(form, contents_size, checksum, index))
    return Record(header, tuple(places), sha256, contents_size, checksum)


def footer_of(form: RecordFormat, contents_size: int, checksum: int, index: bytes) -> bytes:
    """Return what a record ends with.

    Args:
        form: What it is.
        contents_size: The bytes before the index.
        checksum: Theirs.
        index: As it is written.
    """
    stated = STATED.pack(form.version, contents_size, len(index), checksum)
    return stated + CHECKSUM.pack(xxhash.xxh64_intdigest(index + stated)) + form.magic


def read_record(file: Readable, form: RecordFormat) -> Record:
    """Read and check the index; the payloads are not touched.

    Raises:
        NotWholeError: The file is truncated, something was appended, or it is no such record.
        AlteredError: The index was altered.
        VersionError: Another tvmfuse wrote it.
        MalformedError: The index is whole, and says what tvmfuse does not write.
    """
    file.seek(0, 2)  # to the end
    end = file.tell()
    file.seek(max(0, end - FOOTER.size))
    footer = file.read(FOOTER.size)
    if len(footer) < FOOTER.size or not footer.endswith(form.magic):
        raise NotWholeError
    version, contents_size, index_size, checksum, of_index, _ = FOOTER.unpack(footer)
    if version > form.version:
        raise VersionError(version)
    if contents_size + index_size + FOOTER.size != end:
        raise AlteredError
    if version != form.version:  # Older ones have other checksums, and none has the number 0.
        raise VersionError(version) if version else AlteredError
    file.seek(contents_size)
    index = file.read(index_size)
    if xxhash.xxh64_intdigest(index + footer[: STATED.size]) != of_index:
        raise AlteredError
    said = _index(index)
    if said.payloads != _places(form, [size for _, size in said.payloads], contents_size):
        raise MalformedError("its parts do not lie one behind the other, to the end of the file")
    return Record(said.header, said.payloads, said.sha256, contents_size, checksum)


def typed(kind: type[T], fields: object) -> T:
    """Return what JSON says as a dataclass, whose types it has to have.

    Raises:
        MalformedError: It has others, and where.
    """
    import msgspec  # which those do without who only want to know what errors there are

    try:
        return msgspec.convert(fields, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise MalformedError(str(error)) from error


def _index(text: bytes) -> _Index:
    try:
        fields = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"it is no JSON that tvmfuse writes: {error}") from error
    return typed(_Index, fields)


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{number} is no finite number")
    return value


def _places(
    form: RecordFormat, sizes: Iterable[int], contents_size: int
) -> tuple[tuple[int, int], ...] | None:
    """Return where payloads lie, as `write_record` places them; None if that is not to be."""
    places, end = [], len(form.magic) if form.begins_with_magic else 0
    for size in sizes:
        offset = end + -end % ALIGNMENT
        places.append((offset, size))
        end = offset + size
        if size < 0:
            return None
    return tuple(places) if end == contents_size else None


def check_payloads(file: Readable, record: Record) -> None:
    """Check all that stands before the index against its checksum.

    That shows accidents. Who means harm makes the checksum fit, and the SHA-256 in the file, too.

    Raises:
        AlteredError: A byte of it was altered.
    """
    checksum = xxhash.xxh64()
    _read_contents(file, record, checksum.update)
    if checksum.intdigest() != record.checksum:
        raise AlteredError


def check_identity(file: Readable, record: Record) -> None:
    """Check all that stands before the index against the SHA-256 that it is known by.

    Raises:
        AlteredError: It has another one.
    """
    digest = hashlib.sha256()
    _read_contents(file, record, digest.update)
    if digest.hexdigest() != record.sha256:
        raise AlteredError


def _read_contents(
    file: Readable, record: Record, take: Callable[[bytes | memoryview], object]
) -> None:
    """Hand on all that stands before the index; of mapped memory nothing is copied."""
    if isinstance(file, mmap.mmap):
        with memoryview(file) as pages, pages[: record.contents_size] as contents:
            take(contents)
        return
    file.seek(0)
    left = record.contents_size
    while left and (chunk := file.read(min(CHUNK, left))):
        take(chunk)
        left -= len(chunk)


class _HashingWriter:
    """Writes aligned pieces, and hashes all that it writes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._sha256 = hashlib.sha256()
        self._checksum = xxhash.xxh64()
        self.size = 0

    def write(self, data: bytes | memoryview) -> tuple[int, int]:
        """Write the next piece; return its offset and its size."""
        self._put(bytes(-self.size % ALIGNMENT))
        offset = self.size
        self._put(data)
        return offset, len(data)

    def digest(self) -> str:
        return self._sha256.hexdigest()

    def checksum(self) -> int:
        return self._checksum.intdigest()

    def _put(self, data: bytes | memoryview) -> None:
        self._file.write(data)
        self._sha256.update(data)
        self._checksum.update(data)
        self.size += len(data)
