"""record: what is written is read again; anything else is told apart without a look at its content."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tvmfuse.format.faults import AlteredError, NotWholeError, VersionError
from tvmfuse.format.record import (
    FOOTER,
    RecordFormat,
    Section,
    check_payloads,
    read_record,
    write_record,
)

FORM = RecordFormat(b"A RECORD", 7)
BARE = RecordFormat(b"A RECORD", 7, begins_with_magic=False)
HEADER = {"name": "x", "shape": [1, 2]}
PAYLOADS = [b"first", b"", bytes(range(200))]


def write(path: Path, form: RecordFormat) -> Any:
    with path.open("wb") as file:
        return write_record(file, form, HEADER, [memoryview(p) for p in PAYLOADS])


@pytest.fixture
def content(tmp_path: Path) -> bytes:
    write(tmp_path / "record", FORM)
    return (tmp_path / "record").read_bytes()


def read(content: bytes, form: RecordFormat = FORM) -> Any:
    file = io.BytesIO(content)
    record = read_record(file, form)
    check_payloads(file, record)
    return record


@pytest.mark.parametrize("form", [FORM, BARE], ids=["with magic", "bare"])
def test_what_was_written_is_read(tmp_path: Path, form: Any) -> None:
    path = tmp_path / "record"
    written = write(path, form)
    content = path.read_bytes()
    assert read(content, form) == written
    assert written.header == HEADER
    assert [content[o : o + n] for o, n in written.payloads] == PAYLOADS
    assert all(offset % 64 == 0 for offset, _ in written.payloads)
    assert content.startswith(form.magic if form.begins_with_magic else PAYLOADS[0])
    assert json.loads(content[written.contents_size : -FOOTER.size])["sha256"] == written.sha256


def test_a_part_of_a_file_is_read_as_a_file(content: bytes) -> None:
    file = io.BytesIO(b"before" + content + b"after")
    section = Section(file, 6, len(content))
    record = read_record(section, FORM)
    assert record == read(content)
    check_payloads(section, record)
    section.seek(-3, 2)
    assert (section.tell(), section.read(99)) == (len(content) - 3, content[-3:])
    with pytest.raises(NotWholeError):
        read_record(Section(file, 6, len(content) + 1), FORM)


def test_every_altered_byte_shows(content: bytes) -> None:
    for place in range(len(content)):
        altered = content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
        with pytest.raises((AlteredError, NotWholeError, VersionError)):
            read(altered)


def test_every_other_length_shows(content: bytes) -> None:
    for wrong in (*(content[:n] for n in range(len(content))), content + b"\0", content + content):
        with pytest.raises((AlteredError, NotWholeError)):
            read(wrong)


@pytest.mark.parametrize("version", [6, 8])
def test_another_version_is_named(tmp_path: Path, version: int) -> None:
    write(tmp_path / "record", RecordFormat(FORM.magic, version))
    with pytest.raises(VersionError) as error:
        read((tmp_path / "record").read_bytes())
    assert error.value.version == version


def test_another_kind_of_record_is_none(content: bytes) -> None:
    with pytest.raises(NotWholeError):
        read(content, RecordFormat(b"ANOTHER.", 7))
