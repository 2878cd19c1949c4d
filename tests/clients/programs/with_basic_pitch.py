"""basic-pitch: the notes of a recording."""

import tempfile
from pathlib import Path

import soundfile
from basic_pitch.inference import Model, predict
from samples import found, tone

model = Path(__import__("basic_pitch").__file__).parent / "saved_models/icassp_2022/nmp.onnx"
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "tone.wav")
    soundfile.write(path, tone(3.0, 440.0, 22050), 22050)
    output, _, notes = predict(path, Model(model))
found(notes=[list(n[:3]) for n in notes], sums={k: float(v.mean()) for k, v in output.items()})
