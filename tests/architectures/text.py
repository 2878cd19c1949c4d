"""Encoders of text, and encoders with decoders, without caches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

import torch
from architectures.example import ByPosition, Example, Sizes, built, config, tokens

ENCODERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "albert": {},
    "bert": {},
    "big_bird": {"attention_type": "original_full"},
    "camembert": {},
    "convbert": {},
    "data2vec-text": {},
    "deberta": {"pos_att_type": ["c2p", "p2c"], "relative_attention": True},
    "deberta-v2": {
        "pos_att_type": ["c2p", "p2c"],
        "relative_attention": True,
        "position_buckets": 16,
    },
    "distilbert": {},
    "electra": {},
    "ernie": {},
    "esm": {"mask_token_id": 3, "position_embedding_type": "rotary"},
    "flaubert": {"emb_dim": 32},
    "fnet": {},
    "ibert": {},
    "layoutlm": {},
    "longformer": {"attention_window": [8, 8]},
    "mobilebert": {"embedding_size": 32, "intra_bottleneck_size": 32, "true_hidden_size": 32},
    "modernbert": {"cls_token_id": 1, "sep_token_id": 2, "reference_compile": False},
    "mpnet": {},
    "mra": {},
    "rembert": {"input_embedding_size": 32, "output_embedding_size": 32},
    "roberta": {},
    "roberta-prelayernorm": {},
    "roformer": {},
    "splinter": {},
    "squeezebert": {},
    "xlm": {"emb_dim": 32},
    "xlm-roberta": {},
    "xlnet": {},
    "xmod": {"default_language": "en_XX"},
}
"""Kind -> what its configuration states beside `example.REDUCED`."""

BOTH: Final[Mapping[str, Mapping[str, Any]]] = {
    "bart": {},
    "blenderbot": {},
    "blenderbot-small": {},
    "led": {"attention_window": 8},
    "longt5": {"num_layers": 2},
    "m2m_100": {},
    "marian": {},
    "mbart": {},
    "mt5": {},
    "mvp": {},
    "pegasus": {},
    "plbart": {},
    "prophetnet": {
        "num_encoder_layers": 2,
        "encoder_ffn_dim": 64,
        "num_encoder_attention_heads": 4,
        "num_decoder_attention_heads": 4,
    },
    "switch_transformers": {"num_experts": 2},
    "t5": {},
    "umt5": {},
}
"""Encoders with decoders: kind -> what its configuration states."""

SIZES: Final = ({"batch": 2, "length": 8}, {"batch": 1, "length": 1}, {"batch": 3, "length": 21})
AXES: Final = {0: "batch", 1: "length"}


def text() -> Iterator[tuple[str, Example]]:
    """Yield each network that reads text."""
    for kind, settings in ENCODERS.items():
        yield (
            kind,
            Example(
                partial(_encoder, kind, settings),
                _encoder_feeds,
                {"input_ids": AXES, "attention_mask": AXES},
                SIZES,
            ),
        )
    for kind, settings in BOTH.items():
        dims = {"input_ids": AXES, "decoder_input_ids": {0: "batch", 1: "written"}}
        sizes = [{**size, "written": size["length"] // 2 + 1} for size in SIZES]
        yield kind, Example(partial(_both, kind, settings), _both_feeds, dims, sizes)


def _encoder(kind: str, settings: Mapping[str, Any]) -> torch.nn.Module:
    network = built(config(kind, **settings))
    return ByPosition(network, ["input_ids", "attention_mask"])


def _encoder_feeds(sizes: Sizes) -> dict[str, torch.Tensor]:
    shape = sizes["batch"], sizes["length"]
    mask = torch.ones(shape, dtype=torch.int64)
    mask[0, max(1, shape[1] - 2) :] = 0
    return {"input_ids": tokens(*shape), "attention_mask": mask}


def _both(kind: str, settings: Mapping[str, Any]) -> torch.nn.Module:
    network = built(config(kind, **settings))
    return ByPosition(network, ["input_ids", "decoder_input_ids"], use_cache=False)


def _both_feeds(sizes: Sizes) -> dict[str, torch.Tensor]:
    return {
        "input_ids": tokens(sizes["batch"], sizes["length"]),
        "decoder_input_ids": tokens(sizes["batch"], sizes["written"]),
    }
