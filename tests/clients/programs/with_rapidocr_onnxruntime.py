"""rapidocr-onnxruntime: boxes, text and scores of a picture of words."""

import numpy as np
from rapidocr_onnxruntime import RapidOCR
from samples import found, picture

lines, _ = RapidOCR()(np.asarray(picture("Graph 2026 pays", (480, 160))))
found(lines=[[box, text, float(score)] for box, text, score in lines])
