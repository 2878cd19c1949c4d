"""ultralytics: raw outputs, boxes and masks of YOLO's networks, one picture and two at a time."""

import sys
from pathlib import Path

import numpy as np
import torchvision_stub  # noqa: F401
from samples import SQUARE, engine, found, scene
from ultralytics import YOLO

picture, results, engines = np.asarray(scene(SQUARE))[..., ::-1], {}, set()
pixels = np.asarray(scene(SQUARE).resize((160, 160)), np.float32).transpose(2, 0, 1)[None] / 255
for file in sorted(Path(sys.argv[1]).glob("*.onnx")):
    model = YOLO(file, task="segment" if "seg" in file.stem else "detect")
    for kind, pictures in (("one", picture), ("two", [picture, picture[::-1]])):
        seen = model.predict(pictures, conf=0.25, imgsz=160, max_det=8, batch=2, verbose=False)
        assert all(len(one.boxes) == 8 for one in seen)
        results[f"{file.stem}, {kind}"] = [
            np.column_stack([one.boxes.xyxyn, one.boxes.conf, one.boxes.cls]) for one in seen
        ]
        if seen[0].masks is not None:
            masks = [one.masks.data.float().mean((1, 2)).numpy() for one in seen]
            results[f"{file.stem}, {kind}, masks"] = masks
    session = model.predictor.model.backend.session
    engines.add(engine(session))
    raw = session.run(None, {session.get_inputs()[0].name: pixels})
    # Without NMS, what is written has an order, and that of scores much alike is anyone's.
    results[f"{file.stem}, raw"] = [raw[0][..., 4]] if file.stem == "yolo26n" else raw
found(engines=engines, **results)
