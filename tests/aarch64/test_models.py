"""Networks of the benchmarks, in reduced sizes, compute on AArch64 what they compute on x86."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aarch64.agreement import assert_close
from aarch64.emulated import TARGET, Emulator
from conftest import kept_folder
from reference import TOLERANCE, reference

import tvmfuse
from bench.models import MODELS, int8_file

NAMES = ["bert", "resnet18", "mobilenetv2", "vit", "gpt2"]

FROM_X86 = 2e-5
"""How far float32 may be from what x86 computes, of an output's largest magnitude."""

I8MM = "llvm -mtriple=aarch64-linux-gnu -mcpu=neoverse-n1 -mattr=+i8mm"

Ran = Callable[..., dict[str, np.ndarray]]


@pytest.fixture
def int8(request: pytest.FixtureRequest) -> Callable[[str], Path]:
    """Return a function that quantizes one of the models once, and keeps it in pytest's cache."""
    folder = kept_folder(request.config, "models")
    return lambda name: int8_file(name, cache_dir=folder)


def on_x86(model: Path, feeds: Mapping[str, np.ndarray], **options: Any) -> dict[str, np.ndarray]:
    return dict(tvmfuse.compile(model, **options).load()(feeds))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_network_computes_what_it_does_on_x86(
    ran: Ran, exported: Callable[..., Path], name: str
) -> None:
    model, feeds = exported(name), MODELS[name].inputs("reduced")
    found = ran(model, feeds)
    assert_close(found, reference(model, feeds), TOLERANCE)
    assert_close(found, on_x86(model, feeds), FROM_X86)


@pytest.mark.long
@pytest.mark.parametrize("target", ["cortex-a57", "apple-m1", "neoverse-v2"])
@pytest.mark.parametrize("name", ["resnet18", "bert"])
def test_other_cpus_compute_the_same(
    ran: Ran, exported: Callable[..., Path], name: str, target: str
) -> None:
    """Those without dot products, and those with longer vectors, whose length LLVM leaves open."""
    model, feeds = exported(name), MODELS[name].inputs("reduced")
    assert_close(ran(model, feeds, target), on_x86(model, feeds), FROM_X86)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", ["resnet18", "mobilenetv2", "bert"])
@pytest.mark.parametrize("target", [TARGET, I8MM], ids=["sdot", "usdot"])
def test_a_network_of_int8_computes_what_it_does_on_x86(
    ran: Ran, int8: Callable[[str], Path], name: str, target: str
) -> None:
    model, feeds = int8(name), MODELS[name].inputs("reduced")
    assert_close(ran(model, feeds, target), on_x86(model, feeds), FROM_X86)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["bert", "resnet18"])
def test_one_file_serves_every_size(
    emulator: Emulator, exported: Callable[..., Path], tmp_path: Path, name: str
) -> None:
    model = exported(name, dynamic=True)
    artifact, here = tvmfuse.compile(model, target=TARGET), tvmfuse.compile(model).load()
    lengths = (7, 16, 1) if MODELS[name].takes == "text" else (None, None)
    feeds, folders = {}, []
    for batch, extent in enumerate(lengths, 1):
        folders.append(tmp_path / str(batch))
        folders[-1].mkdir()
        artifact.save(folders[-1] / "model.so")
        feeds[folders[-1]] = MODELS[name].inputs("reduced", batch=batch, extent=extent)
    found = emulator.run({folder: [*given.values()] for folder, given in feeds.items()})
    for folder in folders:
        expected, outputs = here(feeds[folder]), found[folder]
        assert not isinstance(outputs, str), outputs
        assert_close(dict(zip(expected, outputs, strict=True)), dict(expected), FROM_X86)
