"""Upsampling: torch computes places by the factors that it is given, not by the sizes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.nn import functional
from torch_modules import compiled_as_eager


@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ((2, 3, 5, 7), {"scale_factor": 1.5, "mode": "bilinear"}),
        ((2, 3, 5, 7), {"scale_factor": (1.3, 2.6), "mode": "bilinear"}),
        ((2, 3, 5, 7), {"scale_factor": 1.7, "mode": "bilinear", "align_corners": True}),
        ((2, 3, 5, 7), {"size": (9, 4), "mode": "bilinear"}),
        ((2, 3, 5, 7), {"scale_factor": 0.6, "mode": "nearest"}),
        ((2, 3, 5, 7), {"scale_factor": 3.0, "mode": "nearest"}),
        ((2, 3, 5, 7), {"size": (11, 3), "mode": "nearest"}),
        ((2, 3, 5, 7), {"scale_factor": 1.4, "mode": "bicubic"}),
        ((2, 3, 7), {"scale_factor": 1.5, "mode": "linear"}),
        ((1, 2, 3, 4, 5), {"scale_factor": 1.5, "mode": "trilinear"}),
        ((1, 2, 3, 4, 5), {"scale_factor": 2.0, "mode": "nearest"}),
    ],
)  # fmt: skip
def test_upsampling(shape: tuple[int, ...], options: dict[str, Any]) -> None:
    x = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    compiled_as_eager(lambda x: functional.interpolate(x, **options), x, level="none")
