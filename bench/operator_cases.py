"""Operators of kinds that the networks in `bench.models` do not have, each at some sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Final

import numpy as np
from onnx import TensorProto

from bench.single_operators import (
    GATES,
    Made,
    dft,
    einsum,
    few_bits,
    floats,
    grid,
    integers,
    loop,
    norm,
    one,
    recurrent,
    regions,
    resize,
    rounded,
    skip_norm,
    stft,
    suppression,
    top_k,
    trees,
)


@dataclass(frozen=True)
class Case:
    """One operator at one size.

    Attributes:
        operator: Its name.
        title: Its sizes, in words.
        make: Returns the model and what it is fed.
    """

    operator: str
    title: str
    make: Callable[[], Made]

    def __str__(self) -> str:
        """Say both."""
        return f"{self.operator} {self.title}"


def _recurrent_cases() -> Iterator[Case]:
    for cell in GATES:
        for hidden, batch, steps, directions in (
            (64, 1, 20, 1), (64, 4, 20, 1), (64, 16, 20, 1), (64, 1, 100, 2),
            (256, 1, 1, 1), (256, 1, 20, 1), (256, 1, 100, 1), (256, 4, 20, 1), (256, 4, 100, 2),
            (256, 8, 20, 1), (256, 16, 20, 1), (512, 1, 20, 1), (512, 4, 20, 1), (512, 16, 20, 1),
        ):  # fmt: skip
            title = f"H {hidden}, batch {batch}, T {steps}" + ", both ways" * (directions - 1)
            yield Case(cell, title, partial(recurrent, cell, hidden, batch, steps, directions))


def _ranking_cases() -> Iterator[Case]:
    for boxes, classes in ((1000, 1), (1000, 80), (8400, 1), (8400, 80)):
        title = f"{boxes} boxes, {classes} classes"
        yield Case("NonMaxSuppression", title, partial(suppression, boxes, classes))
    for k in (5, 100):
        for width in (1000, 50257, 1_000_000):
            yield Case("TopK", f"{k} of {width}", partial(top_k, k, 1, width))
        yield Case("TopK", f"{k} of 1000, 64 columns", partial(top_k, k, 1000, 64, axis=0))
        yield Case("TopK", f"{k} of 1000, 64 rows", partial(top_k, k, 64, 1000))
    for k in (1, 5):
        yield Case("TopK", f"{k} of 10, 64 columns", partial(top_k, k, 10, 64, axis=0))
        yield Case("TopK", f"{k} of 10, 64 rows", partial(top_k, k, 64, 10))


def _indexing_cases() -> Iterator[Case]:
    for axis in (0, 1):
        make = partial(one, "CumSum", {"x": floats(256, 1024)}, {"axis": np.array(axis)})
        yield Case("CumSum", f"256 x 1024, axis {axis}", make)
    places, rows = integers(1000, 512, 1), floats(512, 64)
    fed = {"x": floats(1000, 64), "at": places}
    yield Case("ScatterND", "512 rows of 64", partial(one, "ScatterND", {**fed, "u": rows}))
    for reduction in ("add", "max"):
        make = partial(one, "ScatterND", {**fed, "u": rows}, reduction=reduction)
        yield Case("ScatterND", f"512 rows of 64, {reduction}", make)
    yield Case("GatherND", "512 rows of 64", partial(one, "GatherND", fed))
    points = np.stack([integers(1000, 20000), integers(64, 20000)], -1)
    yield Case("GatherND", "20000 points", partial(one, "GatherND", {**fed, "at": points}))
    wide = {"x": floats(1000, 64), "at": integers(1000, 512, 64)}
    yield Case("GatherElements", "512 x 64", partial(one, "GatherElements", wide, axis=0))
    make = partial(one, "ScatterElements", {**wide, "u": rows}, axis=0, reduction="add")
    yield Case("ScatterElements", "512 x 64, add", make)


def _picture_cases() -> Iterator[Case]:
    for mode in ("nearest", "linear", "cubic"):
        yield Case("Resize", f"{mode}, 2", partial(resize, mode, 2.0))
    yield Case("Resize", "linear, 1.7", partial(resize, "linear", 1.7))
    corners = {"coordinate_transformation_mode": "align_corners"}
    yield Case("Resize", "linear, corners", partial(resize, "linear", 2.0, **corners))
    yield Case("Resize", "linear, 0.5, smooth", partial(resize, "linear", 0.5, antialias=1))
    for mode in ("linear", "nearest", "cubic"):
        yield Case("GridSample", f"{mode}, 32 x 56 x 56", partial(grid, mode))
    yield Case("RoiAlign", "100 regions, 64 x 7 x 7", regions)


def _signal_cases() -> Iterator[Case]:
    yield Case("DFT", "16 of 400", partial(dft, 400))
    yield Case("DFT", "16 of 1024", partial(dft, 1024))
    yield Case("STFT", "16000 samples, frames of 400", partial(stft, 16000, 400))
    yield Case("STFT", "16000 samples, frames of 512", partial(stft, 16000, 512))


def _sparse_cases() -> Iterator[Case]:
    hot = {"depth": np.array(1000), "values": np.array([0, 1], "float32")}
    yield Case("OneHot", "128 of 1000", partial(one, "OneHot", {"x": integers(1000, 128)}, hot))
    integer = {"y": TensorProto.INT64}
    for part in (0.01, 0.5):
        there = np.random.default_rng(0).random((256, 256)) < part
        make = partial(one, "NonZero", {"x": there}, outputs=integer)
        yield Case("NonZero", f"256 x 256, {part:.0%}", make)
    for high in (100, 10**9):
        make = partial(one, "Unique", {"x": integers(high, 10000)}, outputs=integer)
        yield Case("Unique", f"10000 below {high}", make)
    there = np.random.default_rng(0).random(10000) < 0.5
    kept = {"x": floats(10000, 16), "there": there}
    yield Case("Compress", "half of 10000 rows", partial(one, "Compress", kept, axis=0))


def _tree_and_loop_cases() -> Iterator[Case]:
    for count, depth, many in ((1, 6, 1), (100, 6, 1), (100, 6, 1000), (500, 8, 1), (500, 8, 100)):
        title = f"{count} trees of depth {depth}, {many} rows"
        yield Case("TreeEnsemble", title, partial(trees, count, depth, many))
    for steps, width in ((10, 4), (1000, 4), (1000, 1024)):
        title = f"{steps} steps of {width}"
        yield Case("Loop", title, partial(loop, steps, width, counted=False))
    yield Case("Loop", "10 steps of 4, known", partial(loop, 10, 4, counted=True))
    yield Case("Loop", "10000 steps of 4, known", partial(loop, 10000, 4, counted=True))


def _product_cases() -> Iterator[Case]:
    heads = ((1, 12, 128, 64), (1, 12, 128, 64))
    yield Case("Einsum", "bhid,bhjd->bhij", partial(einsum, "bhid,bhjd->bhij", *heads))
    yield Case(
        "Einsum",
        "bhwc,hkc->bhwk",
        partial(einsum, "bhwc,hkc->bhwk", (4, 32, 32, 64), (32, 32, 64)),
    )
    yield Case(
        "Einsum", "ij,jk,kl->il", partial(einsum, "ij,jk,kl->il", (64, 128), (128, 256), (256, 64))
    )
    yield Case("Einsum", "bij,bj->bi", partial(einsum, "bij,bj->bi", (16, 128, 256), (16, 256)))
    for side, size, stride in ((28, 4, 2), (56, 2, 2), (28, 3, 1)):
        make = partial(
            one,
            "ConvTranspose",
            {"x": floats(1, 64, side, side)},
            {"w": floats(64, 64, size, size) * 0.05},
            strides=[stride] * 2,
        )
        yield Case("ConvTranspose", f"64 x {side} x {side}, {size} x {size} / {stride}", make)
    make = partial(
        one,
        "ConvTranspose",
        {"x": floats(1, 256, 100)},
        {"w": floats(256, 128, 16) * 0.05},
        strides=[8],
        pads=[4, 4],
    )
    yield Case("ConvTranspose", "256 x 100, 16 / 8", make)


def _norm_cases() -> Iterator[Case]:
    for width in (768, 100):
        make = partial(norm, "LayerNormalization", 128, width)
        yield Case("LayerNormalization", f"128 x {width}", make)
    make = partial(norm, "SimplifiedLayerNormalization", 128, 768)
    yield Case("SimplifiedLayerNormalization", "128 x 768", make)
    yield Case("SkipLayerNormalization", "128 x 768", partial(skip_norm, 1, 128, 768))
    groups = {"scale": np.ones(64, "float32"), "bias": floats(64)}
    make = partial(one, "GroupNormalization", {"x": floats(1, 64, 56, 56)}, groups, num_groups=8)
    yield Case("GroupNormalization", "64 x 56 x 56, 8 groups", make)
    make = partial(one, "InstanceNormalization", {"x": floats(1, 64, 56, 56)}, groups)
    yield Case("InstanceNormalization", "64 x 56 x 56", make)
    for kind in ("FLOAT8E4M3FN", "FLOAT8E5M2", "FLOAT16", "BFLOAT16"):
        yield Case("Cast", f"256 x 1024 to {kind.lower()} and back", partial(rounded, kind))
    for many, level in product((1, 16), (0, 4)):
        make = partial(few_bits, many, 4096, 2048, level)
        title = f"{many} x 2048 x 4096, 4 bits" + (" by bytes" if level else "")
        yield Case("MatMulNBits", title, make)


CASES: Final = (
    *_recurrent_cases(),
    *_ranking_cases(),
    *_indexing_cases(),
    *_picture_cases(),
    *_signal_cases(),
    *_sparse_cases(),
    *_tree_and_loop_cases(),
    *_product_cases(),
    *_norm_cases(),
)
