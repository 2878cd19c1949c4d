"""swift-f0: the pitch of a tone and of a voice, and how sure it is.

Of a pure tone's spectrum most is rounding noise, whose logarithm it takes: single frames differ
between any two ways of summing float32, and their median does not (docs/numbers.md).
"""

import numpy as np
from samples import RATE, found, tone, voice
from swift_f0 import SwiftF0

model = SwiftF0()
results = {
    "tone": model.detect(tone(2.0), RATE),
    "voice": model.detect(voice(3.0), RATE),
}
found(
    **{
        name: [float(np.median(r.pitch_hz)), float(np.median(r.confidence))]
        for name, r in results.items()
    }
)
