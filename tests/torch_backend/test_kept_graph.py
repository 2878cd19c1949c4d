"""kept_graph: which graphs are the same to another process, and what happens where they are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.fx import GraphModule
from torch_backend.traced import traced

from tvmfuse.build.kernels.cache import Entry, KernelCache
from tvmfuse.torch_backend import kept_graph
from tvmfuse.torch_backend.compile_graph import FromScratch
from tvmfuse.torch_backend.compiled_graph import CompiledGraph, compiled_graph
from tvmfuse.torch_backend.graph_digest import CannotBeToldError, digest_of
from tvmfuse.torch_backend.kept_graph import compiled_or_kept
from tvmfuse.torch_backend.options import Options

pytestmark = pytest.mark.sampled(5)

X = torch.linspace(-1, 1, 24).reshape(4, 6)


def graph(
    x: torch.Tensor = X,
    weight: torch.Tensor | None = None,
    shift: float = 0.5,
    mode: Any = "fake",
    operator: Callable[..., torch.Tensor] = torch.relu,
) -> GraphModule:
    """Return `relu(x @ weight) + [shift] * 2`, whose weight is a parameter."""
    held = torch.nn.Parameter(torch.ones(6, 8) if weight is None else weight, requires_grad=False)

    def function(x: torch.Tensor) -> tuple[torch.Tensor]:
        return (operator(x @ held) + torch.full((8,), shift, dtype=held.dtype) * 2,)

    made = traced(function, x, mode=mode)
    made.register_buffer("number", torch.full((1,), shift))
    with made.graph.inserting_before(made.graph.output_node()):
        made.graph.get_attr("number").meta["val"] = made.number
    return made


def test_numbers_of_parameters_are_no_part_of_a_digest() -> None:
    assert digest_of(graph(weight=torch.zeros(6, 8)), 100) == digest_of(graph(), 100)


OTHERS: dict[str, Callable[[], GraphModule]] = {
    "shape": lambda: graph(X[:3]),
    "strides": lambda: graph(X.T.contiguous().T),
    "symbolic sizes": lambda: graph(mode="symbolic"),
    "dtype": lambda: graph(X.double(), torch.ones(6, 8, dtype=torch.float64)),
    "strides of a parameter": lambda: graph(weight=torch.ones(8, 6).T),
    "a number": lambda: graph(shift=0.25),
    "an operator": lambda: graph(operator=torch.tanh),
}


@pytest.mark.parametrize("other", OTHERS)
def test_what_else_differs_is_another_graph(other: str) -> None:
    assert digest_of(OTHERS[other](), 100) != digest_of(graph(), 100)


def test_many_constants_have_no_digest() -> None:
    with pytest.raises(CannotBeToldError, match="more than 3 bytes"):
        digest_of(graph(), 3)


def test_blocks_have_no_digest() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))  # type: ignore[no-any-return]

    with pytest.raises(CannotBeToldError):
        digest_of(traced(function, X), 100)


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return which compilers were asked, in order."""
    asked: list[str] = []
    plain = compiled_graph

    def counted(module: GraphModule, compiler: Any, *args: Any, **options: Any) -> CompiledGraph:
        asked.append("kept" if isinstance(compiler, kept_graph._FromCache) else "new")
        return plain(module, compiler, *args, **options)

    monkeypatch.setattr(kept_graph, "compiled_graph", counted)
    return asked


def run(options: Options, weight: torch.Tensor | None = None) -> None:
    made = compiled_or_kept(graph(weight=weight), options)
    held = torch.ones(6, 8) if weight is None else weight
    torch.testing.assert_close(made.call([X])[0], torch.relu(X @ held) + 1)
    assert not made.eager


AVX2 = Options(target="avx2")


@pytest.mark.parametrize(
    ("options", "taken"),
    [
        (AVX2, "kept"),
        (replace(AVX2, num_threads=1), "kept"),
        (replace(AVX2, level="basic"), "new"),
        (replace(AVX2, disabled_pass=["MatMulAddFusion"]), "new"),
        (replace(AVX2, disabled_step="Prefetch"), "new"),
        (replace(AVX2, disabled_pass={"MatMulAddFusion"}), "new"),
    ],
)
def test_what_is_kept_is_for_the_same_options(
    tmp_path: Path, compilations: list[str], options: Options, taken: str
) -> None:
    run(replace(AVX2, cache=tmp_path))
    run(replace(options, cache=tmp_path), weight=torch.linspace(-1, 1, 48).reshape(6, 8))
    assert compilations == ["new", taken]


def entry(cache: KernelCache, folder: Path, field: str) -> tuple[str, Entry]:
    found = {f.stem: e for f in folder.iterdir() if (e := cache.get(f.stem)) is not None}
    ((key, one),) = ((k, e) for k, e in found.items() if field in e.header)
    return key, one


@pytest.mark.parametrize("what", ["artifact", "group", "operators"])
def test_what_is_gone_is_compiled_anew(tmp_path: Path, compilations: list[str], what: str) -> None:
    options, cache = replace(AVX2, cache=tmp_path), KernelCache(tmp_path)
    run(options)
    key, kept = entry(cache, tmp_path, "groups")
    if what == "artifact":
        (tmp_path / f"{entry(cache, tmp_path, 'manifest')[0]}.kernel").unlink()
    elif what == "group":
        cache.put({key: Entry({**kept.header, "groups": {}}, b"")})
    else:
        cache.put({key: Entry({**kept.header, "refused": {"relu": "so"}}, b"")})
    run(options)
    run(options)
    assert compilations == ["new", "kept", "new", "kept"]


def test_a_damaged_entry_is_compiled_anew_with_a_warning(
    tmp_path: Path, compilations: list[str]
) -> None:
    options, cache = replace(AVX2, cache=tmp_path), KernelCache(tmp_path)
    run(options)
    key, _ = entry(cache, tmp_path, "groups")
    cache.put({key: Entry({"groups": 3}, b"")})
    with pytest.warns(UserWarning, match="a kept entry is not used, and compiled anew"):
        run(options)
    run(options)
    assert compilations == ["new", "new", "kept"]


@pytest.mark.parametrize("asking", [True, False])
def test_what_asked_for_more_of_its_sizes_is_compiled_anew(
    tmp_path: Path, compilations: list[str], monkeypatch: pytest.MonkeyPatch, *, asking: bool
) -> None:
    plain = FromScratch.imported

    def imported(compiler: FromScratch, group: GraphModule) -> Any:
        (x,) = (n.meta["val"] for n in group.graph.nodes if n.name.startswith("x"))
        assert not asking or x.shape[0] < 100  # which becomes a guard
        return plain(compiler, group)

    monkeypatch.setattr(FromScratch, "imported", imported)
    for _ in range(2):
        made = compiled_or_kept(graph(mode="symbolic"), replace(AVX2, cache=tmp_path))
        torch.testing.assert_close(made.call([X])[0], torch.relu(X @ torch.ones(6, 8)) + 1)
    assert compilations == (["new", "kept", "new"] if asking else ["new", "kept"])


def test_without_a_cache_nothing_is_kept(compilations: list[str]) -> None:
    for _ in range(2):
        run(replace(AVX2, cache=False))
    assert compilations == ["new", "new"]
