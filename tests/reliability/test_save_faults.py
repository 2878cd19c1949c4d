"""Saves and caches where something fails: the old file or the new one whole, nothing left behind."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from relax_models import affine, python, succeeds

import tvmfuse
from tvmfuse.build.kernels.cache import Entry, KernelCache
from tvmfuse.runtime.loading import load

TESTS = Path(__file__).parent.parent

MODEL = onnx_model(
    [helper.make_node("Relu", ["x"], ["y"])], {"x": ("float32", (64,))}, {"y": "float32"}
)

#: Writes a model and entries of a cache over and over.
WRITES = """
import resource, signal, sys
from pathlib import Path
from tvmfuse.build.kernels.cache import Entry, KernelCache
from tvmfuse.errors import ArtifactError
from tvmfuse.format.file import Content, open_artifact, read_builds, write
original, folder, limit = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with open_artifact(original) as file:
    (build,) = read_builds(file, original)
    file.seek(0)
    content = memoryview(file.read())
library = bytes(content[: build.library[1]])
weights = [(w.dtype, w.shape, content[w.offset : w.offset + w.size]) for w in build.weights]
model = Content(build.manifest, library, weights, None, build.aliased_outputs)
print("ready", flush=True)
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
for number in range(3 if limit else 100_000):
    try:
        write(folder / "model.so", [model])
    except ArtifactError:
        print("refused", flush=True)
    KernelCache(folder / "kernels").put(
        {f"{n:064x}": Entry({"n": n}, bytes([n]) * 300_000) for n in range(4)}
    )
"""


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a compiled model of 300 KB."""
    path = tmp_path_factory.mktemp("original") / "model.so"
    affine(depth=256, columns=256).build().save(path)
    return path


def started(original: Path, folder: Path, limit: int = 0) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "ignore", "-c", WRITES, *map(str, (original, folder, limit))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/")
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def is_whole(folder: Path) -> None:
    """Check that what has a name can be read: the model is loaded, and entries are what was put."""
    if (folder / "model.so").exists():
        assert load(folder / "model.so").manifest.name == "affine"
    cache = KernelCache(folder / "kernels")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [cache.get(f"{n:064x}") for n in range(4)]
    for n, entry in enumerate(found):
        assert entry is None or entry == Entry({"n": n}, bytes([n]) * 300_000)


def is_tidy(folder: Path) -> None:
    """Check that the next writer removes what a killed one left."""
    affine().build().save(folder / "model.so")
    KernelCache(folder / "kernels").put({"f" * 64: Entry({}, b"")})
    names = [f.name for f in folder.rglob("*") if not f.is_dir()]
    assert [n for n in names if n != "model.so" and not n.endswith(".kernel")] == []
    assert load(folder / "model.so").manifest.name == "affine"


def killed(original: Path, folder: Path, seed: int, kills: int, writers: int = 1) -> None:
    rng = random.Random(seed)
    for _ in range(kills):
        processes = [started(original, folder) for _ in range(writers)]
        time.sleep(rng.random() * 0.2)
        for process in processes:
            process.kill()
            process.communicate()
        is_whole(folder)
    is_tidy(folder)


def full(original: Path, folder: Path, limits: list[int]) -> None:
    affine().build().save(folder / "model.so")
    before = (folder / "model.so").read_bytes()
    for limit in limits:
        with started(original, folder, limit) as process:
            assert process.stdout is not None
            assert process.stdout.read().splitlines() == ["refused"] * 3
        assert process.returncode == 0
        assert (folder / "model.so").read_bytes() == before
        is_whole(folder)
        names = {f.name for f in folder.rglob("*") if not f.is_dir()}
        assert all(name == "model.so" or name.endswith(".kernel") for name in names)


def test_killed_writers_leave_whole_files(original: Path, tmp_path: Path) -> None:
    killed(original, tmp_path, 0, 3, writers=2)


def test_a_full_disk_leaves_the_old_file(original: Path, tmp_path: Path) -> None:
    full(original, tmp_path, [1000, 200_000])


@pytest.mark.reliability
@pytest.mark.parametrize("seed", range(2, 8))
def test_many_killed_writers_leave_whole_files(original: Path, tmp_path: Path, seed: int) -> None:
    """Six times ten kills."""
    killed(original, tmp_path, seed, 10)


