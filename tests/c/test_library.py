"""The library is built by any C compiler, needs libc alone, and its header is plain C."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import xxhash

from tvmfuse.c import cpu_table
from tvmfuse.c.library import INCLUDE, SOURCES, build_library
from tvmfuse.errors import ArtifactError, LinkerNotFoundError

EXAMPLE = SOURCES / "examples" / "run.c"
PARTS_OF_LIBC = {"libc", "libm", "libdl", "libpthread", "ld-linux-x86-64", "linux-vdso"}
PARTS_OF_LIBC |= {"ld-linux-aarch64"}


def test_it_needs_libc_alone(library: Path) -> None:
    listed = subprocess.run(["ldd", library], capture_output=True, text=True, check=True).stdout
    names = {Path(line.split()[0]).name.partition(".so")[0] for line in listed.splitlines()}
    assert "libc" in names
    assert names <= PARTS_OF_LIBC


def test_it_shows_the_functions_of_the_header_alone(library: Path) -> None:
    if shutil.which("nm") is None:
        pytest.skip("nm is not installed")
    shown = subprocess.run(
        ["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True
    ).stdout
    stated = set(re.findall(r"\btvmfuse_\w+(?=\()", (INCLUDE / "tvmfuse.h").read_text()))
    assert {line.split()[-1] for line in shown.splitlines()} == stated


@pytest.mark.parametrize("linked", ["dynamic", "static"])
def test_the_example_describes_a_model_and_runs_it(
    library: Path,
    compiled_c: Callable[..., Path],
    model_file: Callable[[str], Path],
    expected: Callable[[str], Path],
    tmp_path: Path,
    linked: str,
) -> None:
    dynamic = ["-L", str(library.parent), "-ltvmfuse", f"-Wl,-rpath,{library.parent}"]
    static = [str(library.with_suffix(".a")), "-ldl", "-lpthread"]
    program = compiled_c(EXAMPLE, *{"dynamic": dynamic, "static": static}[linked])
    kept = np.load(expected("convolution"))
    kept["arr_0"].tofile(tmp_path / "x.bin")
    command = [str(program), str(model_file("convolution")), "x.bin"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "input x: float32[2, 3, 8, 8]\n" in said
    assert "output y: float32[2, 5]\noutput0.bin: 40 bytes\n" in said
    assert (tmp_path / "output0.bin").read_bytes() == kept["arr_1"].tobytes()


def test_the_example_says_which_argument_is_wrong(
    library: Path, compiled_c: Callable[..., Path], model_file: Callable[[str], Path]
) -> None:
    program = compiled_c(EXAMPLE, library.with_suffix(".a"), "-ldl", "-lpthread")
    for arguments, words in (
        (["--batch"], "--batch: No such file or directory"),
        (["x.bin", "y.bin"], "inputs: the model has 1, found 2"),
    ):
        command = [str(program), str(model_file("convolution")), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode != 0
        assert done.stderr.strip() == words


@pytest.mark.parametrize("language", [["-x", "c", "-std=c11"], ["-x", "c++", "-std=c++11"]])
def test_the_header_is_plain_c_and_cpp(tmp_path: Path, language: list[str]) -> None:
    compiler = shutil.which("gcc") or shutil.which("clang")
    cpp = shutil.which("g++") or shutil.which("clang++")
    if compiler is None or (language[1] == "c++" and cpp is None):
        pytest.skip("no such compiler is installed")
    source = tmp_path / "source"
    source.write_text("#include <tvmfuse.h>\ntvmfuse_options options = TVMFUSE_OPTIONS;\n")
    flags = ["-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{INCLUDE}"]
    subprocess.run([compiler, *flags, *language, source], check=True, timeout=60)


def test_checksums_are_those_of_python(
    compiled_c: Callable[..., Path], sanitizers: list[str]
) -> None:
    program = compiled_c(Path(__file__).with_name("checksum.c"), *sanitizers)
    content = np.random.default_rng(0).bytes(1 << 17)
    for size in (0, 31, 1100, 4097, 99_999, len(content)):
        given = content[:size]
        done = subprocess.run([program], input=given, capture_output=True, check=True, timeout=60)
        pieces = [given[:n] for n in range(min(size, 1100) + 1)]
        pieces += [given[n:] for n in range(min(size, 16) + 1)]
        assert done.stdout.split() == [xxhash.xxh64_hexdigest(p).encode() for p in pieces]


def test_the_cpu_features_are_those_that_python_knows() -> None:
    assert cpu_table.FILE.read_text() == cpu_table.table(), "python -m tvmfuse.c.cpu_table"


def test_no_file_of_code_is_longer_than_400_lines() -> None:
    languages = {".c", ".h", ".cpp", ".hpp", ".rs", ".go", ".cs", ".js"}
    files = [file for file in SOURCES.rglob("*") if file.suffix in languages]
    lengths = {str(file): len(file.read_text().splitlines()) for file in files}
    assert languages == {file.suffix for file in files}
    assert {name: length for name, length in lengths.items() if length > 400} == {}


def test_without_a_compiler_an_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LinkerNotFoundError, match=r"cc, gcc, clang.*none is in the PATH: install"):
        build_library(tmp_path / "library")


def test_without_a_compiler_for_another_processor_too(tmp_path: Path) -> None:
    with pytest.raises(LinkerNotFoundError, match="by sparc64-linux-gnu-gcc.*install gcc-sparc64"):
        build_library(tmp_path / "library", processor="sparc64")


def test_what_the_compiler_says_is_passed_on(tmp_path: Path) -> None:
    with pytest.raises(ArtifactError, match="no-such-flag"):
        build_library(tmp_path, ["-no-such-flag"])
