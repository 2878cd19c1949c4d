"""Coverage-guided fuzzing with atheris: `python tests/fuzz/harness.py import`, or manifest, or graph.

It ends with an error, and writes the input that made it, where anything but a `TvmfuseError` is
raised, a signal comes, or one input takes more than 5 seconds of the CPU or 1 GiB. What follows the
name goes to libFuzzer: options, `-max_total_time=60` unless they say something else, or files, which
are tried again, each for itself.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.modules["torch"] = None  # type: ignore[assignment]  # TVM would load it

import atheris

with atheris.instrument_imports(include=["tvmfuse"]):
    import tvmfuse
    from tvmfuse.errors import TvmfuseError
    from tvmfuse.frontend.onnx import import_model
    from tvmfuse.pipeline import container
    from tvmfuse.target.resolve import resolve

from malformed import small_model
from mutants import seeds
from resealed import resealed

Target = Callable[[bytes], object]

SLOW_S: Final = 5
"""Of the CPU: for one input."""
MOST_MIB: Final = 2048
"""A half for one input, and a half for what tens of thousands leave behind: 6 KiB each."""
HANGS_S: Final = 60
"""Of the clock, on a machine that others use as well."""


def imported() -> tuple[Target, Iterable[bytes]]:
    """Return what imports a model, and models to begin with."""
    return import_model, (model.SerializeToString() for model in seeds())


def manifest(folder: Path) -> tuple[Target, Iterable[bytes]]:
    """Return what reads an artifact whose index is given, with digests that fit."""
    path = folder / "model.so"
    tvmfuse.compile(small_model()).save(path)
    content = path.read_bytes()

    def read(text: bytes) -> None:
        path.write_bytes(resealed(content, text=text))
        tvmfuse.inspect(path)

    return read, [_index_text(content)]


def graph(folder: Path) -> tuple[Target, Iterable[bytes]]:
    """Return what reads an optimized graph whose index is given, with digests that fit."""
    path, target = folder / "graph", resolve("llvm")
    tvmfuse.compile(small_model(), save_optimized=path)
    content = path.read_bytes()
    return lambda text: container.read(resealed(content, text=text), target), [_index_text(content)]


def _index_text(content: bytes) -> bytes:
    import json

    from resealed import index_of

    return json.dumps(index_of(content)).encode()


def main(name: str, *options: str) -> None:
    """Fuzz one target."""
    folder = Path(tempfile.mkdtemp(prefix="tvmfuse-fuzz-"))
    targets: dict[str, Callable[[], tuple[Target, Iterable[bytes]]]] = {
        "import": imported,
        "manifest": lambda: manifest(folder),
        "graph": lambda: graph(folder),
    }
    target, corpus = targets[name]()
    begin = folder / "corpus"
    begin.mkdir()
    for place, data in enumerate(corpus):
        (begin / f"{place:04}").write_bytes(data)

    def one(data: bytes) -> None:
        before = time.process_time()
        try:
            target(data)
        except TvmfuseError as error:
            if not str(error):
                raise
        if (took := time.process_time() - before) > SLOW_S:
            raise TimeoutError(f"it took {took:.1f} s of the CPU")

    used = _resident_mib()
    limits = [
        *(f"-rss_limit_mb={used + MOST_MIB}", f"-timeout={HANGS_S}"),
        *("-max_total_time=60", "-max_len=65536", f"-artifact_prefix={os.getcwd()}/"),
    ]
    again = not all(option.startswith("-") for option in options)
    corpus_folder = [] if again else [str(begin)]
    atheris.Setup([sys.argv[0], *limits, *options, *corpus_folder], one)
    atheris.Fuzz()


def _resident_mib() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) // 1024


if __name__ == "__main__":
    main(*sys.argv[1:])
