"""torch's own layers of attention, in inference, where torch calls one operator for each."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch_modules import compiled_as_eager

from tvmfuse.frontend.torch.composites.table import COMPOSITES

WHOLE = {
    torch.ops.aten._native_multi_head_attention.default,
    torch.ops.aten._transformer_encoder_layer_fwd.default,
}

WIDTH, HEADS = 16, 2
HIDDEN = torch.tensor([[False, False, False, True, True], [False] * 5, [False] * 4 + [True]])


def layer(*, norm_first: bool, activation: str) -> nn.Module:
    torch.manual_seed(0)
    return nn.TransformerEncoderLayer(
        WIDTH, HEADS, 24, batch_first=True, norm_first=norm_first, activation=activation
    ).eval()


class Layers(nn.Module):
    """The ways to call a layer: without a mask, and with each kind of mask."""

    def __init__(self) -> None:
        super().__init__()
        self.before = layer(norm_first=True, activation="gelu")
        self.behind = layer(norm_first=False, activation="relu")
        torch.manual_seed(1)
        self.attention = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).eval()

    def forward(self, x: torch.Tensor, hidden: torch.Tensor) -> list[torch.Tensor]:
        later = torch.ones(5, 5, dtype=torch.bool).triu(1)
        return [
            self.before(x),
            self.behind(x, src_key_padding_mask=hidden),
            self.before(x, src_mask=later),
            self.behind(x, src_mask=later, src_key_padding_mask=hidden),
            *self.attention(x, x, x, key_padding_mask=hidden),
            *self.attention(x, x, x, attn_mask=later, average_attn_weights=False),
            self.attention(x, x, x, need_weights=False)[0],
        ]


class Compared(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Compares what takes a layer apart with the layer's own operator."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.seen: list[Any] = []

    def __torch_dispatch__(self, target: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
        wanted = target(*args, **(kwargs or {}))
        if target in WHOLE:
            self.seen.append(target)
            found = COMPOSITES[target](*args, **(kwargs or {}))
            torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-5)
        return wanted


def test_layers_are_taken_apart_rightly() -> None:
    with torch.no_grad(), Compared() as compared:
        Layers()(torch.randn(3, 5, WIDTH), HIDDEN)
    assert set(compared.seen) == WHOLE
    assert len(compared.seen) == 7


def test_layers_agree_with_eager() -> None:
    compiled_as_eager(Layers(), torch.randn(3, 5, WIDTH), HIDDEN, level="none", atol=1e-5)
