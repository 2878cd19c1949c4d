"""Programs of other languages run models as Python does: an exported model's README builds them."""

import shutil
import subprocess
import tarfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import tvmfuse
from tvmfuse.c.export import README, export
from tvmfuse.tensor_spec import TensorSpec

OWN_TESTS = Path(__file__).with_name("languages")
PAGE = Path(__file__).parents[2] / "docs/how-to/languages.md"

_, _, OTHERS = README.partition("In other languages, after\n")
EXPORTS, _, *COMMANDS = (line.strip() for line in OTHERS.splitlines())

FIXED, SYMBOLIC, OF_INDICES = "convolution", "of any size", "rows"
SIZES = {"a": (3, 4), "b": (5, 4)}
"""Of the inputs of the model of symbolic sizes."""
RNG = np.random.default_rng(0)


@dataclass(frozen=True)
class Language:
    """How its program is built and run, and its wrapper tested.

    Attributes:
        tools: What has to be in the PATH.
        begin: Of its line in the README: what builds, `&&`, what runs.
        test: A file of `tests/c/languages`, on bound runs, threads and wrong calls.
        place: Where that goes in what was exported.
        testing: The command that runs it, on a model of symbolic sizes in ``MODEL``, those that keep
            ``CACHES`` and a ``TABLE``, and one with ``DEFAULTS``.
    """

    tools: Sequence[str]
    begin: str
    test: str
    place: str
    testing: str

    def commands(self) -> tuple[str, str]:
        """Return what builds the program, which may be nothing, and what runs it."""
        (line,) = (line for line in COMMANDS if line.startswith(self.begin))
        build, _, run = line.rpartition(" && ")
        return build, run


LANGUAGES = {
    "C++": Language(
        ["c++"],
        "c++ ",
        "bound.cpp",
        ".",
        "c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror bound.cpp -I. -L. -ltvmfuse -lpthread"
        ' -o bound && ./bound "$MODEL" "$CACHES" "$DEFAULTS"',
    ),
    "Rust": Language(
        ["cargo", "rustc"],
        "cargo ",
        "bound.rs",
        "languages/rust/tests",
        "cargo test -q --offline --manifest-path languages/rust/Cargo.toml",
    ),
    "Go": Language(
        ["go", "gcc"],
        "(cd languages/go ",
        "bound_test.go",
        "languages/go",
        "cd languages/go && go vet . && GODEBUG=cgocheck=2 go test .",
    ),
    "C#": Language(
        ["mcs", "mono"],
        "mcs ",
        "Bound.cs",
        ".",
        "mcs -unsafe -warnaserror -out:bound.exe languages/csharp/Tvmfuse.cs Bound.cs"
        ' && mono bound.exe "$MODEL" "$CACHES" "$DEFAULTS"',
    ),
    "Node": Language(
        ["node", "npm"],
        "npm ",
        "bound.test.js",
        "languages/node",
        "node --test languages/node",
    ),
}


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_language_computes_the_bits_that_python_does(
    name: str, model_file: Callable[[str], Path], tmp_path: Path
) -> None:
    language = LANGUAGES[name]
    missing = [tool for tool in language.tools if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    folder = unpacked(model_file(SYMBOLIC), tmp_path)
    build, run = language.commands()
    built = shell(folder, build)
    if name == "Node" and "network" in built.stderr:
        pytest.skip(f"npm cannot fetch koffi: {built.stderr}")
    assert built.returncode == 0, built.stderr

    for model in (FIXED, SYMBOLIC, OF_INDICES):
        shutil.copy(model_file(model), folder / "model.so")
        check_run(folder, run)

    wrong = shell(folder, f"{run} 0.bin:2,2")
    assert wrong.returncode == 1
    assert wrong.stderr.strip() == "status 1: input ids: expected 1 dimensions, found 2"

    (folder / language.place).mkdir(exist_ok=True)
    shutil.copy(OWN_TESTS / language.test, folder / language.place)
    models = {"MODEL": SYMBOLIC, "CACHES": "with caches", "TABLE": "summing"}
    models["DEFAULTS"] = "with defaults"
    paths = " ".join(f"{variable}='{model_file(m)}'" for variable, m in models.items())
    tested = shell(folder, f"export {paths}\n{language.testing}")
    assert tested.returncode == 0, tested.stdout + tested.stderr


def unpacked(model: Path, folder: Path) -> Path:
    export(model, folder / "model.tar.gz")
    with tarfile.open(folder / "model.tar.gz") as archive:
        archive.extractall(folder)
    return folder / "model"


def shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run a line in a folder, after what the README exports."""
    return subprocess.run(
        ["sh", "-ec", f"{EXPORTS}\n{line}"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def check_run(folder: Path, run: str) -> None:
    """Run `model.so` on random inputs; compare what is printed and written with Python's."""
    model = tvmfuse.load(folder / "model.so")
    feeds = {spec.name: drawn(spec) for spec in model.inputs}
    arguments = ""
    for place, array in enumerate(feeds.values()):
        array.tofile(folder / f"{place}.bin")
        arguments += f" {place}.bin:{','.join(map(str, array.shape))}"
    done = shell(folder, run + arguments)
    assert done.returncode == 0, done.stderr
    expected = [f"level: {model.manifest.level}"]
    expected += [described("input", spec) for spec in model.inputs]
    for place, (spec, array) in enumerate(zip(model.outputs, model(feeds).values(), strict=True)):
        assert (folder / f"output{place}.bin").read_bytes() == array.tobytes()
        expected += [described("output", spec), f"output{place}.bin: {array.nbytes} bytes"]
    assert done.stdout.splitlines() == expected


def drawn(spec: TensorSpec) -> np.ndarray:
    sizes = tuple(map(int, SIZES.get(spec.name, spec.shape)))
    if spec.dtype == "int64":
        return RNG.integers(-9, 9, sizes)
    return RNG.standard_normal(sizes).astype(spec.dtype)


def described(what: str, spec: TensorSpec) -> str:
    return f"{what} {spec.name}: {spec.dtype}[{', '.join(map(str, spec.shape))}]"


def test_the_page_has_the_commands_of_the_readme() -> None:
    page = PAGE.read_text()
    assert len(COMMANDS) == len(LANGUAGES)
    assert [line for line in (EXPORTS, *COMMANDS) if line not in page] == []
