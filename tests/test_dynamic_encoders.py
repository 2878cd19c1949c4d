"""One file of a BERT with a symbolic batch and length: right at every size, with masks that end early."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from graphs import ops
from reference import TOLERANCE, assert_agrees, reference

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize

WORDS = 200
LENGTHS = (1, 2, 7, 31, 64, 127, 128, 129, 300, 512)
CONFIG: dict[str, Any] = {
    "vocab_size": WORDS, "hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4,
    "intermediate_size": 1024, "max_position_embeddings": 512,
}  # fmt: skip
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
AXES = {0: "batch", 1: "sequence"}
OUTPUTS: dict[str, Any] = {"last_hidden_state": AXES, "pooler_output": {0: "batch"}}
#: Operators of two layers: the products are those of queries, keys and values together, of what
#: attention gives, and two more of each layer; and the pooler's.
FUSED = {"attention": 2, "skip_layer_norm": 4, "gelu": 2, "gemm": 9}


def drawn(batch: int, length: int) -> dict[str, np.ndarray]:
    """Each text ends earlier than the one before it; the first one fills the length."""
    rng = np.random.default_rng(length)
    ends = np.maximum(1, length - np.arange(batch) * length // 3)
    arrays = (
        rng.integers(WORDS, size=(batch, length)),
        np.arange(length) < ends[:, np.newaxis],
        rng.integers(2, size=(batch, length)),
    )
    return {name: array.astype("int64") for name, array in zip(INPUTS, arrays, strict=True)}


@pytest.fixture(scope="module", params=["classic", "dynamo"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    import torch
    import transformers

    from bench.models.torch_export import export, quiet, randomize

    with torch.random.fork_rng(devices=[]), quiet():
        torch.manual_seed(0)
        module = transformers.BertModel(transformers.BertConfig(**CONFIG))
        randomize(module, None)
    file = tmp_path_factory.mktemp("bert") / f"{request.param}.onnx"
    export(
        module,
        file,
        dynamo=request.param == "dynamo",
        inputs=drawn(2, 16),
        outputs=tuple(OUTPUTS),
        axes={**dict.fromkeys(INPUTS, AXES), **OUTPUTS},
        folded=True,
    )
    return file, tvmfuse.compile(file)


@pytest.mark.sampled(3)
def test_every_layer_is_fused(model: Any) -> None:
    file, _ = model
    left = Counter(ops(optimize(import_model(file).module, Selection.of("all")).operators))
    assert {name: left[name] for name in FUSED} == FUSED
    assert not {"softmax", "matmul", "batch_matmul", "erf"} & set(left)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("length", LENGTHS)
def test_one_artifact_serves_every_batch_and_length(model: Any, length: int) -> None:
    file, artifact = model
    run = artifact.load(num_threads=1)
    for batch in (1, 3):
        feeds = drawn(batch, length)
        # The shortest texts end early: where no mask is read their numbers are others.
        assert_agrees(run(feeds), reference(file, feeds), tolerance=TOLERANCE)


def test_masks_are_read(model: Any) -> None:
    _, artifact = model
    run, feeds = artifact.load(num_threads=1), drawn(3, 31)
    everywhere = {**feeds, "attention_mask": np.ones_like(feeds["attention_mask"])}
    masked, whole = (run(f)["last_hidden_state"] for f in (feeds, everywhere))
    assert np.array_equal(masked[0], whole[0])
    assert np.abs(masked[1:] - whole[1:]).max() > 1e-2
