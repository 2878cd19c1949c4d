"""A step of decoders whose cache is an input and an output, of any length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

import torch
from architectures.example import Example, Sizes, built, config, numbers, tokens
from transformers import AutoModelForCausalLM
from transformers.cache_utils import DynamicCache

DECODERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "bloom": {},
    "codegen": {"rotary_dim": 4},
    "cohere": {},
    "cohere2": {"sliding_window": 64},
    "ernie4_5": {},
    "exaone4": {"sliding_window": 64},
    "falcon": {"multi_query": False},
    "gemma": {},
    "gemma2": {"sliding_window": 64},
    "gemma3_text": {"sliding_window": 64},
    "glm": {"head_dim": 8},
    "glm4": {"head_dim": 8},
    "gpt2": {},
    "gpt_bigcode": {},
    "gpt_neo": {"attention_types": [[["global", "local"], 1]]},
    "gpt_neox": {},
    "gptj": {"rotary_dim": 4},
    "granite": {},
    "helium": {},
    "llama": {},
    "mistral": {},
    "mixtral": {"num_local_experts": 2, "num_experts_per_tok": 1},
    "nemotron": {},
    "olmo": {},
    "olmo2": {},
    "olmo3": {"sliding_window": 64},
    "opt": {"word_embed_proj_dim": 32},
    "persimmon": {},
    "phi": {},
    "phi3": {},
    "qwen2": {},
    "qwen3": {},
    "smollm3": {},
    "stablelm": {},
    "starcoder2": {},
    "xglm": {},
}
"""Kind -> what its configuration states beside `example.REDUCED`."""

SIZES: Final = (
    {"batch": 2, "given": 3, "cached": 5},
    {"batch": 1, "given": 1, "cached": 1},
    {"batch": 1, "given": 1, "cached": 9},
    {"batch": 3, "given": 7, "cached": 20},
)


class Step(torch.nn.Module):
    """A decoder that takes and gives the keys and values of each layer.

    Args:
        network: A causal language model of `transformers`.
    """

    def __init__(self, network: torch.nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, *past: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """Return the logits, and the cache with what was given."""
        cache = DynamicCache()
        for layer, (keys, values) in enumerate(zip(past[::2], past[1::2], strict=True)):
            cache.update(keys, values, layer)
        found = self.network(
            input_ids=ids, attention_mask=mask, past_key_values=cache, use_cache=True
        )
        layers = found.past_key_values.layers
        return (found.logits, *(x for layer in layers for x in (layer.keys, layer.values)))


def decoders() -> Iterator[tuple[str, Example]]:
    """Yield the step of each decoder."""
    for kind, settings in DECODERS.items():
        cache = cache_of(config(kind, **settings))
        dims = {
            "ids": {0: "batch", 1: "given"},
            "mask": {0: "batch", 1: "all"},
            **{name: {0: "batch", 2: "cached"} for name in cache},
        }
        yield kind, Example(partial(_step, kind, settings), partial(_feeds, cache), dims, SIZES)


def _step(kind: str, settings: Mapping[str, Any]) -> torch.nn.Module:
    return Step(built(config(kind, **settings), AutoModelForCausalLM))


def cache_of(stated: Any) -> dict[str, tuple[int, int]]:
    """Return how many heads, and of what size, each input of the cache has."""
    heads = stated.num_attention_heads
    size = getattr(stated, "head_dim", None) or stated.hidden_size // heads
    if getattr(stated, "multi_query", False) and stated.model_type == "gpt_bigcode":
        kept = 1
    else:
        kept = getattr(stated, "num_key_value_heads", None) or heads
    layers = range(stated.num_hidden_layers)
    return {f"past_{layer}_{part}": (kept, size) for layer in layers for part in "kv"}


def _feeds(cache: Mapping[str, tuple[int, int]], sizes: Sizes) -> dict[str, torch.Tensor]:
    batch, given, cached = sizes["batch"], sizes["given"], sizes["cached"]
    return {
        "ids": tokens(batch, given),
        "mask": torch.ones(batch, given + cached, dtype=torch.int64),
        **{
            name: numbers(batch, heads, cached, size, seed=seed)
            for seed, (name, (heads, size)) in enumerate(cache.items())
        },
    }
