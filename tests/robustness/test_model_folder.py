"""A stranger's model reads the files of its own folder, however it asks for others."""

import os
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np
import pytest
from malformed import external, refused

from tvmfuse.errors import ModelError
from tvmfuse.frontend.onnx import import_model, model_folder

NUMBERS = np.arange(3, dtype="float32").tobytes()
SNAPSHOT = "models--org--name/snapshots/0123abc"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a secret, a model's folder, and a cache of Hugging Face's."""
    for folder in ("model/data", "other", f"hub/{SNAPSHOT}/onnx", "hub/models--org--other/blobs"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "hub/models--org--name/blobs").mkdir()
    secrets = ("secret", "other/secret", "hub/secret", "hub/models--org--other/blobs/secret")
    for name in (*secrets, "model/w.bin", "model/data/w.bin"):
        (tmp_path / name).write_bytes(NUMBERS)
    return tmp_path


def loaded(path: Path) -> None:
    assert import_model(path).outputs[0].shape == (2, 3)


LOCATIONS = {
    "..": "leaves the model's folder",
    "../secret": "leaves the model's folder",
    "./../secret": "leaves the model's folder",
    "data/../../secret": "leaves the model's folder",
    "data/./..//../secret": "leaves the model's folder",
    "no/../../secret": "leaves the model's folder",
    "../model2/w.bin": "leaves the model's folder",
    "../model/w.bin": "leaves the model's folder",
    "/etc/passwd": "leaves the model's folder",
    "//etc/passwd": "leaves the model's folder",
    "..\\secret": "a relative path with '/'",
    "data\\w.bin": "a relative path with '/'",
    "C:\\secret": "a relative path with '/'",
    "\\\\host\\share\\secret": "a relative path with '/'",
    "C:/secret": "no such file",
    "~/secret": "no such file",
    "$HOME/secret": "no such file",
    "%2e%2e/secret": "no such file",
    "file:///etc/passwd": "no such file",
    "w.bin\0.txt": "no file can be called that",
    "../secret\0": "no file can be called that",
    "": "none is named",
    ".": "no regular file",
    "data": "no regular file",
    "data/": "no regular file",
    "w.bin/w.bin": "",
    "n" * 300: "",
    "n/" * 3000: "",
    "w.bin" + " " * 5: "no such file",
}


@pytest.mark.parametrize("location", LOCATIONS, ids=lambda v: repr(v)[:30])
def test_a_location_that_climbs_out_or_is_none(home: Path, location: str) -> None:
    refused(external(home / "model", location), "tensor 'w'", LOCATIONS[location])


def link(target: str | Path, name: str = "model/w.bin") -> Callable[[Path], str]:
    """Return what puts a link in the place of the weights."""

    def put(home: Path) -> str:
        (home / name).unlink(missing_ok=True)
        (home / name).symlink_to(home / target if isinstance(target, Path) else target)
        return "w.bin"

    return put


def hard_link(home: Path) -> str:
    (home / "model/w.bin").unlink()
    (home / "model/w.bin").hardlink_to(home / "secret")
    return "w.bin"


def linked_folder(home: Path) -> str:
    (home / "model/out").symlink_to("..")
    return "out/secret"


def chain(home: Path) -> str:
    (home / "model/w.bin").unlink()
    (home / "model/w.bin").symlink_to("data/next")
    (home / "model/data/next").symlink_to("../../other/secret")
    return "w.bin"


def pipe(home: Path) -> str:
    os.mkfifo(home / "model/pipe")
    return "pipe"


def listening(home: Path) -> str:
    here = os.open(home / "model", os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"/proc/self/fd/{here}/socket")  # a path of its own may be too long
    os.close(here)
    return "socket"


FILES: dict[str, tuple[Callable[[Path], str], str]] = {
    "a link out": (link("../secret"), "leaves the model's folder"),
    "an absolute link out": (link(Path("secret")), "leaves the model's folder"),
    "a link to a system file": (link("/etc/passwd"), "leaves the model's folder"),
    "a link to the environment": (link("/proc/self/environ"), "leaves the model's folder"),
    "a link to a device": (link("/dev/zero"), "leaves the model's folder"),
    "a link to standard input": (link("/dev/stdin"), "leaves the model's folder"),
    "a link to nothing": (link("nothing"), "cannot be read"),
    "a link to itself": (link("w.bin"), "cannot be read"),
    "a link to a folder": (link("data"), "no regular file"),
    "a chain of links out": (chain, "leaves the model's folder"),
    "a folder that is a link out": (linked_folder, "leaves the model's folder"),
    "a hard link": (hard_link, "has 1 further names in other folders"),
    "a pipe": (pipe, "no regular file"),
    "a socket": (listening, "no regular file"),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_is_none_of_the_models(home: Path, kind: str) -> None:
    put, words = FILES[kind]
    refused(external(home / "model", put(home)), "tensor 'w' lies in", words)


@pytest.mark.parametrize(
    ("target", "location"),
    [
        ("../../../models--org--other/blobs/secret", "w.bin"),
        ("../../../secret", "w.bin"),
        ("../../../../secret", "w.bin"),
        ("../../blobs/data", "../../blobs/data"),
        ("../../blobs/data", "../0123abc/w.bin"),
    ],
)
def test_a_snapshot_reads_its_own_models_files(home: Path, target: str, location: str) -> None:
    snapshot = home / "hub" / SNAPSHOT
    (snapshot / "w.bin").symlink_to(target)
    (home / "hub/models--org--name/blobs/data").write_bytes(NUMBERS)
    refused(external(snapshot, location), "leaves the model's folder")


@pytest.mark.parametrize(
    "folder", ["models--a/0123", "snapshots/0123", "models--a/snapshots", "model--a/snapshots/0123"]
)
def test_what_only_looks_like_a_snapshot(home: Path, folder: str) -> None:
    (home / folder).mkdir(parents=True)
    (home / "blobs").mkdir()
    (home / "models--a/blobs").mkdir(parents=True, exist_ok=True)
    for blobs in ("blobs", "models--a/blobs"):
        (home / blobs / "data").write_bytes(NUMBERS)
    blob = home / ("models--a/blobs/data" if folder.startswith("models--") else "blobs/data")
    (home / folder / "w.bin").symlink_to(blob)
    refused(external(home / folder, "w.bin"), "leaves the model's folder")


def test_a_snapshot_that_leads_out_of_its_model(home: Path) -> None:
    (home / "evil/models--a").mkdir(parents=True)
    (home / "evil/models--a/snapshots").symlink_to(home / "hub/models--org--name/snapshots")
    snapshot = home / "evil/models--a/snapshots/0123abc"
    (home / "hub/models--org--name/blobs/data").write_bytes(NUMBERS)
    (snapshot / "w.bin").symlink_to("../../blobs/data")
    refused(external(snapshot, "w.bin"), "leaves the model's folder")


@pytest.mark.parametrize(
    ("location", "victim", "target", "words"),
    [
        ("w.bin", "w.bin", "secret", "no regular file"),
        ("data/w.bin", "data/w.bin", "secret", "no regular file"),
        ("data/w.bin", "data", "other", "cannot be read: Not a directory"),
    ],
)
def test_what_is_exchanged_after_the_check_leads_nowhere(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    location: str,
    victim: str,
    target: str,
    words: str,
) -> None:
    (home / "other/w.bin").write_bytes(NUMBERS)
    open_below = model_folder._opened_below

    def exchanged(root: Path, parts: Sequence[str], said: str) -> int:
        (root / victim).rename(home / "gone")
        (root / victim).symlink_to(home / target)
        return open_below(root, parts, said)

    monkeypatch.setattr(model_folder, "_opened_below", exchanged)
    refused(external(home / "model", location), words)


def test_a_model_that_comes_through_a_pipe_has_no_folder(home: Path) -> None:
    content = external(home / "model", "w.bin").read_bytes()
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    refused(Path(f"/dev/fd/{reading}"), "'w' lie in another file", "not of a pipe", kind=ModelError)
    os.close(reading)


def test_an_open_file_has_the_folder_that_it_lies_in(home: Path) -> None:
    def through(descriptor: int) -> Path:
        return Path(f"/dev/fd/{descriptor}")

    with external(home / "model", "w.bin").open() as file:
        loaded(through(file.fileno()))
    with NamedTemporaryFile(dir="/dev/shm") as shared:
        shared.write(NUMBERS)
        shared.flush()
        with external(home / "model", f"shm/{Path(shared.name).name}").open() as file:
            refused(through(file.fileno()), "no such file")


def test_nothing_stays_open(home: Path) -> None:
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    before = descriptors()
    loaded(external(home / "model", "data/w.bin"))
    for location in LOCATIONS:
        refused(external(home / "model", location))
    refused(external(home / "model", hard_link(home)))
    assert descriptors() == before


# What people have: each writes a model and returns its path.


def beside(home: Path) -> Path:
    return external(home / "model", "w.bin")


def in_a_subfolder(home: Path) -> Path:
    return external(home / "model", "data/w.bin")


def hub(home: Path) -> Path:
    """As huggingface_hub lays it out: both files are links into `blobs`."""
    return snapshot(home, home / "hub" / SNAPSHOT, "../..")


def hub_subfolder(home: Path) -> Path:
    return snapshot(home, home / "hub" / SNAPSHOT / "onnx", "../../..")


def snapshot(home: Path, folder: Path, up: str) -> Path:
    blobs = home / "hub/models--org--name/blobs"
    external(folder, "model.onnx_data").rename(blobs / "5ba5e0")
    (blobs / "da7a00").write_bytes(NUMBERS)
    (folder / "model.onnx").symlink_to(f"{up}/blobs/5ba5e0")
    (folder / "model.onnx_data").symlink_to(f"{up}/blobs/da7a00")
    return folder / "model.onnx"


def hub_with_copies(home: Path) -> Path:
    """The model is a link, its data a file, as where links cannot be made for all."""
    path = snapshot(home, home / "hub" / SNAPSHOT, "../..")
    data = path.with_name("model.onnx_data")
    data.unlink()
    data.write_bytes(NUMBERS)
    return path


def hub_behind_a_link(home: Path) -> Path:
    """The cache lies on another disk."""
    path = hub(home)
    (home / "cache").symlink_to(home / "hub")
    return home / "cache" / path.relative_to(home / "hub")


def link_beside_its_weights(home: Path) -> Path:
    external(home / "model", "w.bin").rename(home / "other/stored")
    (home / "model/m.onnx").symlink_to("../other/stored")
    return home / "model/m.onnx"


def link_to_a_model_with_its_weights(home: Path) -> Path:
    (home / "m.onnx").symlink_to(external(home / "model", "w.bin"))
    return home / "m.onnx"


def weights_that_are_a_link_within(home: Path) -> Path:
    link("data/w.bin")(home)
    return external(home / "model", "w.bin")


def two_names_in_one_folder(home: Path) -> Path:
    (home / "model/v.bin").hardlink_to(home / "model/w.bin")
    return external(home / "model", "v.bin")


@pytest.mark.parametrize(
    "layout",
    [
        beside, in_a_subfolder, hub, hub_subfolder, hub_with_copies, hub_behind_a_link,
        link_beside_its_weights, link_to_a_model_with_its_weights, weights_that_are_a_link_within,
        two_names_in_one_folder,
    ],
)  # fmt: skip
def test_what_people_have_is_loaded(
    home: Path, layout: Callable[[Path], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = layout(home)
    loaded(path)
    monkeypatch.chdir(path.parent)
    loaded(Path(path.name))
    loaded(Path("..", path.parent.name, path.name))


def test_a_folder_that_may_be_searched_but_not_listed(home: Path) -> None:
    (home / "model/data").chmod(0o111)
    loaded(external(home / "model", "data/w.bin"))
