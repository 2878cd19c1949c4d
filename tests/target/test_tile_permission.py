"""target.tile_permission: Linux gives a process the registers of a matrix unit when it asks."""

from collections.abc import Iterator

import pytest
from tvm.target import codegen

from tvmfuse.target import host_cpu, tile_permission
from tvmfuse.target.machine import Machine
from tvmfuse.target.resolve import resolve

AMX = frozenset({"amx-tile", "amx-int8", "amx-bf16"})


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    """What was answered before is forgotten, and what a test was told, after it."""
    tile_permission.granted.cache_clear()
    yield
    tile_permission.granted.cache_clear()


def test_it_is_given_where_the_cpu_has_tiles_and_nowhere_else() -> None:
    """The other way round a sandbox may refuse."""
    has_tiles = tile_permission.TILES in host_cpu.cpu_features()
    assert has_tiles or not tile_permission.granted()


def test_other_processors_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert not tile_permission.granted()


@pytest.mark.parametrize("granted", [False, True])
def test_this_machine_has_a_matrix_unit_where_linux_gives_it(
    granted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a Sapphire Rapids, say, in a sandbox or outside any."""
    features = frozenset(host_cpu.LINUX_FLAGS) & _features_of("sapphirerapids")
    monkeypatch.setattr("tvm.target.codegen.llvm_get_system_cpu", lambda: "sapphirerapids")
    monkeypatch.setattr(host_cpu, "cpu_features", lambda: features | AMX)
    monkeypatch.setattr(tile_permission, "granted", lambda: granted)
    assert bool(Machine.of(resolve("llvm")).tiles) == granted


def _features_of(cpu: str) -> frozenset[str]:
    return frozenset(map(str, codegen.llvm_get_cpu_features(resolve(cpu))))
