"""Resizing of lines, images and volumes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from tvm.ir import Expr

from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.ir.types import rank_of

#: How torch calls the factors of an upsampling to a size, from the first axis on.
FACTORS: Final = ("scales", "scales_d", "scales_h", "scales_w")


def upsample(mode: str, *, exact: bool = False) -> Callable[[TorchOperation], Expr]:
    """Return the converter of an upsampling to a size or by factors.

    Where torch is given factors, it computes places by them, and not by the sizes that they lead
    to; but where corners are aligned.

    Args:
        mode: ONNX's: nearest, linear or cubic.
        exact: Whether the nearest pixel is that of the pixels' centres.
    """

    def convert(node: TorchOperation) -> Expr:
        x = node.tensor(node.get("input", node.get("self")))
        corners = bool(node.get("align_corners"))
        factors = None if corners else _factors(node, (rank_of(x) or 0) - 2)
        settings: dict[str, Any] = {"mode": mode, "coordinate_transformation_mode": "half_pixel"}
        if corners:
            settings["coordinate_transformation_mode"] = "align_corners"
        if mode == "nearest" and not exact:
            settings["coordinate_transformation_mode"] = "asymmetric"
            settings["nearest_mode"] = "floor"
        elif mode == "nearest":
            settings["nearest_mode"] = "round_prefer_ceil"
        if mode == "cubic":
            settings["cubic_coeff_a"] = -0.75
        if factors is None:
            return node.onnx("Resize", x, None, None, node.shape(), **settings)
        scales = np.array([1, 1, *factors], np.float32)
        return node.onnx("Resize", x, None, scales, **settings)

    return convert


def _factors(node: TorchOperation, axes: int) -> list[float] | None:
    """Return a factor for each axis of an image, or None where torch goes by the sizes."""
    said = node.get("scale_factors")
    if said is None:
        said = [node.get(name) for name in FACTORS if node.get(name) is not None]
    return [float(factor) for factor in said] if len(said) == axes else None


def grid_sample(node: TorchOperation) -> Expr:
    """Convert grid_sampler_2d and grid_sampler_3d."""
    mode = ("linear", "nearest", "cubic")[node["interpolation_mode"]]
    padding = ("zeros", "border", "reflection")[node["padding_mode"]]
    return node.onnx(
        "GridSample",
        node.tensor(node["input"]),
        node.tensor(node["grid"]),
        mode=mode,
        padding_mode=padding,
        align_corners=int(node["align_corners"]),
    )
