"""Pictures and sounds for clients that carry none of their own; the same in each process."""

import json
import sys
from typing import Any

import numpy as np

RATE = 16000
"""Samples in a second of sound."""
SQUARE = (320, 320)
"""Columns and rows of a square picture."""


def picture(words: str, size: tuple[int, int] = (320, 96), font: int = 40) -> Any:
    """Return a picture of words, dark on white, as Pillow has it."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", size, "white")
    place = (12, (size[1] - font) // 2)
    ImageDraw.Draw(image).text(place, words, fill="black", font=ImageFont.load_default(font))
    return image


def scene(size: tuple[int, int] = (480, 360)) -> Any:
    """Return a picture with a gradient and some shapes, as Pillow has it."""
    from PIL import Image, ImageDraw

    rows, columns = np.mgrid[: size[1], : size[0]]
    colors = np.stack([rows % 256, columns % 256, (rows + columns) % 256], axis=-1)
    image = Image.fromarray(colors.astype(np.uint8))
    draw = ImageDraw.Draw(image)
    draw.ellipse((60, 60, 180, 220), fill=(224, 172, 138))
    draw.rectangle((240, 90, 330, 180), fill=(40, 60, 90), outline="white", width=3)
    return image


def tone(seconds: float, hertz: float = 220.0, rate: int = RATE) -> np.ndarray:
    """Return a pure tone, in float32 from -1 to 1."""
    times = np.arange(int(seconds * rate)) / rate
    return (0.5 * np.sin(2 * np.pi * hertz * times)).astype(np.float32)


def voice(seconds: float, rate: int = RATE, seed: int = 0) -> np.ndarray:
    """Return what sounds like vowels with pauses between, in float32 from -1 to 1."""
    times = np.arange(int(seconds * rate)) / rate
    pitch = 120 + 30 * np.sin(2 * np.pi * 0.7 * times)
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    harmonics = sum(np.sin(n * phase) / n for n in range(1, 24))
    spoken = np.sin(2 * np.pi * 1.3 * times) > -0.3
    noise = np.random.default_rng(seed).normal(size=times.size)
    return (0.1 * harmonics * spoken + 0.003 * noise).astype(np.float32)


def engine(session: Any) -> str:
    """Return which engine runs a session: ours says it."""
    return str(getattr(session, "engine", "onnxruntime"))


def found(**results: Any) -> None:
    """Write what a client found to standard output, as one line of JSON."""

    def plain(value: Any) -> Any:
        return sorted(value) if isinstance(value, set) else value.tolist()

    json.dump(results, sys.stdout, default=plain, ensure_ascii=False)
    print()
