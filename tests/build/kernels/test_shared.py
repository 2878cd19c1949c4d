"""kernels.shared: kernels come from what machines share, signed; what fails costs little."""

from __future__ import annotations

import shutil
import threading
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import fsspec
import onnx
import pytest
from pretended import tvmfuse_cli

import tvmfuse
from tvmfuse.build.kernels import shared
from tvmfuse.build.kernels.cache import (
    LIMIT,
    Entry,
    KernelCache,
    SharedKernelCache,
    check_cache,
    kernel_cache,
)
from tvmfuse.build.kernels.shared import FolderStore, ObjectStore, SharedCache, SignedStore
from tvmfuse.errors import ConfigurationError

ENTRY = Entry({"failed": {}}, b"code")


@pytest.fixture
def key(tmp_path: Path) -> Path:
    (tmp_path / "key").write_bytes(bytes(range(32)))
    return tmp_path / "key"


@pytest.fixture(autouse=True)
def own_stores() -> None:
    """What a store of another test did is forgotten."""
    shared.store_of.cache_clear()


class Held:
    """A store in memory, which counts what is asked of it, or fails."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self.asked: list[Sequence[str]] = []
        self.error: Exception | None = None
        self.wait = threading.Event()
        self.wait.set()

    def get(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        self.asked.append(keys)
        self.wait.wait(5)
        if self.error:
            raise self.error
        return {key: self.contents[key] for key in keys if key in self.contents}

    def put(self, contents: Mapping[str, bytes]) -> None:
        if self.error:
            raise self.error
        self.contents.update(contents)


def cache_of(folder: Path, store: Any, secret: bytes = b"s" * 32) -> SharedKernelCache:
    return SharedKernelCache(folder, SignedStore(store, "the store", secret))


def test_what_one_machine_made_another_finds_and_keeps(tmp_path: Path) -> None:
    store = Held()
    one, other = (cache_of(tmp_path / name, store) for name in ("one", "other"))
    one.put({"a": ENTRY, "b": ENTRY})
    assert other.get("a") == ENTRY
    assert KernelCache(tmp_path / "other").get("a") == ENTRY
    assert other.get("c") is None
    store.contents.clear()
    assert (other.get("a"), other.get("c")) == (ENTRY, None)
    assert store.asked == [["a"], ["c"]]


def test_all_kernels_of_a_model_are_asked_for_at_once(tmp_path: Path) -> None:
    store = Held()
    cache_of(tmp_path / "one", store).put({"a": ENTRY, "b": ENTRY})
    cache = cache_of(tmp_path / "other", store)
    cache.fetch(["a", "b", "c"])
    assert [cache.get(key) for key in "abc"] == [ENTRY, ENTRY, None]
    assert store.asked == [["a", "b", "c"]]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (lambda good, _: good[:-1] + b"!", "it is damaged, or was not signed with this key"),
        (lambda good, _: b"", "not signed with this key"),
        (lambda good, _: good[10:], "not signed with this key"),
        (lambda _, sign: sign(b"no record") + b"no record", "it is damaged"),
    ],
)
def test_what_is_altered_or_not_signed_is_no_entry(data: Any, words: str, tmp_path: Path) -> None:
    store = Held()
    cache_of(tmp_path / "one", store).put({"a": ENTRY})
    signed = SignedStore(store, "the store", b"s" * 32)
    store.contents["a"] = data(store.contents["a"], lambda d: signed._signature("a", d))
    with pytest.warns(UserWarning, match="an entry of the store is not used") as said:
        assert cache_of(tmp_path / "other", store).get("a") is None
    assert words in str(said[0].message)
    assert not (tmp_path / "other").exists()


def test_another_s_entry_or_key_is_none(tmp_path: Path) -> None:
    store = Held()
    cache_of(tmp_path / "one", store).put({"a": ENTRY})
    store.contents["b"] = store.contents["a"]
    with pytest.warns(UserWarning, match="not signed with this key"):
        assert cache_of(tmp_path / "other", store).get("b") is None
    with pytest.warns(UserWarning, match="not signed with this key"):
        assert cache_of(tmp_path / "other", store, b"x" * 32).get("a") is None


def test_a_store_that_fails_is_left_alone_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Held()
    store.error = ConnectionError("refused")
    cache = cache_of(tmp_path, store)
    with pytest.warns(UserWarning, match="the store is left alone for a while.*refused"):
        assert cache.get("a") is None
    with warnings.catch_warnings(action="error"):
        cache.put({"a": ENTRY})
        assert cache.get("b") is None
    assert store.asked == [["a"]]
    assert cache.get("a") == ENTRY  # this machine's own
    store.error = None
    now = time.monotonic()
    monkeypatch.setattr("time.monotonic", lambda: now + shared.PAUSE_S + 1)
    cache.put({"c": ENTRY})
    assert [*store.contents] == ["c"]


def test_a_store_that_does_not_answer_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "FIRST_S", 0.05)
    store = Held()
    store.wait.clear()
    cache = cache_of(tmp_path, store)
    with pytest.warns(UserWarning, match="no answer"):
        assert cache.get("a") is None
    store.wait.set()


@pytest.mark.parametrize("kind", ["object", "folder"])
def test_stores(kind: str, tmp_path: Path) -> None:
    store = ObjectStore("memory://kernels") if kind == "object" else FolderStore(tmp_path / "k")
    assert store.get(["a"]) == {}
    store.put({"a": b"1", "b": b""})
    store.put({"a": b"2"})
    assert store.get(["a", "b", "c"]) == {"a": b"2", "b": b""}
    if kind == "object":
        assert sorted(fsspec.filesystem("memory").ls("/kernels", detail=False)) == [
            "/kernels/a.kernel", "/kernels/b.kernel",
        ]  # fmt: skip


def test_a_folder_without_a_key_is_trusted_where_nobody_else_can_write(tmp_path: Path) -> None:
    store = shared.store_of(SharedCache(f"file://{tmp_path}/far%20away"), LIMIT)
    SharedKernelCache(tmp_path / "one", store).put({"a": ENTRY})
    assert SharedKernelCache(tmp_path / "other", store).get("a") == ENTRY
    (tmp_path / "far away").chmod(0o777)
    with pytest.warns(UserWarning, match="others can write to the folder"):
        assert SharedKernelCache(tmp_path / "third", store).get("a") is None


def test_a_model_is_compiled_with_the_kernels_of_another_machine(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch, just_in_time: None
) -> None:
    model = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 17]> g (float[4] x) => (float[4] y)'
        "{ r = Relu(x) y = Neg(r) }"
    )
    files = []
    for machine in ("one", "other"):
        shared.store_of.cache_clear()
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / machine))
        cache = SharedCache(f"file://{tmp_path}/far", key)
        tvmfuse.compile(model, cache=cache).save(tmp_path / "m.so")
        files.append((tmp_path / "m.so").read_bytes())
        if machine == "one":
            monkeypatch.setattr(
                "tvmfuse.build.kernels.compile.object_file", lambda _: pytest.fail("compiled")
            )
    assert files[0] == files[1]
    found = {file.name for file in (tmp_path / "other/tvmfuse/kernels").iterdir()}
    assert found
    assert found <= {file.name for file in (tmp_path / "far").iterdir()}


def test_what_is_wrong_is_said_before_any_work(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "short").write_text("abc")
    for cache, words in (
        ("memory://x", "others may write to the shared kernel cache memory://x"),
        (SharedCache("kernels", key), "expected a URL of a shared cache, found 'kernels'"),
        (SharedCache("new://x", key), "new://x: fsspec cannot open it"),
        (SharedCache("memory://x", tmp_path / "no"), "cannot read the key"),
        (SharedCache("memory://x", tmp_path / "short"), "short has 3 bytes: expected a key of 32"),
    ):
        with pytest.raises(ConfigurationError) as caught:
            check_cache(cache)
        assert words in str(caught.value)
    monkeypatch.setenv("TVMFUSE_CACHE_KEY", str(key))
    check_cache("memory://x")
    found = kernel_cache(cache="memory://x")
    assert isinstance(found, SharedKernelCache)


def test_without_a_home_there_is_no_cache(monkeypatch: pytest.MonkeyPatch, key: Path) -> None:
    monkeypatch.setattr("tvmfuse.build.kernels.cache.cache_folder", lambda _: None)
    with pytest.warns(UserWarning, match="this user has no home"):
        assert kernel_cache(cache=SharedCache("memory://x", key)) is None


def test_the_command_shares_its_kernels(
    tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    model = tmp_path / "m.onnx"
    onnx.save(
        onnx.parser.parse_model(
            '<ir_version: 9, opset_import: ["": 17]> g (float[3] x) => (float[3] y) {y = Abs(x)}'
        ),
        model,
    )

    def compile_it(*options: Any) -> Any:
        return tvmfuse_cli("compile", model, "-o", tmp_path / "m.so", *options)

    url = f"file://{tmp_path}/far"
    assert compile_it("--shared-cache", url, "--cache-key", key).exit_code == 0
    assert any((tmp_path / "far").iterdir())
    shutil.rmtree(tmp_path / "far")
    for options, words in (
        (["--cache-key", key], "--cache-key is for --shared-cache"),
        (["--shared-cache", url, "--no-cache"], "--no-cache has none"),
        (["--shared-cache", "s3:/x"], "expected a URL of a shared cache, found 's3:/x'"),
    ):
        done = compile_it(*options)
        assert done.exit_code == 2
        assert words in " ".join(done.stderr.split())
