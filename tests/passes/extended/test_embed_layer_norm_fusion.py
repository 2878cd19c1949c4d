"""EmbedLayerNormFusion: embeddings, their sum and its norm become one operator."""

from typing import Any

import numpy as np
import pytest
from graphs import graph, ops, tensor
from reference import assert_agrees, reference
from tier_cases import Case, about, cases, check, compute
from tvm.relax.op import add, take
from tvm.relax.op.nn import layer_norm

import tvmfuse
from bench.models import inputs
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.passes.extended.embed_layer_norm_fusion import EmbedLayerNormFusion
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.testing import assert_declines

fused = about("EmbedLayerNormFusion")
alone = about("EmbedLayerNormFusion", disabled=("SkipLayerNormFusion",))  # which would add as well

WORDS, SEGMENTS = "w = Gather(words, ids)", "t = Gather(types, kinds)"
NORM = "y = LayerNormalization(s, g, b)"
IDS, KINDS = "int64[2,5] ids", "int64[2,5] kinds"
FED = {
    "ids": np.array([[0, 6, -1, 3, -7], [1, 1, 2, -3, 5]]),
    "kinds": np.array([[0, 1, -1, 0, -2], [1, 1, 0, 0, 1]]),
}
TABLES: dict[str, Any] = {"words": (7, 8), "types": (2, 8), "rows": (1, 5, 8), "g": (8,), "b": (8,)}
ONLY_WORDS = {k: v for k, v in TABLES.items() if k != "types"}
BOTH = "embed_layer_norm TupleGetItem TupleGetItem"


def plain(
    total: str, norm: str = NORM, inputs: str = f"{IDS}, {KINDS}", outputs: str = "float[] y"
) -> str:
    gathers = " ".join(g for g, i in ((WORDS, "ids"), (SEGMENTS, "kinds")) if f" {i}" in inputs)
    return f"({inputs}) => ({outputs}) {{{gathers} {total} {norm}}}"


def only_ids(**changed: np.ndarray) -> dict[str, np.ndarray]:
    return {"ids": FED["ids"]} | changed


@cases(
    fused("words, segments and positions", plain("a = Add(w, t) s = Add(a, rows)"), "embed_layer_norm", feeds=FED,
        **TABLES),
    fused("in another order", plain("a = Add(rows, w) s = Add(t, a)"), "embed_layer_norm", feeds=FED, **TABLES),
    fused("without segments", plain("s = Add(w, rows)", inputs=IDS), "embed_layer_norm", feeds=only_ids(),
        **ONLY_WORDS),
    fused("without positions", plain("s = Add(w, t)"), "embed_layer_norm", feeds=FED,
        **{k: v for k, v in TABLES.items() if k != "rows"}),
    fused("positions that are numbers",
        plain("p = Gather(rows, places) a = Add(p, w) s = Add(a, t)", inputs=f"{IDS}, {KINDS}, int64[1,5] places"),
        "embed_layer_norm", feeds=FED | {"places": np.arange(5)[None]}, **{**TABLES, "rows": (9, 8)}),
    fused("numbers of 32 bits", plain("s = Add(w, rows)", inputs="int32[2,5] ids"), "embed_layer_norm",
        feeds={"ids": FED["ids"].astype("int32")}, **ONLY_WORDS),
    fused("any batch and length", plain("a = Add(w, t) s = Add(a, rows)", inputs="int64[n,5] ids, int64[n,5] kinds"),
        "embed_layer_norm", feeds=FED, **TABLES),
    fused("any length", plain("s = Add(w, t)", inputs="int64[n,s] ids, int64[n,s] kinds"), "embed_layer_norm",
        feeds=FED, **{k: v for k, v in TABLES.items() if k != "rows"}),
    fused("half precision", plain("s = Add(w, rows)", inputs=IDS, outputs="float16[] y"), "embed_layer_norm",
        feeds=only_ids(), tolerance=2e-3, words=np.ones((7, 8), "float16"),
        rows=np.arange(40, dtype="float16").reshape(1, 5, 8), g=np.ones(8, "float16"), b=np.zeros(8, "float16")),
    fused("the sum is an output", plain("a = Add(w, t) s = Add(a, rows)", outputs="float[] y, float[] s"), BOTH,
        feeds=FED, **TABLES),
    fused("the sum is read again, as in GPT-2",
        plain("s = Add(w, rows)", f"{NORM} z = Add(y, s)", inputs=IDS, outputs="float[] z"), f"{BOTH} add",
        feeds=only_ids(), **ONLY_WORDS),
    fused("a gather that is an output, too", plain("s = Add(w, rows)", inputs=IDS, outputs="float[] y, float[] w"),
        "less add where take embed_layer_norm", feeds=only_ids(), **ONLY_WORDS),
)  # fmt: skip
def test_fuses(case: Case) -> None:
    check(case)


