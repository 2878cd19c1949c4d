"""captcha-recognizer: where the gap of a slider's captcha is."""

import numpy as np
from captcha_recognizer.slider import Slider
from samples import found, scene

boxes, _ = Slider().predict(np.asarray(scene()), conf=0.01)[0]
found(boxes=boxes)
