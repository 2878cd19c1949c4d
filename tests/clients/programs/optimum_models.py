"""optimum: features, classes, generation with its cache, each with and without io binding."""

import sys
from pathlib import Path

import numpy as np
from optimum.onnxruntime import (
    ORTModelForCausalLM,
    ORTModelForFeatureExtraction,
    ORTModelForSequenceClassification,
)
from transformers import AutoTokenizer, pipeline

TEXTS = ["the cat sat on the mat", "hello world how are you very good"]
folder, found = Path(sys.argv[1]), {}

for name, kind, output in (
    ("bert", ORTModelForFeatureExtraction, "last_hidden_state"),
    ("distilbert", ORTModelForSequenceClassification, "logits"),
):
    tokenizer = AutoTokenizer.from_pretrained(folder / name)
    for bound in (False, True):
        model = kind.from_pretrained(folder / name, use_io_binding=bound)
        assert model.use_io_binding is bound
        for texts in (TEXTS, TEXTS[:1], TEXTS):
            tokens = tokenizer(texts, return_tensors="pt", padding=True)
            if name == "distilbert":
                del tokens["token_type_ids"]
            key = f"{name} {bound} {len(found)}"
            found[key] = model(**tokens)[output].numpy()
scores = pipeline("text-classification", model=model, tokenizer=tokenizer)(TEXTS)
found["labels"] = np.array([score["label"] for score in scores])
found["scores"] = np.array([score["score"] for score in scores])

for name in ("gpt2", "llama"):
    tokenizer = AutoTokenizer.from_pretrained(folder / name, padding_side="left")
    tokens = tokenizer(TEXTS, return_tensors="pt", padding=True)
    del tokens["token_type_ids"]
    for bound in (False, True):
        model = ORTModelForCausalLM.from_pretrained(folder / name, use_io_binding=bound)
        found[f"{name} {bound} logits"] = model(**tokens).logits.numpy()
        for beams in (1, 2):
            made = model.generate(**tokens, max_new_tokens=8, num_beams=beams, do_sample=False)
            found[f"{name} {bound} {beams}"] = made.numpy()
np.savez(sys.argv[2], **found)
