"""artifact.file: a file that is not whole is refused in words, before its code is touched."""

import errno
import hashlib
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Never

import numpy as np
import pytest
from pretended import tvmfuse_cli
from relax_models import WITHOUT_TORCH, affine, python, saved, succeeds
from resealed import index_of, resealed

from tvmfuse.errors import ArtifactError, DamagedArtifactError, IncompatibleArtifactError
from tvmfuse.format import record
from tvmfuse.format.file import FORMAT, inspect, open_artifact, read_builds
from tvmfuse.format.record import FOOTER, STATED, RecordFormat, footer_of
from tvmfuse.runtime.loading import load

MAGIC = FORMAT.magic
X = np.ones((2, 16), "float32")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(affine(), tmp_path_factory.mktemp("model"))


def test_the_manifest_is_read_without_loading(path: Path) -> None:
    manifest = inspect(path)
    assert manifest.name == "affine"
    assert len(manifest.sha256) == 64


def test_saving_returns_the_manifest_that_is_read(tmp_path: Path) -> None:
    assert affine().build().save(tmp_path / "m.so") == inspect(tmp_path / "m.so")


@pytest.mark.parametrize(
    "path", [None, b"", 7, ["m.so"], b"m" * 100], ids=["None", "empty", "7", "list", "long"]
)
def test_a_file_has_a_path(path: Path) -> None:
    for function in (load, inspect):
        with pytest.raises(ArtifactError, match=r"cannot read .{1,61}: expected a path"):
            function(path)
    with pytest.raises(ArtifactError, match=r"cannot write .{1,61}: expected a path"):
        affine().build().save(path)


def test_inspecting_imports_no_tvm(path: Path) -> None:
    code = (
        "from tvmfuse.format.file import inspect\n"
        "print(inspect(sys.argv[1]).name, {'tvm', 'tvm_ffi', 'numpy'} & sys.modules.keys())"
    )
    assert succeeds(python(code, path)) == "affine set()\n"


def test_weights_are_aligned(path: Path) -> None:
    with open_artifact(path) as file:
        (build,) = read_builds(file, "model")
        content = Path(path).read_bytes()
    assert [w.shape for w in build.weights] == [(16, 8), (8,)]
    assert all(w.offset % 64 == 0 for w in build.weights)
    weight = np.frombuffer(content, "float32", 128, build.weights[0].offset).reshape(16, 8)
    np.testing.assert_allclose(
        load(path)(x=np.eye(16, dtype="float32"))["y"]
        - load(path)(x=np.zeros((1, 16), "float32"))["y"],
        weight,
        rtol=1e-4,
        atol=1e-6,
    )


# Damage. Many files in one process of its own: a signal would end it.

REFUSES_ALL = """
from pathlib import Path
from tvmfuse.errors import ArtifactError
from tvmfuse.runtime.loading import load
for file in sorted(Path(sys.argv[1]).iterdir()):
    try:
        load(file)
    except ArtifactError as error:
        print(type(error).__name__, error)
    else:
        sys.exit(f"{file} was loaded")
"""


def refusals(files: list[bytes], folder: Path) -> list[str]:
    for i, content in enumerate(files):
        (folder / f"{i:05}.so").write_bytes(content)
    lines = succeeds(python(REFUSES_ALL, folder)).splitlines()
    assert len(lines) == len(files)
    return lines


def test_altered_bytes_are_refused(path: Path, tmp_path: Path) -> None:
    content = bytearray(path.read_bytes())
    places = {*np.linspace(0, len(content) - 1, 400).astype(int).tolist()}
    places |= set(range(len(content) - FOOTER.size, len(content)))
    files = []
    for place in sorted(places):
        content[place] ^= 1
        files.append(bytes(content))
        content[place] ^= 1
    for line in refusals(files, tmp_path):
        assert line.startswith(("DamagedArtifactError", "IncompatibleArtifactError"))
        assert (
            "was altered" in line
            or "does not end as a compiled model does" in line
            or "format" in line
        )


