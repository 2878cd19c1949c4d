"""Networks that `transformers` does not have."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


class UNet(nn.Module):
    """Two levels down, two up, and what was seen at each level beside it.

    Ronneberger et al., "U-Net: Convolutional Networks for Biomedical Image Segmentation", 2015.

    Args:
        width: Channels of the first level, a multiple of 4.
    """

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.first, self.second = self._block(3, width), self._block(width, 2 * width)
        self.bottom = self._block(2 * width, 4 * width)
        self.grown = nn.ConvTranspose2d(4 * width, 2 * width, 2, stride=2)
        self.third = self._block(4 * width, 2 * width)
        self.last = self._block(3 * width, width)
        self.head = nn.Conv2d(width, 2, 1)

    @staticmethod
    def _block(given: int, made: int) -> nn.Module:
        return nn.Sequential(
            nn.Conv2d(given, made, 3, padding=1), nn.BatchNorm2d(made), nn.ReLU(),
            nn.Conv2d(made, made, 3, padding=1), nn.GroupNorm(4, made), nn.SiLU(),
        )  # fmt: skip

    def forward(self, pixel_values: Tensor) -> Tensor:
        """Return two numbers for each pixel."""
        a = self.first(pixel_values)
        b = self.second(functional.max_pool2d(a, 2))
        c = self.bottom(functional.avg_pool2d(b, 2))
        d = self.third(torch.cat([self.grown(c), b], 1))
        e = functional.interpolate(d, scale_factor=2, mode="bilinear", align_corners=False)
        found: Tensor = self.head(self.last(torch.cat([e, a], 1)))
        return found


class ResNeXt(nn.Module):
    """ResNeXt-50 (32x4d): bottlenecks whose 3x3 convolutions have 32 groups.

    Xie et al., "Aggregated Residual Transformations for Deep Neural Networks", 2017, table 1.
    """

    def __init__(self) -> None:
        super().__init__()
        blocks, given = list[nn.Module](), 64
        for stage, depth in enumerate((3, 4, 6, 3)):
            for place in range(depth):
                made, stride = 256 << stage, 2 if stage and not place else 1
                blocks.append(_Bottleneck(given, made, stride))
                given = made
        self.stem = nn.Sequential(*_normed(3, 64, 7, stride=2), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        self.blocks = nn.Sequential(*blocks)
        self.head = nn.Linear(given, 1000)

    def forward(self, pixel_values: Tensor) -> Tensor:
        """Return the logits of 1,000 classes."""
        found: Tensor = self.head(self.blocks(self.stem(pixel_values)).mean((2, 3)))
        return found


class _Bottleneck(nn.Module):
    def __init__(self, given: int, made: int, stride: int) -> None:
        super().__init__()
        inner = made // 2
        self.layers = nn.Sequential(
            *_normed(given, inner, 1), nn.ReLU(),
            *_normed(inner, inner, 3, stride=stride, groups=32), nn.ReLU(),
            *_normed(inner, made, 1),
        )  # fmt: skip
        same = given == made and stride == 1
        self.shortcut = nn.Identity() if same else nn.Sequential(*_normed(given, made, 1, stride))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(self.layers(x) + self.shortcut(x))


def _normed(
    given: int, made: int, size: int, stride: int = 1, groups: int = 1
) -> tuple[nn.Module, nn.Module]:
    conv = nn.Conv2d(given, made, size, stride, size // 2, groups=groups, bias=False)
    return conv, nn.BatchNorm2d(made)
