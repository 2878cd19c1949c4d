"""A network to export: how it is built, what it is fed, and which of its sizes are symbolic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import torch
import transformers

Sizes: TypeAlias = Mapping[str, int]
Dims: TypeAlias = Mapping[int, str]
"""Axis -> the symbolic dimension's name."""


@dataclass(frozen=True)
class Example:
    """A network in a reduced size, with seeded random weights.

    Attributes:
        module: Builds it, in inference mode; it takes its inputs by position.
        feeds: Sizes -> its inputs, by name.
        dims: Input -> which of its axes may be symbolic.
        sizes: What is fed; the network is exported with the first.
    """

    module: Callable[[], torch.nn.Module]
    feeds: Callable[[Sizes], dict[str, torch.Tensor]]
    dims: Mapping[str, Dims]
    sizes: Sequence[Sizes]


#: What is reduced, by the names that configurations have for it.
REDUCED: Final[Mapping[str, Any]] = {
    **dict.fromkeys(
        ("hidden_size", "d_model", "n_embd", "dim", "embed_dim", "embedding_size", "d_embed"), 32
    ),
    **dict.fromkeys(
        ("num_hidden_layers", "encoder_layers", "decoder_layers", "n_layer", "n_layers", "num_layers",
         "num_decoder_layers"),
        2,
    ),
    **dict.fromkeys(
        ("num_attention_heads", "encoder_attention_heads", "decoder_attention_heads", "n_head",
         "n_heads", "num_heads"),
        4,
    ),
    **dict.fromkeys(
        ("intermediate_size", "encoder_ffn_dim", "decoder_ffn_dim", "d_ff", "hidden_dim", "ffn_dim",
         "d_inner"),
        64,
    ),
    "num_key_value_heads": 2, "head_dim": 8, "d_kv": 8, "vocab_size": 97, "pad_token_id": 0,
    "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1, "n_positions": 256,
    "max_position_embeddings": 256, "image_size": 32, "patch_size": 8,
}  # fmt: skip


def config(kind: str, **settings: Any) -> Any:
    """Return a configuration of `transformers`, reduced where it has one of the usual names.

    Args:
        kind: Its `model_type`.
        settings: What else it states; ``None`` leaves a default alone.
    """
    default = transformers.AutoConfig.for_model(kind)
    given = {name: value for name, value in REDUCED.items() if _has(default, name)} | settings
    return transformers.AutoConfig.for_model(
        kind, **{name: value for name, value in given.items() if value is not None}
    )


def _has(stated: Any, name: str) -> bool:
    """Whether a configuration states one number, or none, by this name."""
    if isinstance(getattr(type(stated), name, None), property) or not hasattr(stated, name):
        return False
    return isinstance(getattr(stated, name), int | float | None)


def built(stated: Any, kind: Any = transformers.AutoModel) -> torch.nn.Module:
    """Return the network of a configuration; attention is written out."""
    network: torch.nn.Module = kind.from_config(stated, attn_implementation="eager")
    return network


class ByPosition(torch.nn.Module):
    """A network that takes its inputs by position and gives the tensors of its output.

    Args:
        network: One of `transformers`.
        names: What each position is called.
        fixed: What else it is called with.
    """

    def __init__(self, network: torch.nn.Module, names: Sequence[str], **fixed: Any) -> None:
        super().__init__()
        self.network, self.names, self.fixed = network, names, fixed

    def forward(self, *inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return the tensors of the output, without caches."""
        found = self.network(**dict(zip(self.names, inputs, strict=True)), **self.fixed)
        values = [v if isinstance(v, tuple) else (v,) for v in found.values()]
        return tuple(x for value in values for x in value if isinstance(x, torch.Tensor))


def seeded(build: Callable[[], torch.nn.Module]) -> torch.nn.Module:
    """Return a network with random weights that are the same each time, in inference mode."""
    torch.manual_seed(0)
    network = build().eval()
    for buffer in network.buffers():  # running means of 0 and variances of 1 hide mistakes
        if buffer.is_floating_point() and buffer.ndim == 1:
            buffer.add_(0.1 * torch.rand_like(buffer))
    return network


def numbers(*shape: int, seed: int = 0) -> torch.Tensor:
    """Return standard normal numbers, float32."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def tokens(*shape: int, below: int = 97) -> torch.Tensor:
    """Return numbers of tokens from 3 on, int64: those below have a meaning of their own."""
    return torch.randint(3, below, shape, generator=torch.Generator().manual_seed(0))
