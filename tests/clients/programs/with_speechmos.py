"""speechmos: how good speech sounds, by each of its three models."""

import numpy as np
from samples import RATE, found, voice
from speechmos import aecmos, dnsmos, plcmos

np.random.seed(0)  # noqa: NPY002  # plcmos draws raters
clean = np.clip(voice(10.0), -1, 1)
noisy = np.clip(clean + 0.05 * voice(10.0, seed=1)[::-1], -1, 1)
echoed = {"lpb": clean, "mic": noisy, "enh": clean}
found(
    dnsmos=dnsmos.run(noisy, sr=RATE, return_df=False),
    plcmos=plcmos.run(noisy, sr=RATE, return_df=False),
    aecmos=aecmos.run(echoed, sr=RATE, talk_type="dt", return_df=False),
)
