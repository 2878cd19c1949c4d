"""sentence-transformers with backend="onnx": embeddings, and a cross encoder's scores."""

import sys
from pathlib import Path

import numpy as np
from sentence_transformers import CrossEncoder, SentenceTransformer

TEXTS = ["the cat sat on the mat", "hello world how are you very good", "the sky is"]
folder = Path(sys.argv[1])
sentences = SentenceTransformer(str(folder / "bert"), backend="onnx")
pairs = CrossEncoder(str(folder / "distilbert"), backend="onnx")
np.savez(
    sys.argv[2],
    embeddings=sentences.encode(TEXTS),
    normalized=sentences.encode(TEXTS[0], normalize_embeddings=True),
    scores=pairs.predict([("the cat", "the dog"), ("hello", "world")]),
)
