"""What quantizing each layer alone does to a model's outputs.

That is the sensitivity analysis of Wu et al., "Integer Quantization for Deep Learning Inference:
Principles and Empirical Evaluation", 2020, section 5: one layer at a time is quantized, all others
stay in float32. Its measure is the signal-to-quantization-noise ratio of the outputs (Nagel et al.,
"A White Paper on Neural Network Quantization", 2021): ``10 log10(sum y^2 / sum (y - q)^2)``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from typing import Final

import numpy as np
import onnx

from tvmfuse.errors import UnsupportedModelError, first_line
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.distance import chunks
from tvmfuse.measure.onnxruntime_session import open_session
from tvmfuse.progress import Progress, Step
from tvmfuse.quantization.quantizer import Pair, quantized_without
from tvmfuse.quantization.result import Advice, LayerLoss
from tvmfuse.quantization.samples import Samples
from tvmfuse.quantization.switches import SWITCHES, Layer, Switched, switched

SAMPLES: Final = 4
"""On which each layer is examined."""
GAIN_DB: Final = 3.0
"""What leaving layers in float32 has to gain to be advised: half of the noise."""
FEW: Final = 8
"""So many layers are advised at most, and no more than one of ten."""


@dataclass
class Noise:
    """The squares of an output, and of its errors, summed over samples."""

    signal: float = 0.0
    noise: float = 0.0

    def add(self, expected: Array, found: Array) -> None:
        """Take one more array, where it is finite; what no longer is, is noise without end."""
        for left, right in zip(chunks(expected), chunks(found), strict=True):
            a, b = left.astype(np.float64), right.astype(np.float64)
            finite = np.isfinite(a)
            a, b = a[finite], b[finite]
            self.signal += float(np.square(a).sum())
            self.noise += float(np.square(a - b).sum()) if np.isfinite(b).all() else math.inf

    @property
    def sqnr_db(self) -> float:
        """The ratio in decibels; infinite without noise.

        >>> Noise(100, 1).sqnr_db, Noise(100, 0).sqnr_db, Noise(100, math.inf).sqnr_db
        (20.0, inf, -inf)
        """
        if not self.noise:
            return math.inf
        ratio = self.signal / self.noise
        return 10 * math.log10(ratio) if ratio else -math.inf


@dataclass
class Losses:
    """What was found until now.

    Attributes:
        layers: Those that lose most first.
        examined: How many layers were, and of how many.
        advice: What to leave in float32; None where nothing helps.
        problem: Why layers were not examined.
        interrupted: Whether Ctrl-C ended it.
    """

    layers: tuple[LayerLoss, ...] = ()
    examined: tuple[int, int] = (0, 0)
    advice: Advice | None = None
    problem: str = ""
    interrupted: bool = False


@dataclass
class Examination:
    """A model with switches, and what it computes without any layer quantized.

    Attributes:
        switched: The model.
        samples: Its inputs.
        threads: That compute one run.
    """

    switched: Switched
    samples: Sequence[Mapping[str, Array]]
    threads: int | None

    def __post_init__(self) -> None:
        self._session = open_session(self.switched.model, threads=self.threads)
        self._expected = [self._outputs(sample, frozenset()) for sample in self.samples]

    @property
    def has_floats(self) -> bool:
        """Whether an output is a float: no other has a ratio."""
        return any(array.dtype.kind == "f" for array in self._expected[0].values())

    def sqnr_db(self, quantized: AbstractSet[Layer]) -> float:
        """Return the ratio of the worst output where these layers are quantized."""
        return self._worst(self._outputs(sample, quantized) for sample in self.samples)

    def sqnr_db_of(self, model: onnx.ModelProto) -> float:
        """Return the same for another model."""
        session = open_session(model, threads=self.threads)
        return self._worst(map(session.by_name, self.samples))

    def _worst(self, results: Iterable[Mapping[str, Array]]) -> float:
        noises: dict[str, Noise] = {}
        for expected, found in zip(self._expected, results, strict=True):
            for name, array in expected.items():
                if array.dtype.kind == "f":
                    noises.setdefault(name, Noise()).add(array, found[name])
        return min((noise.sqnr_db for noise in noises.values()), default=math.inf)

    def _outputs(
        self, sample: Mapping[str, Array], quantized: AbstractSet[Layer]
    ) -> dict[str, Array]:
        on = np.array([layer in quantized for layer in self.switched.layers])
        return self._session.by_name({**sample, SWITCHES: on})


def losses(pair: Pair, samples: Samples, *, threads: int | None, progress: Progress) -> Losses:
    """Examine each layer, and try whether leaving the worst in float32 helps.

    Ctrl-C ends it with what was found until then.

    Args:
        pair: The model, prepared and quantized.
        samples: Those that were kept are what it is examined on.
        threads: That compute one run.
        progress: Is told of each layer.
    """
    found, result = list[tuple[float, Layer]](), Losses()
    try:
        made = switched(pair)
        examination = Examination(made, samples.kept[:SAMPLES], threads)
        if not examination.has_floats:
            result.problem = "no output is a float"
            return result
        for place, layer in enumerate(made.layers):
            progress(Step(f"layer {layer.name}", place / len(made.layers)))
            found.append((examination.sqnr_db({layer}), layer))
            result.examined = (len(found), len(made.layers))
        ordered = [layer for _, layer in sorted(found, key=_loss)]
        result.advice = _advice(examination, ordered, pair, samples, progress)
    except KeyboardInterrupt:
        result.interrupted = True
    except UnsupportedModelError as error:
        result.problem = first_line(error)
    found.sort(key=_loss)
    result.layers = tuple(LayerLoss(layer.name, layer.op, loss) for loss, layer in found)
    return result


def _loss(found: tuple[float, Layer]) -> float:
    return found[0]


def _advice(
    examination: Examination,
    ordered: Sequence[Layer],
    pair: Pair,
    samples: Samples,
    progress: Progress,
) -> Advice | None:
    """Leave the worst layers in float32, more and more, until half of the noise is gone.

    What the switches promise is more than what is had: a layer in float32 still reads what its
    neighbours round. So where they promise enough, the model is quantized again, and that counts.
    """
    promised = examination.sqnr_db({*ordered})
    before = examination.sqnr_db_of(pair.quantized)
    count, most = 1, min(FEW, max(1, len(ordered) // 10))
    while count <= most and len(ordered) > count:
        if examination.sqnr_db({*ordered[count:]}) >= promised + GAIN_DB:
            names = tuple(layer.name for layer in ordered[:count])
            progress(f"without {', '.join(names)}")
            after = examination.sqnr_db_of(quantized_without(pair, names, samples))
            if before < after >= before + GAIN_DB:
                return Advice(names, before, after)
        count *= 2
    return None