@pytest.mark.reliability
@pytest.mark.parametrize("seed", range(8, 11))
def test_many_pairs_of_writers_that_are_killed(original: Path, tmp_path: Path, seed: int) -> None:
    """Three times ten pairs."""
    killed(original, tmp_path, seed, 10, writers=2)


@pytest.mark.reliability
def test_disks_that_are_full_anywhere(original: Path, tmp_path: Path) -> None:
    """Twenty places at which a file ends."""
    full(original, tmp_path, [int(limit) for limit in np.linspace(1, 250_000, 20)])


# What is odd about the user's cache.


def owned_by_another(place: Path) -> None:
    place.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root gives away folders")
    os.chown(place, 4711, 4711)


def holding(make: Callable[[Path], object]) -> Callable[[Path], None]:
    """Return what fills a cache with a model's kernels, and then changes each entry."""

    def prepare(place: Path) -> None:
        tvmfuse.compile(MODEL, cache=place)
        for entry in place.glob("*.kernel"):
            make(entry)

    return prepare


def replaced(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def change(entry: Path) -> None:
        entry.unlink()
        make(entry)

    return change


def writable_by_all(place: Path) -> None:
    place.mkdir()
    place.chmod(0o777)


ODD: dict[str, Callable[[Path], Any]] = {
    "a file": Path.touch,
    "a pipe": os.mkfifo,
    "a dangling link": lambda place: place.symlink_to("nowhere"),
    "a circle": lambda place: place.symlink_to(place),
    "a device": lambda place: place.symlink_to("/dev/full"),
    "another user's": owned_by_another,
    "writable by all": writable_by_all,
    "entries that are pipes": holding(replaced(os.mkfifo)),
    "entries that are folders": holding(replaced(Path.mkdir)),
    "entries that are links": holding(replaced(lambda entry: entry.symlink_to("/dev/zero"))),
    "entries without content": holding(replaced(Path.touch)),
    "entries that all can write": holding(lambda entry: entry.chmod(0o666)),
    "entries cut in half": holding(lambda entry: os.truncate(entry, entry.stat().st_size // 2)),
    "entries that were altered": holding(
        lambda entry: entry.write_bytes(entry.read_bytes().replace(b"\x7fELF", b"\x7fELG"))
    ),
}


@pytest.fixture(scope="module")
def expected() -> Any:
    return tvmfuse.compile(MODEL).load()(FEEDS)


FEEDS = {"x": np.linspace(-1, 1, 64, dtype="float32")}


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_cache_costs_one_warning(tmp_path: Path, expected: Any, odd: str) -> None:
    place = tmp_path / "kernels"
    ODD[odd](place)
    with pytest.warns(UserWarning, match="kept") as said:
        artifact = tvmfuse.compile(MODEL, cache=place)
    assert len([w for w in said if w.category is UserWarning]) == 1
    for name, found in artifact.load()(FEEDS).items():
        np.testing.assert_array_equal(found, expected[name])


NO_HOME = f"""
import os, sys, warnings
from pathlib import Path
sys.path.insert(0, {str(TESTS)!r})
import tvmfuse
from graphs import onnx_model
from onnx import helper
model = onnx_model(
    [helper.make_node("Relu", ["x"], ["y"])], {{"x": ("float32", (4,))}}, {{"y": "float32"}}
)
tvmfuse.compile(model, cache=sys.argv[1])  # which imports what compiling takes
for name in ("HOME", "XDG_CACHE_HOME"):
    os.environ.pop(name, None)
prefix = Path(sys.prefix)  # where packages are, which another user may not be let into
if os.geteuid() == 0 and all(p.stat().st_mode & 0o005 == 0o005 for p in (prefix, *prefix.parents)):
    os.setgid(12345)
    os.setuid(12345)
else:
    __import__("pwd").getpwuid = lambda number: {{}}[number]
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    tvmfuse.compile(model)
print(len(said), said[0].message)
"""


def test_a_user_without_a_home_and_without_a_name_compiles(tmp_path: Path) -> None:
    """As `docker run -u 12345` has it."""
    said = succeeds(python(NO_HOME, tmp_path))
    assert said.startswith(
        "1 compiled kernels are not kept for the next time: this user has no home"
    )
