"""rapidocr: boxes, text and scores of a picture of words."""

import numpy as np
from rapidocr import RapidOCR
from samples import found, picture

read = RapidOCR()(np.asarray(picture("Graph 2026 pays", (480, 160))))
found(boxes=read.boxes, texts=read.txts, scores=read.scores)
