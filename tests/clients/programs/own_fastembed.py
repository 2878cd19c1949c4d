"""fastembed: embeddings of documents and queries by a model of one's own, in batches."""

import sys

from fastembed import TextEmbedding
from fastembed.common.model_description import ModelSource, PoolingType
from samples import engine, found

TEXTS = ["the cat sat on the mat", "hello", "how are you", "the sky is very good", "the dog ran"]

results, engines = {}, set()
for pooling in (PoolingType.MEAN, PoolingType.CLS):
    name = f"own/{pooling}"
    TextEmbedding.add_custom_model(
        name, pooling, normalization=True, sources=ModelSource(url="http://localhost"), dim=32,
        model_file="model.onnx",
    )  # fmt: skip
    for threads in (None, 1):
        model = TextEmbedding(name, specific_model_path=sys.argv[1], threads=threads)
        for batch in (1, 2, 256):
            key = f"{pooling} {threads} {batch}"
            results[key] = [*model.embed(TEXTS, batch_size=batch)]
        results[f"{pooling} {threads}"] = [*model.query_embed("the cat")]
        engines.add(engine(model.model.model))
found(engines=engines, **results)
