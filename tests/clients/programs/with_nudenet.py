"""nudenet: labels, scores and boxes of a picture, and its network's raw scores."""

import io

import numpy as np
from nudenet import NudeDetector
from samples import found, scene

held = io.BytesIO()
scene().save(held, "PNG")
detector = NudeDetector()
pixels = np.asarray(scene((320, 320)), np.float32).transpose(2, 0, 1)[None] / 255
(raw,) = detector.onnx_session.run(None, {detector.input_name: pixels})
found(seen=detector.detect(held.getvalue()), boxes=raw[0, :4].mean(1), scores=raw[0, 4:].max(1))
