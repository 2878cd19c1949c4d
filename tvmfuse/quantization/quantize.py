"""A model in integers of 8 bits, with what that costs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import onnx

from tvmfuse.errors import ConfigurationError, first_line
from tvmfuse.format.atomic import check_place
from tvmfuse.frontend.onnx.partition.value_types import spec_of_value
from tvmfuse.frontend.onnx.source_graph import OnnxGraph
from tvmfuse.limits import Limits
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.distance import Sums
from tvmfuse.measure.onnxruntime_session import open_session, package
from tvmfuse.pipeline.compile import compile_model
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import OnnxModel
from tvmfuse.progress import Progress, Step, silent, within
from tvmfuse.quantization.admission import admitted
from tvmfuse.quantization.losses import Losses, Noise, losses
from tvmfuse.quantization.quantizer import Pair, quantized_by_onnxruntime
from tvmfuse.quantization.result import OutputLoss, Quantized, write_model
from tvmfuse.quantization.samples import GivenSamples, samples_of
from tvmfuse.quantization.settings import QuantizeSettings
from tvmfuse.runtime.threads import check_threads
from tvmfuse.size_ranges import GivenSizes


def quantize(
    model: OnnxModel,
    calibration_data: GivenSamples = None,
    *,
    mode: str = "static",
    per_channel: bool = True,
    activation: str = "uint8",
    weight: str = "int8",
    symmetric: bool = False,
    reduce_range: bool = False,
    operators: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    output: str | os.PathLike[str] | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    seed: int = 0,
    layers: bool = True,
    threads: int | None = None,
    cache: bool = True,
    progress: Progress | None = None,
) -> Quantized:
    """Quantize a model with onnxruntime's quantizer, and measure what that does to its outputs.

    Static ranges are the smallest and largest numbers seen on the calibration data. What becomes
    of the model is compiled, run on the first 16 samples, and compared with what onnxruntime
    computes of the float32 model without optimizations. Then each layer is quantized alone, on the
    first 4 (Wu et al., 2020): the signal-to-quantization-noise ratio of the outputs says which of
    them lose most, and leaving the worst in float32 is advised where that was measured to halve
    the noise. Ctrl-C ends these comparisons, and leaves the quantized model with what is known.

    Takes the extra `ort`.

    Args:
        model: An ONNX model of float32: a path, the file's bytes, or a ``ModelProto``.
        calibration_data: An iterable of mappings from inputs to arrays, each of one run; or an
            ``.npz`` file of one, or a folder of such files. It is read once, one by one. None:
            8 random inputs, with an `UncalibratedWarning`.
        mode: ``static``, ranges of activations are constants: QuantizeLinear and DequantizeLinear
            around what is quantized. Or ``dynamic``, they are found at each run, for products with
            constant weights: MatMulInteger and ConvInteger.
        per_channel: Whether weights have a scale for each channel, or one for all.
        activation: ``uint8`` or ``int8``.
        weight: ``int8``, without a zero point, or ``uint8``.
        symmetric: Whether activations have no zero point either.
        reduce_range: Whether weights have 7 bits: for engines that add two products in 16 bits,
            as they do on x86 without VNNI, and for accuracy there only.
        operators: The types that are quantized, ``Conv`` say; by default all that can be.
        exclude: Names of nodes that stay in float32.
        output: Where the model is written, before anything is measured; `Quantized.save` does the
            same later.
        dims: Of random inputs, sizes of symbolic dimensions by name.
        limits: As `tvmfuse.compile` takes them.
        seed: Of random inputs.
        layers: Whether to examine each layer alone.
        threads: Threads that compute one run; None: one for each core.
        cache: Whether compiled kernels are kept.
        progress: Called with the name of each step.

    Raises:
        ConfigurationError: onnxruntime is not installed, or a word, dimension or node to exclude
            does not exist; `seed` or `threads` is no such number.
        ModelError: The model cannot be read, is quantized already, is not of float32, has no
            products, is beyond 2 GB; or the quantizer fails on it.
        InputError: A sample does not fit the model, or there is none.
        ArtifactError: `output` cannot be written, and what stood there stays; or temporary files
            cannot.
    """
    settings = QuantizeSettings(
        mode, per_channel, activation, weight, symmetric, reduce_range,
        _names("operators", operators), _names("exclude", exclude),
    )  # fmt: skip
    check_threads(threads)
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ConfigurationError(f"seed: expected a number from 0 on, found {seed!r}")
    report = progress or silent
    package()
    if output is not None:
        check_place(output)
    graph = OnnxGraph.of(model, Limits.of(limits))
    given = admitted(graph)
    specs = [spec_of_value(i.name, i.type) for i in given.graph.input]
    samples = samples_of(
        calibration_data, specs, dims=dims, seed=seed, progress=within("calibrate", report)
    )
    pair = quantized_by_onnxruntime(given, settings, samples, report)
    if output is not None:
        write_model(pair.quantized, output)
    compared = _compared(graph, pair, samples.kept, Engine(threads, cache), report)
    found = Losses()
    if layers and not compared.interrupted:
        found = losses(pair, samples, threads=threads, progress=report)
    return Quantized(
        pair.quantized,
        settings,
        outputs=compared.outputs,
        layers=found.layers,
        examined=found.examined,
        advice=found.advice,
        samples=len(samples.kept),
        calibrated=samples.read if mode == "static" else 0,
        random=samples.random,
        nbytes=(graph.original.ByteSize(), pair.quantized.ByteSize()),
        not_compiled=compared.not_compiled,
        not_examined=found.problem,
        interrupted=compared.interrupted or found.interrupted,
    )


def _names(what: str, given: str | Iterable[str]) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str) or not isinstance(given, Iterable) else (*given,)
    for name in names:
        if not isinstance(name, str):
            raise ConfigurationError(f"{what}: expected names, found {name!r}")
    return names


@dataclass(frozen=True)
class Engine:
    """How the quantized model is run: on how many threads, and whether its kernels are kept."""

    threads: int | None
    cache: bool


@dataclass
class _Compared:
    outputs: tuple[OutputLoss, ...] = ()
    not_compiled: str = ""
    interrupted: bool = False


def _compared(
    graph: OnnxGraph,
    pair: Pair,
    samples: Sequence[Mapping[str, Array]],
    engine: Engine,
    progress: Progress,
) -> _Compared:
    """Run the float32 model and the quantized one; Ctrl-C ends it with what there is."""
    result, sums, noises = _Compared(), dict[str, Sums](), dict[str, Noise]()
    dtypes: dict[str, str] = {}
    try:
        expected = open_session(graph.original, threads=engine.threads)
        found, result.not_compiled = _running(pair.quantized, engine, within("compile", progress))
        for place, sample in enumerate(samples):
            progress(Step(f"compare: sample {place + 1}", place / len(samples)))
            arrays = found(sample)
            for name, array in expected.by_name(sample).items():
                dtypes[name] = str(array.dtype)
                sums.setdefault(name, Sums()).take(array, arrays[name])
                if array.dtype.kind == "f":
                    noises.setdefault(name, Noise()).add(array, arrays[name])
    except KeyboardInterrupt:
        result.interrupted = True
    result.outputs = tuple(
        OutputLoss(
            name, dtypes[name], seen.distance(), noises[name].sqnr_db if name in noises else None
        )
        for name, seen in sums.items()
    )
    return result


def _running(
    model: onnx.ModelProto, engine: Engine, progress: Progress
) -> tuple[Callable[[Mapping[str, Array]], Mapping[str, Array]], str]:
    """Return what runs a model: ours, or else onnxruntime's, and why not ours.

    A model that is quantized is not lost to a defect of the compiler.
    """
    try:
        artifact = compile_model(model, CompileSettings.of(cache=engine.cache), progress)
        return artifact.load(num_threads=engine.threads), ""
    except Exception as error:
        return open_session(model, threads=engine.threads).by_name, first_line(error)
