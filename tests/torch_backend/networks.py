"""Networks that people train, narrow and seeded, and 20 steps of their training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import torch
import transformers
from torch import Tensor, nn
from torch.nn import functional

STEPS: Final = 20

OPTIMIZERS: Final[Mapping[str, Callable[..., torch.optim.Optimizer]]] = {
    "sgd": lambda p: torch.optim.SGD(p, lr=1e-2),
    # Steps that do not depend on a gradient's scale make one of what is 0 but for rounding.
    "adam": lambda p: torch.optim.Adam(p, lr=1e-3, eps=1e-3),
    "fused adam": lambda p: torch.optim.Adam(p, lr=1e-3, eps=1e-3, fused=True),
}


@dataclass(frozen=True)
class Example:
    """A network with a batch.

    Attributes:
        make: Returns it, always with the same weights.
        given: What it is called with.
        wanted: The class of each result: of an image, a pixel or a token.
    """

    make: Callable[[], nn.Module]
    given: Tensor
    wanted: Tensor

    def network(self, dtype: torch.dtype = torch.float32) -> nn.Module:
        """Return the network, in training."""
        return self.make().train().to(dtype)

    def loss(self, call: Callable[..., Any], dtype: torch.dtype = torch.float32) -> Tensor:
        """Return the cross entropy of what a call computes; its classes are in dimension 1."""
        given = self.given.to(dtype) if self.given.is_floating_point() else self.given
        return functional.cross_entropy(call(given), self.wanted)

    def losses(
        self, call: Callable[..., Any], network: nn.Module, optimizer: str,
        dtype: torch.dtype = torch.float32,
    ) -> list[float]:  # fmt: skip
        """Train a network through a call of it, and return the losses."""
        steps, found = OPTIMIZERS[optimizer](network.parameters()), []
        for _ in range(STEPS):
            steps.zero_grad()
            loss = self.loss(call, dtype)
            loss.backward()  # type: ignore[no-untyped-call]
            steps.step()
            found.append(float(loss.detach()))
        return found


class Logits(nn.Module):
    """A network of `transformers`, which returns the classes of images or of tokens."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, x: Tensor) -> Tensor:
        logits: Tensor = self.network(x).logits
        return logits if logits.ndim == 2 else logits.movedim(-1, 1)


class Transformer(nn.Module):
    """Tokens, two layers of attention, and what comes next."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(50, 32), nn.Parameter(torch.randn(1, 10, 32))
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout, "gelu", batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(32, 50)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.head(self.layers(self.tokens(x) + self.places))
        return found.movedim(-1, 1)


class UNet(nn.Module):
    """Two levels down and two up: by a transposed convolution, and by interpolation."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = self._block(3, 8), self._block(8, 16)
        self.bottom = self._block(16, 24)
        self.grown = nn.ConvTranspose2d(24, 16, 2, stride=2)
        self.third, self.last = self._block(32, 16), self._block(24, 8)
        self.head = nn.Conv2d(8, 3, 1)

    @staticmethod
    def _block(given: int, made: int) -> nn.Module:
        return nn.Sequential(
            nn.Conv2d(given, made, 3, padding=1), nn.BatchNorm2d(made), nn.ReLU(),
            nn.Conv2d(made, made, 3, padding=1), nn.BatchNorm2d(made), nn.ReLU(),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        a = self.first(x)
        b = self.second(functional.max_pool2d(a, 2))
        c = self.bottom(functional.max_pool2d(b, 2))
        d = self.third(torch.cat([self.grown(c), b], 1))
        e = functional.interpolate(d, scale_factor=2, mode="bilinear", align_corners=False)
        found: Tensor = self.head(self.last(torch.cat([e, a], 1)))
        return found


def resnet18() -> nn.Module:
    config = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 8, 16, 16], depths=[2, 2, 2, 2], layer_type="basic"
    )
    config.num_labels = 5
    return Logits(transformers.ResNetForImageClassification(config))


def mobilenet_v2() -> nn.Module:
    config = transformers.MobileNetV2Config(depth_multiplier=0.25, classifier_dropout_prob=0.0)
    config.num_labels = 5
    return Logits(transformers.MobileNetV2ForImageClassification(config))


def gpt2() -> nn.Module:
    config = transformers.GPT2Config(
        vocab_size=50, n_positions=16, n_embd=32, n_layer=2, n_head=4, bos_token_id=0,
        eos_token_id=0, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, use_cache=False,
    )  # fmt: skip
    return Logits(transformers.GPT2LMHeadModel(config))


def tokens(make: Callable[[], nn.Module]) -> Example:
    drawn = torch.randint(50, (2, 10), generator=torch.Generator().manual_seed(1))
    return Example(seeded(make), drawn, drawn.roll(1, 1))


def images(make: Callable[[], nn.Module], batch: int, size: int, *classes: int) -> Example:
    """Return a network with images, and the shape and number of their classes."""
    drawing = torch.Generator().manual_seed(1)
    *shape, most = classes
    drawn = torch.randn(batch, 3, size, size, generator=drawing)
    return Example(seeded(make), drawn, torch.randint(most, (batch, *shape), generator=drawing))


def seeded(make: Callable[[], nn.Module]) -> Callable[[], nn.Module]:
    def made() -> nn.Module:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return make()

    return made


TOKENS: Final = {"gpt2": tokens(gpt2), "transformer": tokens(Transformer)}

IMAGES: Final = {
    "resnet18": images(resnet18, 4, 32, 5),
    "mobilenet_v2": images(mobilenet_v2, 4, 32, 5),
    "unet": images(UNet, 2, 20, 20, 20, 3),
}
