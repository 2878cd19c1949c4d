"""Coverage-guided fuzzing of how C reads compiled files: `python tests/fuzz/c_reader.py`.

It builds `c_reader.c` with clang's libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer, and
starts from files of small models. It ends with an error, and writes the file that made it, where a
sanitizer finds something, or a file is neither refused in words nor described as the header has it.
Arguments go to libFuzzer: options, `-max_total_time=60` unless they say something else, or files,
which are tried again, each for itself.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

sys.path[:0] = [str(folder) for folder in Path(__file__).parents[1:3]]

import numpy as np
import onnx
from graphs import onnx_model
from onnx.helper import make_node
from resealed import index_of, resealed

import tvmfuse
from tvmfuse.c.library import LIBRARIES, SOURCES

HARNESS: Final = Path(__file__).with_suffix(".c")
FLAGS: Final = (
    *("-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror"),
    *("-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=undefined"),
)
CODE: Final = 64
"""Bytes that are kept of the machine code, which is not loaded."""
READ: Final = ("inputs", "outputs", "overridable", "shared", "level", "target")
"""What C reads of a manifest, beside the CPU's features."""
OF_A_BUILD: Final = ("weights", "payloads")
OF_A_TENSOR: Final = ("name", "dtype", "shape")


def of_fixed_sizes() -> onnx.ModelProto:
    """Return a model with names that JSON has to escape."""
    nodes = [make_node("Gather", ["table", 'zeile "\u00e9\\\n\U0001f600"'], ["y"])]
    inputs = {'zeile "\u00e9\\\n\U0001f600"': ("int64", (4,))}
    return onnx_model(nodes, inputs, {"y": "float32"}, {"table": np.ones((10, 6), np.float32)})


def of_any_size() -> onnx.ModelProto:
    """Return a model whose inputs share one symbolic size."""
    nodes = [
        make_node("Concat", ["a", "b"], ["c"], axis=0),
        make_node("Greater", ["c", "zero"], ["y"]),
    ]
    inputs = {"a": ("float32", ("n", "k")), "b": ("float32", ("m", "k"))}
    return onnx_model(nodes, inputs, {"y": "bool"}, {"zero": np.zeros((), np.float32)})


def with_a_default() -> onnx.ModelProto:
    """Return a model with an input that a caller need not give."""
    nodes = [make_node("Exp", ["k"], ["c"]), make_node("Mul", ["c", "x"], ["y"])]
    inputs = {"k": ("float32", (3,)), "x": ("float32", (3,))}
    return onnx_model(nodes, inputs, {"y": "float32"}, {"k": np.ones(3, np.float32)})


def with_a_cache() -> onnx.ModelProto:
    """Return a model whose output may take the memory of an input."""
    nodes = [make_node("ScatterND", ["past", "at", "new"], ["present"])]
    inputs = {"past": ("float32", ("n", 4)), "at": ("int64", (2, 1)), "new": ("float32", (2, 4))}
    return onnx_model(nodes, inputs, {"present": "float32"})


def without_code(content: bytes) -> bytes:
    """Return a compiled file with next to no machine code, and of its index what C reads."""
    index = index_of(content)
    (begin, _), *weights = index["payloads"]
    contents, places = content[begin : begin + CODE], [(0, CODE)]
    for offset, size in weights:
        contents += bytes(-len(contents) % 64)
        places.append((len(contents), size))
        contents += content[offset : offset + size]
    (build,) = index["header"]["builds"]
    said = build["manifest"]
    manifest = {key: said[key] for key in READ} | {"cpu_features": said["cpu_features"][:2]}
    for key in ("inputs", "outputs", "overridable"):
        manifest[key] = [{part: spec[part] for part in OF_A_TENSOR} for spec in said[key]]
    header = {"builds": [{key: build[key] for key in OF_A_BUILD} | {"manifest": manifest}]}
    short = {"header": header, "payloads": places, "sha256": index["sha256"]}
    return resealed(content, short, contents=contents)


def seeds(folder: Path) -> Iterator[bytes]:
    """Yield files to begin with; those that are compiled are written to a folder."""
    models = of_fixed_sizes(), of_any_size(), with_a_default(), with_a_cache()
    for place, model in enumerate(models):
        path = folder / f"{place}.so"
        tvmfuse.compile(model).save(path)
        yield without_code(path.read_bytes())


def main(*options: str) -> int:
    """Build and run it; return libFuzzer's exit code."""
    clang = shutil.which("clang")
    if clang is None:
        sys.exit("clang is not in the PATH: apt-get install clang libclang-rt-dev")
    with tempfile.TemporaryDirectory(prefix="tvmfuse-fuzz-") as scratch:
        program, corpus = Path(scratch, "c_reader"), Path(scratch, "corpus")
        sources = [f for f in sorted(SOURCES.glob("*.c")) if f.name != "library.c"]
        build = [clang, *FLAGS, str(HARNESS), *map(str, sources), "-o", str(program), *LIBRARIES]
        subprocess.run(build, check=True)
        corpus.mkdir()
        for place, content in enumerate(seeds(Path(scratch))):
            (corpus / str(place)).write_bytes(content)
        again = not all(option.startswith("-") for option in options)
        limits = ["-max_total_time=60", "-max_len=65536", f"-artifact_prefix={os.getcwd()}/"]
        begin = [] if again else [str(corpus)]
        return subprocess.run([program, *limits, *options, *begin], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
