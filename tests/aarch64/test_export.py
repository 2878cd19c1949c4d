"""An archive of a model for AArch64 has the library for AArch64, and its README holds there."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

import numpy as np
import quantized_models
from aarch64.emulated import PROCESSOR, TARGET, Emulator

import tvmfuse
from tvmfuse.c.export import export
from tvmfuse.c.library import c_compiler


def test_what_is_unpacked_is_built_and_run_as_its_readme_says(
    emulator: Emulator, tmp_path: Path
) -> None:
    w, x = np.eye(16, 8, dtype=np.float32), np.arange(64, dtype=np.float32)
    tvmfuse.compile(quantized_models.products(w), target=TARGET).save(tmp_path / "model.so")
    export(tmp_path / "model.so", tmp_path / "eye.tar.gz")
    with tarfile.open(tmp_path / "eye.tar.gz") as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "eye"
    lines = (folder / "README").read_text().splitlines()
    (line,) = (line.split("&&")[0] for line in lines if line.startswith("  cc "))
    subprocess.run(
        ["sh", "-ec", line.replace("cc", c_compiler(PROCESSOR), 1)], cwd=folder, check=True
    )
    x.tofile(folder / "x.bin")
    emulator.start(folder / "run", "model.so", "x.bin", folder=folder)
    found = np.fromfile(folder / "output0.bin", np.float32).reshape(4, 8)
    np.testing.assert_array_equal(found, x.reshape(4, 16)[:, :8])
