"""A real Redis and an S3 server on loopback: kernels are shared through them, dead or alive."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fleet_models import write_model

import tvmfuse
from tvmfuse.build.kernels import shared
from tvmfuse.build.kernels.cache import LIMIT
from tvmfuse.build.kernels.shared import SharedCache

pytestmark = pytest.mark.fleet

SECRET = bytes(range(40))
BUCKET = "kernels"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Server:
    """A server's process on a port of loopback.

    Attributes:
        port: The port.
    """

    def __init__(self, command: Callable[[int], list[str]], folder: Path) -> None:
        self.port = free_port()
        self._command, self._folder = command, folder
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            self._command(self.port), cwd=self._folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        end = time.monotonic() + 120
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                assert self._process.poll() is None
                assert time.monotonic() < end
                time.sleep(0.1)
            else:
                return

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture(params=["redis", "s3"])
def server(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Server, str]]:
    """Return a server, and the URL of a cache on it."""
    shared.store_of.cache_clear()
    if request.param == "redis":
        pytest.importorskip("redis")
        program = shutil.which("redis-server") or pytest.skip("redis-server is not installed")
        options = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        running = Server(lambda port: [program, "--port", str(port), *options], tmp_path)
        url = f"redis://127.0.0.1:{running.port}/0"
    else:
        s3fs = pytest.importorskip("s3fs")
        pytest.importorskip("moto.server")
        running = Server(
            lambda port: [sys.executable, "-m", "moto.server", "-p", str(port)], tmp_path
        )
        place = f"http://127.0.0.1:{running.port}"
        for name, value in (
            ("AWS_ACCESS_KEY_ID", "a"), ("AWS_SECRET_ACCESS_KEY", "b"),
            ("AWS_ENDPOINT_URL", place), ("AWS_DEFAULT_REGION", "us-east-1"),
        ):  # fmt: skip
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("AWS_CA_BUNDLE", raising=False)
        s3fs.S3FileSystem.clear_instance_cache()
        s3fs.S3FileSystem().mkdir(BUCKET)
        url = f"s3://{BUCKET}/of/tests"
    yield running, url
    running.stop()
    shared.store_of.cache_clear()


@pytest.fixture
def key(tmp_path: Path) -> Path:
    (tmp_path / "key").write_bytes(SECRET)
    return tmp_path / "key"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return write_model(tmp_path / "net.onnx")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that gives this process another machine's own cache."""

    def become(name: str) -> None:
        shared.store_of.cache_clear()
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / name))

    return become


def no_code(*_: Any) -> Any:
    pytest.fail("a kernel was compiled")


def test_one_machine_s_kernels_serve_another(
    server: tuple[Server, str],
    key: Path,
    model: Path,
    machine: Callable[[str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cache = SharedCache(server[1], key)
    machine("one")
    tvmfuse.compile(model, cache=cache).save(tmp_path / "one.so")
    machine("other")
    with monkeypatch.context() as patch:
        patch.setattr("tvmfuse.build.kernels.compile.object_file", no_code)
        tvmfuse.compile(model, cache=cache).save(tmp_path / "other.so")
    assert (tmp_path / "one.so").read_bytes() == (tmp_path / "other.so").read_bytes()

    # Signed with another key they are none.
    machine("third")
    (tmp_path / "another").write_bytes(SECRET[::-1])
    with pytest.warns(UserWarning, match="was not signed with this key"):
        tvmfuse.compile(model, cache=SharedCache(server[1], tmp_path / "another"))


def test_what_is_written_there_is_read(server: tuple[Server, str], key: Path) -> None:
    store = shared.store_of(SharedCache(server[1], key), LIMIT)
    assert store.get(["a"]) == {}
    store.put({"a": b"1" * 1_000_000, "b": b"2"})
    assert store.get(["a", "b", "c"]) == {"a": b"1" * 1_000_000, "b": b"2"}


def test_a_server_that_dies_costs_no_compilation(
    server: tuple[Server, str], key: Path, model: Path, machine: Callable[[str], None]
) -> None:
    running, url = server
    machine("one")
    tvmfuse.compile(model, cache=SharedCache(url, key))
    running.stop()
    machine("other")
    begin = time.monotonic()
    with pytest.warns(UserWarning, match="is left alone for a while, and kernels compiled here"):
        tvmfuse.compile(model, cache=SharedCache(url, key))
    assert time.monotonic() - begin < 60  # which is no measurement
    other = write_model(model.parent / "later.onnx", 20)
    tvmfuse.compile(other, cache=SharedCache(url, key))  # without a second warning


def test_a_model_is_read_from_s3(
    server: tuple[Server, str], tmp_path: Path, just_in_time: None
) -> None:
    if not server[1].startswith("s3"):
        pytest.skip("of S3 alone")
    import s3fs

    place = write_model(tmp_path / "net.onnx", beside=True)
    system = s3fs.S3FileSystem()
    for name in ("net.onnx", "net.bin"):
        system.pipe_file(f"{BUCKET}/models/{name}", (tmp_path / name).read_bytes())
    urls = [f"s3://{BUCKET}/models/net.onnx"]
    found = tvmfuse.compile_many(urls, tmp_path / "out", targets=["avx2"], jobs=1)
    assert [(m.state, m.reason) for m in found.models] == [("compiled", "")]
    tvmfuse.compile(place, "avx2").save(tmp_path / "alone.so")
    files = (tmp_path / "out/net.avx2.so", tmp_path / "alone.so")
    assert files[0].read_bytes() == files[1].read_bytes()
    again = tvmfuse.compile_many(urls, tmp_path / "out", targets=["avx2"], jobs=1)
    assert [m.state for m in again.models] == ["kept"]