OTHERS = "every addend is an embedding or a constant"


@cases(
    alone("an inner sum that is an output", plain("a = Add(w, rows) s = Add(a, t)", outputs="float[] y, float[] a"),
        None, OTHERS, feeds=FED, **TABLES),
    alone("a tensor that is fed", plain("s = Add(w, x)", inputs=f"{IDS}, float[2,5,8] x"), None, OTHERS,
        feeds=only_ids(), words=(7, 8), g=(8,), b=(8,)),
    fused("a table that is fed", plain("a = Add(w, t) s = Add(a, rows)", inputs=f"{IDS}, {KINDS}, float[2,8] types"),
        None, OTHERS, feeds=FED, **ONLY_WORDS),
    fused("columns", f"({IDS}) => (float[] y) {{w = Gather<axis=1>(words, ids) s = Add(w, rows) {NORM}}}", None,
        fires=False, feeds=only_ids(), words=(3, 7), rows=(3, 2, 5), g=(5,), b=(5,)),
    fused("a table of one column, which widens", plain("a = Add(w, t) s = Add(a, rows)"), None,
        "the tables have rows of the sum's length", feeds=FED, **{**TABLES, "types": (2, 1)}),
    fused("a norm over two dimensions",
        plain("s = Add(w, rows)", "y = LayerNormalization<axis=1>(s, g, b)", inputs=IDS), None,
        "the norm is over the last dimension", feeds=only_ids(), **{**ONLY_WORDS, "g": (5, 8), "b": (5, 8)}),
    fused("a residual sum",
        "(float[2,5,8] x, float[2,5,8] k) => (float[] y) {s = Add(x, k) y = LayerNormalization(s, g, b)}", None,
        fires=False, g=(8,), b=(8,)),
)  # fmt: skip
def test_declines(case: Case) -> None:
    check(case)


def test_declines_numbers_that_nothing_keeps_within_the_table() -> None:
    rows, ones = constant(np.ones((7, 8), "float32")), constant(np.ones(8, "float32"))

    def compute(ids: Any, _: Any) -> Any:
        total = add(take(rows, ids, axis=0, mode="fast"), constant(np.ones((5, 8), "float32")))
        return layer_norm(total, ones, ones, [-1])

    module = graph(compute, tensor(5, dtype="int64"))
    assert_declines(EmbedLayerNormFusion(), module, because="what is out of a table wraps around")


def test_one_scheduled_kernel() -> None:
    tables: dict[str, Any] = {
        "words": (70, 200),
        "types": (2, 200),
        "rows": (1, 5, 200),
        "g": (200,),
        "b": (200,),
    }
    text = plain("a = Add(w, t) s = Add(a, rows)", inputs="int64[n,5] ids, int64[n,5] kinds")
    model = fused("", text, None, **tables).model()
    artifact = tvmfuse.compile(model)
    assert [k.schedule for k in artifact.manifest.kernels] == ["reduction"]
    assert_agrees(artifact.load()(FED), reference(model, FED))


@pytest.mark.parametrize("exporter", ["classic", "dynamo"])
def test_the_embedding_of_bert(exporter: str, exported: Any) -> None:
    path = exported("bert", exporter)
    imported = import_model(path)
    optimized = optimize(imported.module, Selection.of("extended"))
    assert optimized.report["EmbedLayerNormFusion"].fired == 1
    found = ops(optimized.operators)
    # What is left before the first attention is the mask's and the projections'.
    before = found[: found.index("attention")]
    assert before.count("embed_layer_norm") == 1
    assert not {"less", "add", "layer_norm"} & set(before)
    feeds = inputs("bert")
    assert_agrees(compute(imported, optimized, feeds), reference(path, feeds))