def test_truncated_files_are_refused(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    lengths = [
        *np.linspace(0, len(content) - 1, 100).astype(int),
        *range(len(content) - 80, len(content)),
    ]
    for line in refusals([content[:n] for n in lengths], tmp_path):
        assert line.startswith("DamagedArtifactError")
        assert "does not end as a compiled model does" in line


def test_what_is_no_artifact_is_refused(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    others = [b"", b"not a model", bytes(5000), MAGIC, bytes(FOOTER.size - len(MAGIC)) + MAGIC]
    others += [content + b"\n", content[:1000] + content[2000:], content[4096:], b"\x7fELF" * 100]
    for line in refusals(others, tmp_path):
        assert line.startswith("DamagedArtifactError")


def test_truncation_is_told_from_other_files(path: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.so").write_bytes(path.read_bytes()[:5000])
    with pytest.raises(DamagedArtifactError, match=r"cut.so \(5000 bytes\).*it is truncated"):
        inspect(tmp_path / "cut.so")
    (tmp_path / "text.so").write_text("hello")
    with pytest.raises(
        DamagedArtifactError, match="tvmfuse did not write it; `tvmfuse compile` makes"
    ):
        inspect(tmp_path / "text.so")


@pytest.mark.parametrize("number", [FORMAT.version - 1, FORMAT.version + 1, 2**31])
def test_another_format_asks_for_the_tvmfuse_that_wrote_it(
    path: Path, tmp_path: Path, number: Any
) -> None:
    content = path.read_bytes()
    _, contents_size, _, checksum, *_ = FOOTER.unpack(content[-FOOTER.size :])
    index = content[contents_size : -FOOTER.size]
    footer = footer_of(RecordFormat(MAGIC, number), contents_size, checksum, index)
    (tmp_path / "new.so").write_bytes(content[: -FOOTER.size] + footer)
    with pytest.raises(
        IncompatibleArtifactError,
        match=f"is in format {number}, and this tvmfuse reads format {FORMAT.version}: .* that wrote it",
    ):
        inspect(tmp_path / "new.so")


def test_a_file_of_before_checksums_is_told_by_its_format(path: Path, tmp_path: Path) -> None:
    """Its footer was as long, and had a SHA-256 in the place of the checksums."""
    content = path.read_bytes()
    _, contents_size, index_size, *_ = FOOTER.unpack(content[-FOOTER.size :])
    index = content[contents_size : -FOOTER.size]
    sizes = struct.pack("<IQQ", 6, contents_size, index_size)
    footer = sizes + hashlib.sha256(index + sizes).digest() + MAGIC
    (tmp_path / "old.so").write_bytes(content[: -FOOTER.size] + footer)
    for read in (inspect, load):
        with pytest.raises(IncompatibleArtifactError, match="old.so is in format 6, and this"):
            read(tmp_path / "old.so")


def test_the_sha256_is_compared_where_somebody_asks(path: Path, tmp_path: Path) -> None:
    index = {**index_of(path.read_bytes()), "sha256": "0" * 64}
    liar = tmp_path / "liar.so"
    liar.write_bytes(resealed(path.read_bytes(), text=json.dumps(index).encode()))
    assert load(liar).manifest == inspect(liar)
    with pytest.raises(DamagedArtifactError, match="does not have the SHA-256 that it states"):
        inspect(liar, check=True)
    done = tvmfuse_cli("inspect", liar, "--check")
    assert (done.exit_code, "that is no accident" in done.stderr) == (1, True)
    altered = bytearray(path.read_bytes())
    altered[4000] ^= 1
    (tmp_path / "altered.so").write_bytes(altered)
    assert inspect(tmp_path / "altered.so").name == "affine"
    with pytest.raises(DamagedArtifactError, match="its checksum does not fit"):
        inspect(tmp_path / "altered.so", check=True)
    assert inspect(path, check=True) == inspect(path)


def test_the_footer_begins_with_what_is_stated() -> None:
    assert FOOTER.format.startswith(STATED.format)
    assert FOOTER.size == 60


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none.so", "cannot read .*none.so: No such file"),
        ("", "cannot read .*: it is a folder, and no file"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, name: str, words: str) -> None:
    for read in (inspect, load):
        with pytest.raises(ArtifactError, match=words):
            read(tmp_path / name)


# Writing.


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    for place, words in [
        (Path("/proc/model.so"), ""),
        (tmp_path / "none" / "model.so", "No such file"),
    ]:
        with pytest.raises(ArtifactError) as error:
            affine().build().save(place)
        assert f"cannot write {place}: {words}" in str(error.value)


def test_a_folder_is_no_place_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="it is a folder; name a file in it"):
        affine().build().save(tmp_path)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = saved(affine(), tmp_path)
    before = path.read_bytes()
    artifact = affine(depth=64, columns=64).build()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    # The library still fits, the weights, of 16 KB, no more.
    room = len(path.read_bytes()) + 8 * 1024
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        with pytest.raises(ArtifactError, match=f"cannot write {path}: {os.strerror(errno.EFBIG)}"):
            artifact.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(affine(), tmp_path)
    before = path.read_bytes()

    def interrupted(*_: Any) -> Never:
        raise KeyboardInterrupt

    monkeypatch.setattr(record._HashingWriter, "digest", interrupted)
    with pytest.raises(KeyboardInterrupt):
        affine(depth=64).build().save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


SAVES_FOREVER = """
sys.path.insert(0, sys.argv[2])
from relax_models import affine
artifact = affine(depth=1024, columns=1024).build()  # 4 MB
print("ready", flush=True)
while True:
    artifact.save(sys.argv[1])
"""


def test_a_kill_leaves_the_old_file_or_the_new(tmp_path: Path) -> None:
    path = tmp_path / "model.so"
    code = WITHOUT_TORCH + SAVES_FOREVER
    command = [sys.executable, "-c", code, str(path), str(Path(__file__).parent.parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        while not path.exists():
            time.sleep(0.01)
        for _ in range(20):
            time.sleep(0.03)
            process.send_signal(signal.SIGSTOP)
            assert load(path).manifest.name == "affine"
            process.send_signal(signal.SIGCONT)
        process.kill()
    assert load(path).manifest.name == "affine"


def test_saving_over_a_loaded_model_leaves_it_running(tmp_path: Path) -> None:
    first = affine()
    path = saved(first, tmp_path)
    run = load(path)
    before = run(x=X)["y"]
    doubled = affine(columns=4)
    doubled.build().save(path)
    np.testing.assert_array_equal(run(x=X)["y"], before)
    np.testing.assert_allclose(load(path)(x=X)["y"], doubled.reference(X)[0], rtol=1e-5, atol=1e-5)
