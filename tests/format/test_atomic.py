"""Files are there as a whole or not at all; what is no file stays what it is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tvmfuse.errors import ArtifactError
from tvmfuse.format.atomic import atomic_write, check_place, write_text


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


# Odd places.


def test_a_link_is_refused_and_stays(tmp_path: Path) -> None:
    """Whether the link or what it names is meant, nobody can tell."""
    (tmp_path / "v3.so").write_text("third")
    (tmp_path / "current.so").symlink_to("v3.so")
    with pytest.raises(ArtifactError, match=r"current.so: it is a link to v3.so; name that file"):
        write_text(tmp_path / "current.so", "fourth")
    (tmp_path / "dangling").symlink_to("nowhere")
    with pytest.raises(ArtifactError, match="it is a link to nowhere, which is not there"):
        write_text(tmp_path / "dangling", "more")
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(ArtifactError, match="circle: Too many levels of symbolic links"):
        write_text(tmp_path / "circle", "more")
    assert (tmp_path / "current.so").is_symlink()
    assert (tmp_path / "v3.so").read_text() == "third"
    assert sorted(f.name for f in tmp_path.iterdir()) == [
        "circle",
        "current.so",
        "dangling",
        "v3.so",
    ]


def test_a_link_to_a_folder_on_the_way_is_followed(tmp_path: Path) -> None:
    (tmp_path / "releases").mkdir()
    (tmp_path / "here").symlink_to("releases")
    write_text(tmp_path / "here" / "m.so", "new")
    assert (tmp_path / "releases" / "m.so").read_text() == "new"


@pytest.mark.parametrize("form", ["/dev/fd/{}", "/proc/self/fd/{}"])
def test_standard_output_is_written_through_even_if_it_is_a_file(tmp_path: Path, form: str) -> None:
    (tmp_path / "stdout").symlink_to("/dev/null")
    with (tmp_path / "log").open("wb") as log:
        (tmp_path / "out").symlink_to(form.format(log.fileno()))
        log.write(b"first\n")
        log.flush()
        for name in (form.format(log.fileno()), tmp_path / "out", tmp_path / "stdout"):
            write_text(name, "page\n")
    assert sorted(f.name for f in tmp_path.iterdir()) == ["log", "out", "stdout"]
    assert (tmp_path / "log").read_text() == "page\n"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a\0b", "no file has such a name"),
        ("\ud800", "no file has such a name"),
        ("m" * 256, "File name too long"),
        ("", "it is a folder; name a file in it"),
        ("no/such/folder/x", "No such file or directory"),
    ],
    ids=["nul", "text", "long", "folder", "no folder"],
)
def test_a_name_that_no_file_can_have_is_said(tmp_path: Path, name: str, words: str) -> None:
    for write in (lambda path: write_text(path, "x"), check_place):
        with pytest.raises(ArtifactError, match=f"cannot write .*{words}"):
            write(tmp_path / name)
    assert [*tmp_path.iterdir()] == []


def test_the_longest_name_that_the_system_has_is_written(tmp_path: Path) -> None:
    write_text(tmp_path / ("m" * 255), "x")
    assert [f.name for f in tmp_path.iterdir()] == ["m" * 255]


def test_permissions_are_those_of_a_new_file(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "x", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o640


def test_whether_a_file_can_be_written_is_found_out_without_writing(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    check_place(tmp_path / "old")
    check_place(tmp_path / "new")
    check_place("/dev/null")
    assert [(f.name, f.read_text()) for f in tmp_path.iterdir()] == [("old", "old")]


# What a killed writer leaves.

KILLED = """
import os, signal, sys
from tvmfuse.format import atomic
from tvmfuse.format.atomic import atomic_write
atomic._nameless = lambda *_: None  # as on file systems whose files have names
with atomic_write(sys.argv[1]) as file:
    file.write(b"half of it")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_writer_left_goes_with_the_next_and_nothing_else(tmp_path: Path) -> None:
    place = tmp_path / "m.so"
    place.write_text("old")
    (tmp_path / ".tvmfuse-notes").touch()
    (tmp_path / ".tvmfuse-a.tmp").symlink_to(place)
    os.mkfifo(tmp_path / ".tvmfuse-b.tmp")
    others = sorted(f.name for f in tmp_path.iterdir())
    done = subprocess.run([sys.executable, "-c", KILLED, str(place)], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert place.read_text() == "old"
    assert len([*tmp_path.iterdir()]) == len(others) + 1
    with atomic_write(tmp_path / "another") as unfinished:
        write_text(place, "new")
        unfinished.write(b"whole")
    assert place.read_text() == "new"
    assert sorted(f.name for f in tmp_path.iterdir()) == sorted([*others, "another"])


def test_writers_of_one_place_leave_one_of_their_files(tmp_path: Path) -> None:
    place, failed = tmp_path / "m.so", list[BaseException]()

    def work(number: int) -> None:
        try:
            for _ in range(30):
                write_text(place, str(number) * 10_000)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        if place.exists():
            assert len(set(place.read_text())) == 1
    assert failed == []
    assert [f.name for f in tmp_path.iterdir()] == ["m.so"]


KILLS_ITSELF = """
import os, signal, sys
from tvmfuse.format.atomic import atomic_write
with atomic_write(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_of_a_killed_writer_nothing_is_left(tmp_path: Path) -> None:
    place = tmp_path / "m.so"
    place.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", KILLS_ITSELF, str(place)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert [*tmp_path.iterdir()] == [place]
    assert place.read_bytes() == b"old"


def test_where_files_need_a_name_it_is_whole_or_not_at_all_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tvmfuse.format.atomic._nameless", lambda *_: None)
    with atomic_write(tmp_path / "m.so") as file:
        file.write(b"whole")
        assert len([*tmp_path.iterdir()]) == 1
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("m.so", b"whole")]
