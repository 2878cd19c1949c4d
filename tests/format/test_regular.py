"""regular: what is no file is refused at once, whoever waits at its other end."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

import tvmfuse
from tvmfuse.errors import ArtifactError
from tvmfuse.format.file import inspect
from tvmfuse.format.regular import open_regular
from tvmfuse.runtime.loading import load


def pipe(path: Path) -> None:
    os.mkfifo(path)


def bound(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


ODD: dict[str, tuple[Any, str]] = {
    "a pipe": (pipe, "it is a pipe, and no file"),
    "a folder": (Path.mkdir, "it is a folder, and no file"),
    "a socket": (bound, "it is a socket"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "it is a device, and no file"),
    "a terminal": (lambda path: path.symlink_to("/dev/tty"), "a device, and no file"),
    "a circle": (lambda path: path.symlink_to(path), "Too many levels of symbolic links"),
    "nothing": (lambda path: None, "No such file or directory"),
    "a\0b": (lambda path: None, "no file has such a name"),
    "\ud800": (lambda path: None, "no file has such a name"),
    "m" * 256: (lambda path: None, "File name too long"),
}


@pytest.mark.parametrize("name", ODD, ids=[ascii(name)[:12] for name in ODD])
@pytest.mark.parametrize("read", [load, inspect])
def test_what_is_no_file_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Any, name: str
) -> None:
    monkeypatch.chdir(tmp_path)  # a socket's path is short
    make, words = ODD[name]
    make(Path(name))
    with pytest.raises(ArtifactError, match=f"cannot read .*{words}"):
        read(name)


@pytest.mark.parametrize("name", ODD, ids=[ascii(name)[:12] for name in ODD])
def test_a_model_is_no_such_thing_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if name == "a pipe":
        pytest.skip("a model may come through a pipe")
    ODD[name][0](Path(name))
    with pytest.raises(tvmfuse.TvmfuseError):
        tvmfuse.compile(name)


def test_a_link_is_followed_unless_it_must_not_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    (tmp_path / "link").symlink_to("file")
    with open_regular(tmp_path / "link") as file:
        assert file.read() == b"content"
    with pytest.raises(OSError, match="it is a link"):
        open_regular(tmp_path / "link", follow=False)


def test_nothing_stays_open_after_a_refusal(tmp_path: Path) -> None:
    before = sorted(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with pytest.raises(OSError, match="it is a folder"):
            open_regular(tmp_path)
    assert sorted(os.listdir("/proc/self/fd")) == before
