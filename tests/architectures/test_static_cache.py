"""Decoders whose cache has a fixed capacity: a prompt and 64 tokens, and the cache never moves."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from architectures.decoders import DECODERS, cache_of
from architectures.example import Example, Sizes, built, config, numbers, tokens
from architectures.exporting import EXPORTERS, exported
from reference import reference
from transformers import AutoModelForCausalLM
from transformers.cache_utils import Cache, CacheLayerMixin

import tvmfuse
from tvmfuse.runtime.executable import Executable
from tvmfuse.tensors import as_array, as_tensor

TOKENS = 64
CAPACITY = 80
KINDS = ("llama", "qwen3", "gemma2", "phi3", "gpt2")


class Rows(CacheLayerMixin):  # type: ignore[no-untyped-call]  # of transformers
    """A layer's cache, whose rows at some places are overwritten."""

    is_sliding = False
    keys: torch.Tensor
    values: torch.Tensor

    def __init__(self, keys: torch.Tensor, values: torch.Tensor, at: torch.Tensor) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.keys, self.values, self.at = keys, values, at
        self.is_initialized = True

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        """Leave it as it is."""

    def update(self, *states: Any, **_: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Write the new rows, and return all."""
        keys, values = states[:2]
        self.keys = self.keys.index_copy(2, self.at, keys)
        self.values = self.values.index_copy(2, self.at, values)
        return self.keys, self.values

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Return the capacity, and that it begins with the first row."""
        del query_length
        return self.keys.shape[2], 0

    def get_seq_length(self) -> int:
        """Return nothing that counts: places are given."""
        return 0

    def get_max_length(self) -> int:
        """Return the capacity."""
        return int(self.keys.shape[2])


class Step(torch.nn.Module):
    """A decoder that takes and gives the keys and values of each layer, in a fixed capacity.

    Args:
        network: A causal language model of `transformers`.
    """

    def __init__(self, network: torch.nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, ids: torch.Tensor, at: torch.Tensor, *past: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """Return the logits, and the cache with what was given at its places."""
        layers = [Rows(k, v, at) for k, v in zip(past[::2], past[1::2], strict=True)]
        later = torch.arange(past[0].shape[2])[None, :] > at[:, None]
        mask = torch.zeros(later.shape).masked_fill(later, -1e9)[None, None]
        found = self.network(
            input_ids=ids, attention_mask=mask, position_ids=at[None], use_cache=True,
            past_key_values=Cache(layers=[*layers]),
        )  # fmt: skip
        return (found.logits, *(x for layer in layers for x in (layer.keys, layer.values)))


def example(kind: str) -> Example:
    stated = config(kind, **DECODERS[kind])
    cache = cache_of(stated)

    def feeds(sizes: Sizes) -> dict[str, torch.Tensor]:
        batch, given = sizes["batch"], sizes["given"]
        past = {
            name: numbers(batch, heads, sizes["capacity"], size, seed=seed)
            for seed, (name, (heads, size)) in enumerate(cache.items())
        }
        return {"ids": tokens(batch, given), "at": torch.arange(given), **past}

    dims = {
        "ids": {0: "batch", 1: "given"},
        "at": {0: "given"},
        **{name: {0: "batch", 2: "capacity"} for name in cache},
    }
    build = partial(lambda: Step(built(stated, AutoModelForCausalLM)))
    return Example(build, feeds, dims, [{"batch": 2, "given": 7, "capacity": CAPACITY}])


def compiled(kind: str, exporter: str, path: Path, given: int, *, symbolic: bool) -> Any:
    """Return a model that takes so many tokens, and the network that it was compiled to."""
    made = example(kind)
    sized = Example(made.module, made.feeds, made.dims, [{**made.sizes[0], "given": given}])
    exported(sized, exporter, path, symbolic=symbolic)
    model = onnx.load(path)
    return model, tvmfuse.compile(model, strict=True).load()


@pytest.mark.architectures
@pytest.mark.parametrize("symbolic", [False, True], ids=["static", "symbolic"])
@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_loop_gives_onnxruntimes_tokens_and_the_cache_stays(
    kind: str, exporter: str, tmp_path: Path, *, symbolic: bool
) -> None:
    prompt, prefill = compiled(kind, exporter, tmp_path / "prompt.onnx", 7, symbolic=symbolic)
    token, decode = prompt, prefill
    if not symbolic:
        token, decode = compiled(kind, exporter, tmp_path / "token.onnx", 1, symbolic=False)
    made = example(kind)
    names = [i.name for i in prompt.graph.input]
    theirs = {n: x.numpy() for n, x in made.feeds(made.sizes[0]).items()}
    ours = [as_array(as_tensor(theirs[n].copy())) for n in names]
    caches = {n: ours[names.index(n)].ctypes.data for n in names if n.startswith("past")}
    shares(prefill, names)
    shares(decode, names)
    for place in range(7, 7 + TOKENS):
        model, network = (prompt, prefill) if place == 7 else (token, decode)
        expected = [*reference(model, {n: theirs[n] for n in names}).values()]
        logits, *cache = network.call(ours, share=True)
        assert {n: c.ctypes.data for n, c in zip(caches, cache, strict=True)} == caches
        ids, wanted = (x[:, -1:].argmax(-1) for x in (logits, expected[0]))
        np.testing.assert_array_equal(ids, wanted)
        fed = {"ids": wanted, "at": np.array([place])}
        theirs = fed | dict(zip(caches, expected[1:], strict=True))
        kept = fed | dict(zip(caches, cache, strict=True))
        ours = [kept[name] for name in names]


def shares(network: Executable, names: list[str]) -> None:
    """Each part of the cache is written in place."""
    assert sorted(network.manifest.shared.values()) == sorted(
        name for name in names if name.startswith("past")
    )
