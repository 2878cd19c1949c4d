"""A prompt, then a token at a time with the cache fed back: the tokens are onnxruntime's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from architectures.decoders import decoders
from architectures.exporting import EXPORTERS, exported
from reference import assert_agrees, reference

import tvmfuse

TOKENS = 64
DECODERS = dict(decoders())
Arrays = dict[str, np.ndarray]


def fed_back(feeds: Arrays, results: Arrays) -> Arrays:
    """Return the next step's feeds: the likeliest token of each sequence, and the cache."""
    logits, *cache = results.values()
    ids = logits[:, -1:].argmax(-1)
    past = [name for name in feeds if name.startswith("past")]
    mask = np.concatenate([feeds["mask"], np.ones_like(ids)], 1)
    return {"ids": ids, "mask": mask, **dict(zip(past, cache, strict=True))}


@pytest.mark.architectures
@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize("name", ["llama", "qwen3", "gemma2", "phi3", "gpt2"])
def test_a_loop_gives_onnxruntimes_tokens(name: str, exporter: str, tmp_path: Path) -> None:
    example, path = DECODERS[name], tmp_path / "step.onnx"
    exported(example, exporter, path, symbolic=True)
    model = onnx.load(path)
    network = tvmfuse.compile(model, strict=True).load()
    inputs = [i.name for i in model.graph.input]
    prompt = {"batch": 2, "given": 7, "cached": 1}
    ours = theirs = {n: x.numpy() for n, x in example.feeds(prompt).items()}
    for _ in range(TOKENS):
        found = network({n: ours[n] for n in inputs})
        expected = reference(model, {n: theirs[n] for n in inputs})
        assert_agrees(found, expected)
        ours, theirs = fed_back(ours, dict(found)), fed_back(theirs, expected)
        np.testing.assert_array_equal(ours["ids"], theirs["ids"])
