"""swift-f0: the pitch of a tone and of a voice."""

from samples import RATE, found, tone, voice
from swift_f0 import SwiftF0

model = SwiftF0()
results = {
    "tone": model.detect(tone(2.0), RATE),
    "voice": model.detect(voice(3.0), RATE),
}
found(**{name: [r.pitch_hz, r.confidence] for name, r in results.items()})
