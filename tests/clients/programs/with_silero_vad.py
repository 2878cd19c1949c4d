"""silero-vad: where somebody speaks, by each of its ONNX models."""

import torch
from samples import RATE, found, voice
from silero_vad import get_speech_timestamps, load_silero_vad

sound = torch.from_numpy(voice(6.0))
chances, times = {}, {}
for opset in (15, 16):
    model = load_silero_vad(onnx=True, opset_version=opset)
    times[str(opset)] = get_speech_timestamps(sound, model, sampling_rate=RATE)
    model.reset_states()
    chances[str(opset)] = [float(model(sound[n : n + 512], RATE)) for n in range(0, 512 * 20, 512)]
found(chances=chances, times=times)
