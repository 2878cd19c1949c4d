"""Constants, rearranged when the model is compiled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def block_of(channels: int, blocks: Sequence[int]) -> int | None:
    """Return into blocks of how many channels a tensor is divided; None where none fits.

    Args:
        channels: Of the tensor.
        blocks: Channels of a block, the best first.

    >>> [block_of(channels, (16, 24, 40, 8)) for channels in (64, 72, 56, 3)]
    [16, 24, 8, None]
    """
    return next((b for b in blocks if channels % b == 0), None)


def blocked(array: np.ndarray, block: int) -> np.ndarray:
    """Return an array of shape (N, C, D1..Dr) as (N, C / block, D1..Dr, block).

    >>> blocked(np.zeros((1, 48, 5, 5)), 16).shape
    (1, 3, 5, 5, 16)
    """
    n, c, *spatial = array.shape
    parts = array.reshape(n, c // block, block, *spatial)
    return np.moveaxis(parts, 2, -1)


def blocked_weights(weights: np.ndarray, before: int, after: int) -> np.ndarray:
    """Return weights of shape (O, I, k1..kr) as (O / after, I / before, k1..kr, before, after).

    >>> blocked_weights(np.zeros((64, 24, 3, 3)), 8, 16).shape
    (4, 3, 3, 3, 8, 16)
    """
    o, i, *window = weights.shape
    parts = weights.reshape(o // after, after, i // before, before, *window)
    return np.moveaxis(parts, (3, 1), (-2, -1))
