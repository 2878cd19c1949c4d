"""Graphs whose groups another process compiled: they are taken whole, without TVM's compiler.

The kernel cache keeps, by a digest of a graph, which of its nodes are compiled, and of each group
the key of its artifact. Everything else is done again, and a group that is not the one that was
compiled is noticed: then the graph is compiled as if nothing were kept.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import torch
from torch._guards import detect_fake_mode
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.fx import GraphModule, Node

from tvmfuse.build.artifact import Artifact
from tvmfuse.build.kept import MOST, artifact_of
from tvmfuse.build.kernels.cache import Entry, KernelCache, kernel_cache
from tvmfuse.format.faults import MalformedError
from tvmfuse.format.record import typed
from tvmfuse.frontend.torch.dtypes import memory_of
from tvmfuse.out_of_memory import memory_in_words
from tvmfuse.pipeline.sources import versions
from tvmfuse.recipes import NotFiniteError, Parameter
from tvmfuse.starting.key import plugins
from tvmfuse.target import caches, host_cpu
from tvmfuse.torch_backend.compiled_graph import (
    CompiledGraph,
    Compiler,
    Imported,
    compiled_graph,
)
from tvmfuse.torch_backend.effects import attribute
from tvmfuse.torch_backend.graph_digest import CannotBeToldError, digest_of
from tvmfuse.torch_backend.options import Options


@dataclass(frozen=True)
class _Group:
    """A group that is kept: the names of what its code takes, and the key of its artifact."""

    inputs: tuple[str, ...]
    artifact: str


@dataclass(frozen=True)
class _Graph:
    """A graph that is kept: why operators are not compiled, and the groups by their digests.

    Its guards are what its compilation asked of symbolic sizes, in order: the machine code is for
    sizes of which all of them hold, so whoever takes it has to have asked the same.
    """

    refused: dict[str, str]
    groups: dict[str, _Group]
    guards: tuple[str, ...]


@dataclass(frozen=True)
class _Converted:
    """The names of all operators that are converted."""

    names: frozenset[str]


class _GoneError(Exception):
    """What was kept is not there any more, or is not for this graph."""


@dataclass(frozen=True)
class _Taken:
    """A group whose artifact is in the cache."""

    said: _Group
    cache: KernelCache
    group: GraphModule

    @property
    def inputs(self) -> Sequence[str]:
        return self.said.inputs

    def compiled(self) -> Artifact:
        entry = self.cache.get(self.said.artifact)
        if entry is None:
            raise _GoneError
        held = {
            str(node.target): attribute(self.group, str(node.target))
            for node in self.group.graph.find_nodes(op="get_attr")
        }
        parameters = {
            name: Parameter(name, memory_of(tensor))
            for name, tensor in held.items()
            if isinstance(tensor, torch.nn.Parameter)
        }
        try:
            with memory_in_words("the compilation of the model"):
                return replace(artifact_of(entry, parameters), key=self.said.artifact)
        except (MalformedError, NotFiniteError) as error:
            raise _GoneError from error


@dataclass(frozen=True)
class _FromCache:
    """Takes groups from the cache; see `Compiler`."""

    said: _Graph
    cache: KernelCache
    strict = False

    def why_not(self, node: Node) -> str | None:
        return self.said.refused.get(node.name)

    def imported(self, group: GraphModule) -> _Taken:
        said = self.said.groups.get(_digest_of(group) or "")
        if said is None:
            raise _GoneError
        return _Taken(said, self.cache, group)


@dataclass(frozen=True)
class _Noted:
    """A group that is compiled, and noted."""

    imported: Imported
    digest: str | None
    groups: dict[str | None, _Group | None]

    @property
    def inputs(self) -> Sequence[str]:
        return self.imported.inputs

    def compiled(self) -> Artifact:
        self.groups[self.digest] = None  # unless it can be kept
        artifact = self.imported.compiled()
        if artifact.key is not None:
            self.groups[self.digest] = _Group(tuple(self.inputs), artifact.key)
        return artifact


@dataclass(frozen=True)
class _Noting:
    """Compiles groups, and notes what can be kept; see `Compiler`.

    Attributes:
        compiler: Compiles them.
        refused: Why operators are not compiled.
        groups: Those compiled, by their digests; None in the place of what is not kept.
    """

    compiler: Compiler
    refused: dict[str, str] = field(default_factory=dict)
    groups: dict[str | None, _Group | None] = field(default_factory=dict)

    @property
    def strict(self) -> bool:
        return self.compiler.strict

    def why_not(self, node: Node) -> str | None:
        why = self.compiler.why_not(node)
        if why is not None:
            self.refused[node.name] = why
        return why

    def imported(self, group: GraphModule) -> _Noted:
        return _Noted(self.compiler.imported(group), _digest_of(group), self.groups)


def compiled_or_kept(
    module: GraphModule,
    options: Options,
    visible: int | None = None,
    *,
    guarded: bool = False,
) -> CompiledGraph:
    """Compile all of a graph that can be, or take what another process kept of it.

    The arguments and errors are those of `compile_graph`, and the errors of `Options.settings`.
    """
    cache = kernel_cache(cache=options.cache)
    threads = options.num_threads
    key = None if cache is None else _key(module, options, visible)
    asked = len(_guards(module))
    if cache is not None and key is not None and (entry := cache.get(key)) is not None:
        try:
            kept = _FromCache(typed(_Graph, entry.header), cache)
            taken = compiled_graph(module, kept, threads, visible, guarded=guarded)
            if _guards(module)[asked:] == kept.said.guards:
                return taken
        except MalformedError as error:
            cache.skipped(key, str(error))
        except _GoneError:
            pass
    from tvmfuse.torch_backend.compile_graph import FromScratch

    # Whoever has none was told.
    settings = replace(options.settings(), cache=False if cache is None else cache)
    noting = _Noting(FromScratch(settings))
    made = compiled_graph(module, noting, threads, visible, guarded=guarded)
    groups = {d: g for d, g in noting.groups.items() if d is not None and g is not None}
    if cache is not None and key is not None and len(groups) == len(noting.groups):
        refused = {**noting.refused, **made.refused}
        noted = _Graph(refused, groups, _guards(module)[asked:])
        cache.put({key: Entry(asdict(noted), b"")})
    return made


def converted_operators(options: Options) -> Collection[str]:
    """Return the names of the operators that are converted, as `convert.table.CONVERTED`.

    The converters are the compiler's; their names are kept, for options that it has admitted.

    Raises:
        ConfigurationError: See `Options.settings`.
    """
    cache, chosen = kernel_cache(cache=options.cache), _chosen(options)
    key = None if chosen is None else _digest(["converted", *chosen])
    if cache is not None and key is not None and (entry := cache.get(key)) is not None:
        try:
            return typed(_Converted, entry.header).names
        except MalformedError as error:
            cache.skipped(key, str(error))
    options.settings()
    from tvmfuse.frontend.torch.convert.table import CONVERTED

    if cache is not None and key is not None:
        cache.put({key: Entry({"names": sorted(CONVERTED)}, b"")})
    return CONVERTED


def _guards(module: GraphModule) -> tuple[str, ...]:
    """Return what torch has been asked of a graph's symbolic sizes so far."""
    mode = detect_fake_mode([node.meta.get("val") for node in module.graph.nodes])
    environment = None if mode is None else mode.shape_env
    return () if environment is None else tuple(str(guard.expr) for guard in environment.guards)


