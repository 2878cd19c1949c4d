"""Files are there as a whole or not at all; what is no file stays what it is."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from tvmfuse.errors import ArtifactError
from tvmfuse.format.atomic import atomic_write, write_text


def test_a_file_takes_its_name_when_it_is_whole(tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    write_text(place, "first \u2713")
    assert place.read_bytes() == b"first \xe2\x9c\x93"
    with atomic_write(place) as file:
        file.write(b"second")
        assert place.read_bytes().startswith(b"first")
    assert place.read_bytes() == b"second"


@pytest.mark.parametrize("durable", [True, False])
def test_a_full_disk_leaves_what_stood_there_and_nothing_else(
    tmp_path: Path, durable: bool
) -> None:
    place = tmp_path / "t.json"
    place.write_text("before")

    def write() -> None:
        with (
            atomic_write(place, durable=durable) as file,
            open("/dev/full", "wb", buffering=0) as full,
        ):
            file.write(b"half of it")
            full.write(b"the rest")

    with pytest.raises(ArtifactError, match=r"cannot write .*t\.json: No space left on device"):
        write()
    assert [(f.name, f.read_text()) for f in tmp_path.iterdir()] == [("t.json", "before")]


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    """Whoever may do so would otherwise put a file in the place of `/dev/null`."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "through")
    reader.join(10)
    assert read == ["through"]
    assert pipe.is_fifo()


def test_a_device_that_is_full_is_said(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="cannot write /dev/full: No space left on device"):
        write_text("/dev/full", "more")
