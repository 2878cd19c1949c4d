"""Rows to work on, drawn from their numbers: the same in every run and on every node."""

from __future__ import annotations

import zlib

import numpy as np

from examples.batch_ray.models import PIXELS, TOKENS, VOCABULARY

WORDS = [f"{a}{b}{c}" for a in ("ba", "lo", "ti", "ru") for b in "nmskt" for c in ("a", "o", "en")]


def images(batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Add ``image: uint8[rows, 3, 32, 32]`` to ``id``."""
    rng = np.random.default_rng(batch["id"][0])
    return {**batch, "image": rng.integers(0, 256, (len(batch["id"]), *PIXELS), np.uint8)}


def texts(batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Add ``text``, sentences of 4 to 24 words, to ``id``."""
    rng = np.random.default_rng(batch["id"][0])
    sentences = [" ".join(rng.choice(WORDS, rng.integers(4, TOKENS + 1))) for _ in batch["id"]]
    return {**batch, "text": np.array(sentences, object)}


def tokens(batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Put ``tokens: int64[rows, 24]`` in place of ``text``: checksums of words, then zeros."""
    found = np.zeros((len(batch["text"]), TOKENS), np.int64)
    for row, text in zip(found, batch["text"], strict=True):
        words = [1 + zlib.crc32(word.encode()) % (VOCABULARY - 1) for word in text.split()]
        row[: len(words)] = words
    return {"id": batch["id"], "tokens": found}