def _key(module: GraphModule, options: Options, visible: int | None) -> str | None:
    """Return the key of a graph; None for one that is not kept."""
    chosen = _chosen(options)
    graph = None if chosen is None else _digest_of(module)
    return None if chosen is None or graph is None else _digest([*chosen, visible, graph])


def _chosen(options: Options) -> list[Any] | None:
    """Return what machine code depends on beside a graph, as JSON's types.

    None where options cannot be written so, as sets and generators cannot, or where a pass is the
    caller's own: to tell which it is takes TVM.
    """
    enabled = options.enabled_pass
    names = enabled if isinstance(enabled, list | tuple) else [enabled]
    if not all(isinstance(name, str) and ":" not in name for name in names):
        return None
    settings = [
        options.target, options.level, options.precision,
        options.disabled_pass, options.enabled_pass, options.disabled_step,
    ]  # fmt: skip
    machine = [sorted(host_cpu.identity()), repr(caches.find(sysconf=os.sysconf))]
    try:
        return [torch.__version__, versions(), machine, plugins(), json.dumps(settings)]
    except TypeError:
        return None


def _digest_of(module: GraphModule) -> str | None:
    with unset_fake_temporarily():
        try:
            return digest_of(module, MOST)
        except CannotBeToldError:
            return None


def _digest(said: Sequence[Any]) -> str:
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
